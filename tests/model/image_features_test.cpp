#include <tulle/base/random.hpp>
#include <tulle/model/image_features.hpp>

#include <gtest/gtest.h>

#include <algorithm>

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

// Bright to the right of its middle.
FloatMatrix vertical_edge(int side) {
  FloatMatrix image = FloatMatrix::Zero(1, Eigen::Index{side} * side);
  for (int row = 0; row < side; ++row)
    for (int column = side / 2; column < side; ++column) image(0, row * side + column) = 1;
  return image;
}

// A vertical edge has gradients across alone: direction 0, of 8. The ends of the image are edges too, far
// from the cell.
TEST(ImageFeatures, AreHistogramsOfTheDirectionsOfEdges) {
  const FloatMatrix found = ImageFeatures{15, 15}.of(vertical_edge(15));
  const auto at_the_centre = [&](int direction) { return found(0, direction * 16 + 1 * 4 + 1); };
  for (int direction : {2, 3, 4, 5, 6})
    EXPECT_LT(at_the_centre(direction), 0.05f * at_the_centre(0)) << direction;
}

// What lies in direction 0 of a vertical edge is a vertical line, which has gradients to its middle from both
// sides: directions 0 and 4 of the second order.
TEST(ImageFeatures, OfLargeImagesAreOfTheSecondOrder) {
  const FloatMatrix found = ImageFeatures{28, 28}.of(vertical_edge(28));
  const auto at_the_edge = [&](int direction, int second) {
    return found(0, (direction * 8 + second) * 49 + 3 * 7 + 3);
  };
  const float across = std::min(at_the_edge(0, 0), at_the_edge(0, 4));
  EXPECT_GT(across, 0.01f);
  for (int second : {2, 6}) EXPECT_LT(at_the_edge(0, second), 0.05f * across) << second;
  for (int second = 0; second < 8; ++second) EXPECT_LT(at_the_edge(4, second), 0.05f * across) << second;
}

// Half as dark, the strokes have nearly the same features.
TEST(ImageFeatures, HardlyDependOnContrast) {
  const ImageFeatures features{28, 28};
  const FloatMatrix images = random_images(5, 28 * 28);
  EXPECT_LT((features.of(images * 0.5f) - features.of(images)).rowwise().norm().maxCoeff(), 0.1f);
}

}  // namespace
}  // namespace tulle
