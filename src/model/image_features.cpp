#include <tulle/model/image_features.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

namespace tulle {
namespace {

constexpr int kDirections = 8;
// Standard deviations of the Gaussians, in widths of a cell, and the constant added to the norm of a
// histogram, so that cells without strokes stay near 0: of the first and of the second order. Tried on
// training images of MNIST and DIGITS, not tuned further.
constexpr std::array<double, 2> kDerivative = {0.2, 0.29};
constexpr double kSecondDerivative = 0.5, kPooling = 0.45;
constexpr float kFaint = 0.02f, kSecondFaint = 0.002f;

constexpr int kLargeImage = 16;  // pixels per side

// Number of cells along a side of an image, at each scale.
std::array<int, 2> cells_along(int pixels) {
  if (pixels >= kLargeImage) return {7, 5};
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

// The weighted sum along rows at each of the points `at`; pixels outside the image are 0.
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

// Every second pixel.
std::vector<int> every_second(int pixels) {
  std::vector<int> half;
  for (int pixel = 0; pixel < pixels; pixel += 2) half.push_back(pixel);
  return half;
}

// Histograms of one cell size on images of one size.
class Scale {
 public:
  // `derivative`: the standard deviation in widths of a cell.
  Scale(int height, int width, int cells_down, int cells_across, double derivative)
      : height_(height),
        width_(width),
        rows_(centres(height, cells_down)),
        columns_(centres(width, cells_across)) {
    const double cell = static_cast<double>(height) / cells_down;
    smooth_ = gaussian(derivative * cell, false);
    derivative_ = gaussian(derivative * cell, true);
    pool_ = gaussian(kPooling * cell, false);
  }

  std::size_t cells() const { return rows_.size() * columns_.size(); }
  std::size_t numbers() const { return kDirections * cells(); }

  // At every pixel, |gradient| cos^4 of its angle to each direction if below a right angle, else 0.
  std::vector<Plane> directions(const float* image) const {
    const auto x = every(width_), y = every(height_);
    const Plane across =
        along_columns(along_rows(image, height_, width_, derivative_, x), height_, width_, smooth_, y);
    const Plane down =
        along_columns(along_rows(image, height_, width_, smooth_, x), height_, width_, derivative_, y);
    Plane divisor(across.size());
    for (std::size_t i = 0; i < divisor.size(); ++i) {
      const float square = across[i] * across[i] + down[i] * down[i];
      divisor[i] = square > 1e-12f ? 1 / (square * std::sqrt(square)) : 0;
    }
    std::vector<Plane> parts;
    for (int direction = 0; direction < kDirections; ++direction) {
      const double angle = 2 * std::numbers::pi * direction / kDirections;
      const auto to_x = static_cast<float>(std::cos(angle)), to_y = static_cast<float>(std::sin(angle));
      Plane& part = parts.emplace_back(across.size());
      for (std::size_t i = 0; i < part.size(); ++i) {
        const float along = std::max(0.0f, across[i] * to_x + down[i] * to_y);
        part[i] = along * along * (along * along) * divisor[i];
      }
    }
    return parts;
  }

  // Smoothed over cells: numbers() values, direction after direction.
  void pool(const std::vector<Plane>& directions, float* features) const {
    for (const Plane& part : directions) {
      const Plane pooled = along_columns(along_rows(part.data(), height_, width_, pool_, columns_), height_,
                                         static_cast<int>(columns_.size()), pool_, rows_);
      features = std::ranges::copy(pooled, features).out;
    }
  }

  // An image of half the size, smoothed like the derivatives.
  Plane halved(const Plane& image) const {
    const auto x = every_second(width_), y = every_second(height_);
    return along_columns(along_rows(image.data(), height_, width_, smooth_, x), height_,
                         static_cast<int>(x.size()), smooth_, y);
  }

 private:
  int height_, width_;
  std::vector<int> rows_, columns_;
  std::vector<float> smooth_, derivative_, pool_;
};

// Divides the values of each cell, which are `cells` apart, by their norm.
void normalise(float* features, std::size_t numbers, std::size_t cells, float faint) {
  for (std::size_t cell = 0; cell < cells; ++cell) {
    float square = 0;
    for (std::size_t i = cell; i < numbers; i += cells) square += features[i] * features[i];
    const float divisor = std::sqrt(square) + faint;
    for (std::size_t i = cell; i < numbers; i += cells) features[i] /= divisor;
  }
}

// Scales to a norm of slightly less than 1, so that rounding makes no vector longer than 1.
void shorten_to_one(float* features, Eigen::Index size) {
  constexpr double kRoundingUp = 1 + 0x1p-20;
  double square = 1e-6;
  for (Eigen::Index i = 0; i < size; ++i)
    square += static_cast<double>(features[i]) * static_cast<double>(features[i]);
  const double divisor = std::sqrt(square) * kRoundingUp;
  for (Eigen::Index i = 0; i < size; ++i) features[i] = static_cast<float>(features[i] / divisor);
}

// Extracts the features of images of one size.
class Extractor {
 public:
  Extractor(int height, int width)
      : fine_(height, width, cells_along(height)[0], cells_along(width)[0], kDerivative[0]) {
    if (std::min(height, width) >= kLargeImage)
      second_.emplace((height + 1) / 2, (width + 1) / 2, cells_along(height)[0], cells_along(width)[0],
                      kSecondDerivative);
    else
      coarse_.emplace(height, width, cells_along(height)[1], cells_along(width)[1], kDerivative[1]);
  }

  std::size_t size() const {
    return second_ ? kDirections * second_->numbers() : fine_.numbers() + coarse_->numbers();
  }

  void extract(const float* image, float* features) const {
    if (second_) return extract_second(fine_.directions(image), features);
    extract_histograms(fine_, image, features);
    extract_histograms(*coarse_, image, features + fine_.numbers());
  }

 private:
  static void extract_histograms(const Scale& scale, const float* image, float* features) {
    scale.pool(scale.directions(image), features);
    normalise(features, scale.numbers(), scale.cells(), kFaint);
  }

  void extract_second(const std::vector<Plane>& directions, float* features) const {
    float* next = features;
    for (const Plane& direction : directions) {
      second_->pool(second_->directions(fine_.halved(direction).data()), next);
      next += second_->numbers();
    }
    normalise(features, kDirections * second_->numbers(), second_->cells(), kSecondFaint);
  }

  Scale fine_;
  std::optional<Scale> coarse_, second_;
};

}  // namespace

Eigen::Index ImageFeatures::size() const {
  return static_cast<Eigen::Index>(Extractor(height, width).size());
}

FloatMatrix ImageFeatures::of(const FloatMatrix& images) const {
  FloatMatrix result(images.rows(), size());
  const Extractor extractor(height, width);
#pragma omp parallel for schedule(dynamic, 64)
  for (Eigen::Index row = 0; row < images.rows(); ++row) {
    float* features = result.data() + row * result.outerStride();
    extractor.extract(images.data() + row * images.outerStride(), features);
    shorten_to_one(features, result.cols());
  }
  return result;
}

}  // namespace tulle
