#include <tulle/job/run_page.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

const std::vector<Mode> kModes = {{"user", {}, true}, {"film", {"Alien", "Brazil", "Casablanca"}}};

Cp small_cp() {
  return {.weights = Vector::Ones(2),
          .factors = {Matrix::Ones(1, 2), Matrix::Random(3, 2)},
          .biases = {.global = 1, .offsets = {Vector::Zero(1), Vector::Random(3)}}};
}

std::vector<std::string> captions(const std::vector<Drawing>& drawings) {
  std::vector<std::string> all;
  for (const Drawing& drawing : drawings) all.push_back(drawing.caption);
  return all;
}

TEST(Drawings, OfCpShowFactorsAndOffsetsOfModesWithPositions) {
  EXPECT_EQ(captions(drawings_of(ModelFile{.model = small_cp(), .modes = kModes, .method = "als"})),
            (std::vector<std::string>{"Factor of film: 2 components over 3 positions",
                                      "Offsets of film: 1 row over 3 positions"}));
}

TEST(Drawings, LeaveOutWhatIsNotFinite) {
  Cp model = small_cp();
  model.factors[1](2, 1) = std::nan("");
  EXPECT_EQ(captions(drawings_of(ModelFile{.model = model, .modes = kModes, .method = "als"})),
            std::vector<std::string>{"Offsets of film: 1 row over 3 positions"});
}

TEST(Drawings, OfTuckerAndTubalShowFactorsAndSingularTubes) {
  const Tucker tucker{
      .core = DenseTensor({2, 12}), .factors = {Matrix::Random(4, 2), Matrix::Random(5, 12)}, .biases = {}};
  EXPECT_EQ(captions(drawings_of(ModelFile{.model = tucker, .modes = unnamed_modes(2), .method = "m"})),
            (std::vector<std::string>{"Factor of mode1: 2 components over 4 positions",
                                      "Factor of mode2: the first 8 of 12 components over 5 positions"}));
  const Tubal tubal{.u = DenseTensor({3, 1, 2}),
                    .s = DenseTensor({1, 2}, {3, 4}),
                    .v = DenseTensor({3, 1, 2}),
                    .biases = {}};
  const std::vector<Drawing> drawings =
      drawings_of(ModelFile{.model = tubal, .modes = unnamed_modes(3), .method = "m"});
  ASSERT_EQ(drawings.size(), 1u);
  EXPECT_NE(drawings[0].svg.find(">5</text>"), std::string::npos);  // the norm of (3, 4)
}

TEST(Drawings, OfTopicsShowTheirMostProbableWords) {
  Matrix words(3, 2);
  words << 0.5, 0.1, 0.3, 0.2, 0.2, 0.7;
  const Topics topics{.topics = words, .weights = Vector::Constant(2, 0.5)};
  const std::vector<Drawing> drawings = drawings_of(
      ModelFile{.model = topics, .modes = {{"word", {"cat", "dog", "emu"}}, {"topic", {}}}, .method = "h"});
  ASSERT_EQ(drawings.size(), 2u);
  const std::string& svg = drawings[1].svg;
  EXPECT_LT(svg.find(">emu<"), svg.find(">dog<"));
  EXPECT_LT(svg.find(">dog<"), svg.find(">cat<"));
}

TEST(Drawings, OfNetworksAndCoupledModelsShowWeightsAndFactors) {
  Network network;
  network.layers = {{FloatMatrix::Random(5, 4), FloatVector::Zero(4)},
                    {FloatMatrix::Random(4, 3), FloatVector::Zero(3)}};
  EXPECT_EQ(captions(drawings_of(NetworkFile{.model = network, .method = "sgd"})),
            std::vector<std::string>{"Weights of the last layer: 3 classes over 4 positions"});
  network.classes = {"cat", "dog", "emu"};
  EXPECT_NE(drawings_of(NetworkFile{.model = network, .method = "sgd"})[0].svg.find(">emu</text>"),
            std::string::npos);
  CoupledFile coupled;
  coupled.posterior.mean.axes = {{"u", "user", 3}, {"k", "", 2}};
  coupled.posterior.mean.factors = {{"U", {0, 1}, {1, 2, 3, 4, 5, 6}}, {"G", {1}, {1, 2}}};
  EXPECT_EQ(captions(drawings_of(coupled)),
            std::vector<std::string>{"Factor U: 2 components over 3 positions"});
}

}  // namespace
}  // namespace tulle
