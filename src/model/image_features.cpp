#include <tulle/model/image_features.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace tulle {
namespace {

constexpr int kDirections = 8;
// Standard deviations of the Gaussians, in widths of a cell; and what is added to the norm of a histogram, so
// that cells without strokes stay near 0. Tried on training images of MNIST and DIGITS, not tuned further.
constexpr std::array<double, 2> kDerivative = {0.2, 0.29};
constexpr double kPooling = 0.45;
constexpr float kFaint = 0.02f;

// Cells along a side of an image, at each scale.
std::array<int, 2> cells_along(int pixels) {
  if (pixels >= 16) return {7, 5};
  return {std::min(4, pixels), std::min(3, pixels)};
}

// Weights of the pixels -r .. r around a point.
std::vector<float> gaussian(double stddev, bool derivative) {
  const int reach = static_cast<int>(std::ceil(2.5 * stddev));
  std::vector<float> weights;
  double sum = 0;
  for (int t = -reach; t <= reach; ++t) {
    const double weight = std::exp(-t * t / (2 * stddev * stddev)) * (derivative ? t : 1);
    weights.push_back(static_cast<float>(weight));
    sum += std::abs(weight);
  }
  for (float& weight : weights) weight /= static_cast<float>(sum);
  return weights;
}

using Plane = std::vector<float>;  // rows x columns

// The weighted sum along rows at every one of the points `at`; pixels outside the image are 0.
Plane along_rows(const float* plane, int rows, int columns, const std::vector<float>& weights,
                 const std::vector<int>& at) {
  Plane result(static_cast<std::size_t>(rows) * at.size());
  const int reach = static_cast<int>(weights.size()) / 2;
  for (int row = 0; row < rows; ++row)
    for (std::size_t i = 0; i < at.size(); ++i) {
      float sum = 0;
      for (int t = std::max(-reach, -at[i]); t <= std::min(reach, columns - 1 - at[i]); ++t)
        sum += weights[static_cast<std::size_t>(t + reach)] * plane[row * columns + at[i] + t];
      result[static_cast<std::size_t>(row) * at.size() + i] = sum;
    }
  return result;
}

Plane along_columns(const Plane& plane, int rows, int columns, const std::vector<float>& weights,
                    const std::vector<int>& at) {
  Plane result(at.size() * static_cast<std::size_t>(columns));
  const int reach = static_cast<int>(weights.size()) / 2;
  for (std::size_t i = 0; i < at.size(); ++i)
    for (int t = std::max(-reach, -at[i]); t <= std::min(reach, rows - 1 - at[i]); ++t)
      for (int column = 0; column < columns; ++column)
        result[i * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column)] +=
            weights[static_cast<std::size_t>(t + reach)] *
            plane[static_cast<std::size_t>((at[i] + t) * columns + column)];
  return result;
}

std::vector<int> every(int pixels) {
  std::vector<int> all;
  for (int pixel = 0; pixel < pixels; ++pixel) all.push_back(pixel);
  return all;
}

std::vector<int> centres(int pixels, int cells) {
  std::vector<int> all;
  for (int cell = 0; cell < cells; ++cell)
    all.push_back(static_cast<int>(std::floor((cell + 0.5) * pixels / cells)));
  return all;
}

class Scale {
 public:
  Scale(int height, int width, std::size_t scale)
      : height_(height),
        width_(width),
        rows_(centres(height, cells_along(height)[scale])),
        columns_(centres(width, cells_along(width)[scale])) {
    const double cell = static_cast<double>(height) / static_cast<double>(rows_.size());
    smooth_ = gaussian(kDerivative[scale] * cell, false);
    derivative_ = gaussian(kDerivative[scale] * cell, true);
    pool_ = gaussian(kPooling * cell, false);
  }

  std::size_t cells() const { return rows_.size() * columns_.size(); }

  // Writes the normalised histograms, direction by direction, behind each other.
  void histograms(const float* image, float* features) const {
    const auto x = every(width_), y = every(height_);
    const Plane across =
        along_columns(along_rows(image, height_, width_, derivative_, x), height_, width_, smooth_, y);
    const Plane down =
        along_columns(along_rows(image, height_, width_, smooth_, x), height_, width_, derivative_, y);
    const int cells_across = static_cast<int>(columns_.size());
    for (int direction = 0; direction < kDirections; ++direction) {
      const Plane part = in_direction(across, down, direction);
      const Plane pooled = along_columns(along_rows(part.data(), height_, width_, pool_, columns_), height_,
                                         cells_across, pool_, rows_);
      std::copy(pooled.begin(), pooled.end(), features + static_cast<std::size_t>(direction) * cells());
    }
    for (std::size_t cell = 0; cell < cells(); ++cell) normalise(features + cell);
  }

 private:
  // |gradient| cos^4 of its angle to the direction, where that is below a right angle.
  static Plane in_direction(const Plane& across, const Plane& down, int direction) {
    const double angle = 2 * std::numbers::pi * direction / kDirections;
    const auto x = static_cast<float>(std::cos(angle)), y = static_cast<float>(std::sin(angle));
    Plane part(across.size());
    for (std::size_t i = 0; i < part.size(); ++i) {
      const float along = across[i] * x + down[i] * y;
      const float square = across[i] * across[i] + down[i] * down[i];
      if (along > 0 && square > 1e-12f)
        part[i] = along * along * (along * along) / (square * std::sqrt(square));
    }
    return part;
  }

  void normalise(float* first) const {
    float square = 0;
    for (int d = 0; d < kDirections; ++d)
      square += first[static_cast<std::size_t>(d) * cells()] * first[static_cast<std::size_t>(d) * cells()];
    const float divisor = std::sqrt(square) + kFaint;
    for (int d = 0; d < kDirections; ++d) first[static_cast<std::size_t>(d) * cells()] /= divisor;
  }

  int height_, width_;
  std::vector<int> rows_, columns_;
  std::vector<float> smooth_, derivative_, pool_;
};

// To norm 1, and a little less, so that rounding leaves none longer.
void shorten_to_one(float* features, Eigen::Index size) {
  constexpr double kRoundingUp = 1 + 0x1p-20;
  double square = 1e-6;
  for (Eigen::Index i = 0; i < size; ++i)
    square += static_cast<double>(features[i]) * static_cast<double>(features[i]);
  const double divisor = std::sqrt(square) * kRoundingUp;
  for (Eigen::Index i = 0; i < size; ++i) features[i] = static_cast<float>(features[i] / divisor);
}

}  // namespace

Eigen::Index ImageFeatures::size() const {
  Eigen::Index cells = 0;
  for (std::size_t scale : {0u, 1u})
    cells += Eigen::Index{cells_along(height)[scale]} * cells_along(width)[scale];
  return kDirections * cells;
}

FloatMatrix ImageFeatures::of(const FloatMatrix& images) const {
  FloatMatrix result(images.rows(), size());
  const Scale fine(height, width, 0), coarse(height, width, 1);
#pragma omp parallel for schedule(dynamic, 64)
  for (Eigen::Index row = 0; row < images.rows(); ++row) {
    const float* image = images.data() + row * images.outerStride();
    float* features = result.data() + row * result.outerStride();
    fine.histograms(image, features);
    coarse.histograms(image, features + kDirections * fine.cells());
    shorten_to_one(features, result.cols());
  }
  return result;
}

}  // namespace tulle
