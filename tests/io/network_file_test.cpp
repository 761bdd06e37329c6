#include "data/expect_error.hpp"
#include "io/temporary_folder.hpp"

#include <tulle/io/saved_model.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

Network small_network(float weight) {
  const NetworkLayer first{FloatMatrix::Constant(2, 3, weight), FloatVector::Constant(3, 1)};
  const NetworkLayer last{FloatMatrix::Constant(3, 2, weight), FloatVector::Constant(2, -1)};
  return {{first, last}, Activation::tanh, -1, 2, {}, {"cat", "dog"}};
}

TEST(NetworkFile, ComesBackAsItWasSaved) {
  const TemporaryFolder folder;
  save(folder / "n.npz",
       {small_network(0.5f), {small_network(1), small_network(2)}, "sgld", {}, R"({"epsilon":1})"});
  const auto file = std::get<NetworkFile>(load(folder / "n.npz"));
  EXPECT_EQ(file.model.layers[0].weights, small_network(0.5f).layers[0].weights);
  EXPECT_EQ(file.model.layers[1].bias, small_network(0.5f).layers[1].bias);
  EXPECT_EQ(file.model.activation, Activation::tanh);
  EXPECT_EQ(file.model.low, -1);
  EXPECT_EQ(file.model.classes[1], "dog");
  ASSERT_EQ(file.samples.size(), 2u);
  EXPECT_EQ(file.samples[1].layers[0].weights(0, 0), 2);
  EXPECT_EQ(file.method, "sgld");
  EXPECT_EQ(file.guarantee, R"({"epsilon":1})");
}

TEST(NetworkFile, KeepsClassesThatAreNotUtf8) {
  const TemporaryFolder folder;
  NetworkFile file{.model = small_network(1), .method = "plain"};
  file.model.classes = {"\xe9", "\xc3\xa9"};
  save(folder / "n.npz", file);
  EXPECT_EQ(std::get<NetworkFile>(load(folder / "n.npz")).model.classes, file.model.classes);
}

TEST(NetworkFile, IsNotSavedWithoutLayers) {
  const TemporaryFolder folder;
  expect_error([&] { save(folder / "n.npz", NetworkFile{}); }, "no layers");
  EXPECT_EQ(folder.files(), 0u);
}

}  // namespace
}  // namespace tulle
