#include <tulle/base/random.hpp>
#include <tulle/model/image_features.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

FloatMatrix random_images(Eigen::Index count, Eigen::Index pixels) {
  Random random(1);
  FloatMatrix images(count, pixels);
  for (float& value : images.reshaped<Eigen::RowMajor>()) value = static_cast<float>(random.uniform());
  return images;
}

TEST(ImageFeatures, HaveANormOfOneAtMost) {
  for (const ImageFeatures features : {ImageFeatures{28, 28}, {8, 8}, {20, 11}, {1, 1}}) {
    FloatMatrix images = random_images(20, features.pixels());
    images.row(0).setZero();
    images.row(1).setOnes();
    const FloatMatrix found = features.of(images);
    EXPECT_EQ(found.cols(), features.size());
    EXPECT_TRUE(found.allFinite());
    for (Eigen::Index row = 0; row < 20; ++row) EXPECT_LE(found.row(row).cast<double>().norm(), 1);
    EXPECT_LT(found.row(0).norm(), 1e-3);
  }
}

TEST(ImageFeatures, DependOnTheirOwnImageAlone) {
  const ImageFeatures features{8, 8};
  const FloatMatrix images = random_images(150, 64);
  EXPECT_EQ(features.of(images.bottomRows(77)), features.of(images).bottomRows(77));
}

// A vertical edge has gradients across alone: directions 0 or 4, of 8.
TEST(ImageFeatures, AreHistogramsOfTheDirectionsOfEdges) {
  const ImageFeatures features{28, 28};
  FloatMatrix image = FloatMatrix::Zero(1, 28 * 28);
  for (int row = 0; row < 28; ++row)
    for (int column = 14; column < 28; ++column) image(0, row * 28 + column) = 1;
  const FloatMatrix found = features.of(image);
  const auto at_the_centre = [&](int direction) { return found(0, direction * 49 + 3 * 7 + 3); };
  EXPECT_GT(at_the_centre(0), 0.05f);
  for (int direction : {2, 3, 4, 5, 6}) EXPECT_NEAR(at_the_centre(direction), 0, 1e-6) << direction;
}

// Half as dark, the strokes have nearly the same features.
TEST(ImageFeatures, HardlyDependOnContrast) {
  const ImageFeatures features{28, 28};
  const FloatMatrix images = random_images(5, 28 * 28);
  EXPECT_LT((features.of(images * 0.5f) - features.of(images)).rowwise().norm().maxCoeff(), 0.1f);
}

}  // namespace
}  // namespace tulle
