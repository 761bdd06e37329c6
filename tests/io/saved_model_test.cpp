#include "expect_error.hpp"
#include "temporary_folder.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/saved_model.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// A model of every kind, by the verb that makes it.
struct SavedModels : testing::Test {
  SavedModels() {
    const std::vector<Mode> modes = {{"word", {}}, {"topic", {}}};
    save(path("complete"),
         ModelFile{Cp{Vector::Ones(1), {Matrix::Ones(2, 1), Matrix::Ones(2, 1)}, {}}, modes, "plain"});
    save(path("topics"),
         ModelFile{Topics{Matrix::Constant(2, 2, 0.5), Vector::Constant(2, 0.5), 0}, modes, "plain"});
    CoupledFile coupled;
    coupled.posterior.mean.axes = {{"u", "user", 2}, {"k", "", 1}};
    coupled.posterior.mean.factors = {{"U", {0, 1}, {1, 2}}};
    coupled.posterior.mean.products = {{"x", {0}, {0}, 1}};
    coupled.entities = {{"user", {}}};
    save(path("couple"), coupled);
    const NetworkLayer layer{FloatMatrix::Ones(2, 2), FloatVector::Zero(2)};
    save(path("classify"), NetworkFile{.model = {{layer}, Activation::tanh, 0, 1, {}, {"cat", "dog"}}});
  }

  std::string path(const std::string& verb) const { return folder / (verb + ".npz"); }
  std::string refusal(const std::string& verb, const std::vector<std::string_view>& taken) const {
    return message_of([&] { check_made_by("m.npz", load(path(verb)), taken); });
  }

  TemporaryFolder folder;
};

TEST_F(SavedModels, ComeBackAsTheirKinds) {
  EXPECT_TRUE(std::holds_alternative<ModelFile>(load(path("complete"))));
  EXPECT_TRUE(std::holds_alternative<ModelFile>(load(path("topics"))));
  EXPECT_TRUE(std::holds_alternative<CoupledFile>(load(path("couple"))));
  EXPECT_TRUE(std::holds_alternative<NetworkFile>(load(path("classify"))));
}

TEST_F(SavedModels, AreKnownByWhatTheyState) {
  for (const char* verb : {"complete", "topics", "couple", "classify"})
    EXPECT_TRUE(is_saved_model(path(verb)));
  EXPECT_FALSE(is_saved_model("x.csv"));
}

TEST_F(SavedModels, AreOfTheVerbThatMadeThem) {
  EXPECT_EQ(refusal("topics", {"complete", "couple", "classify"}),
            "m.npz: holds a model of topics; give a model that tulle complete, couple or classify made");
  EXPECT_EQ(refusal("couple", {"complete"}),
            "m.npz: holds a coupled model; give a model that tulle complete made");
  EXPECT_EQ(refusal("classify", {"complete", "topics"}),
            "m.npz: holds a classifier; give a model that tulle complete or topics made");
  EXPECT_EQ(refusal("complete", {"couple"}),
            "m.npz: holds a completed tensor; give a model that tulle couple made");
  for (const char* verb : {"complete", "topics", "couple", "classify"})
    EXPECT_EQ(refusal(verb, {verb}), "(no error)");
  EXPECT_NO_THROW(load_completed(path("complete")));
  EXPECT_THROW(load_completed(path("topics")), Error);
}

}  // namespace
}  // namespace tulle
