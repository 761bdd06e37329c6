#include "expect_error.hpp"
#include "temporary_folder.hpp"

#include <tulle/io/saved_model.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

CoupledFile small_file() {
  CoupledFile file;
  Coupled& model = file.posterior.mean;
  model.axes = {{"u", "user", 2}, {"k", "", 2}};
  model.factors = {{"U", {0, 1}, {1, 2, 3, 4}}, {"w", {1}, {5, 6}}};
  model.products = {{"y", {0}, {0, 1}, 2.5}};
  file.posterior.shapes = {{1, 1, 2, 2}, {3, 3}};
  file.entities = {{"user", {"ann", "bob"}}};
  file.inference = "vb";
  return file;
}

TEST(CoupledFile, ComesBackAsItWas) {
  const TemporaryFolder folder;
  save(folder / "model.npz", small_file());
  const auto loaded = std::get<CoupledFile>(load(folder / "model.npz"));
  EXPECT_EQ(loaded.posterior.mean, small_file().posterior.mean);
  EXPECT_EQ(loaded.posterior.shapes, small_file().posterior.shapes);
  EXPECT_EQ(loaded.entities, small_file().entities);
  EXPECT_EQ(loaded.inference, "vb");
}

TEST(CoupledFile, KeepsLabelsThatAreNotUtf8) {
  const TemporaryFolder folder;
  CoupledFile file = small_file();
  file.entities = {{"user", {"\xe9", "\xc3\xa9"}}};
  save(folder / "model.npz", file);
  EXPECT_EQ(std::get<CoupledFile>(load(folder / "model.npz")).entities, file.entities);
}

TEST(CoupledFile, KeepsSamples) {
  const TemporaryFolder folder;
  CoupledFile file = small_file();
  file.posterior.shapes.clear();
  for (double scale : {0.5, 1.5, 1.0}) {
    Coupled sample = file.posterior.mean;
    for (Factor& factor : sample.factors)
      for (double& value : factor.values) value *= scale;
    file.posterior.samples.push_back(sample);
  }
  save(folder / "model.npz", file);
  EXPECT_EQ(std::get<CoupledFile>(load(folder / "model.npz")).posterior.samples, file.posterior.samples);
}

TEST(CoupledFile, IsNoOtherArchive) {
  const TemporaryFolder folder;
  folder.write("model.npz", "nothing");
  EXPECT_NE(message_of([&] { load(folder / "model.npz"); }), "(no error)");
}

}  // namespace
}  // namespace tulle
