#include "estimate/langevin.hpp"

#include "estimate/descent.hpp"

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr double kPrecision = 1 / kExpectedNoise;           // tau
constexpr double kPriorShape = 1, kPriorRate = 1;           // of the precision of a column
constexpr double kLeastCurvature = 1e-3 * kExpectedSignal;  // of columns that noise has shrunk to nothing

}  // namespace

Langevin::Langevin(const ModelLayout& layout, int own, std::vector<double> start, int steps,
                   std::uint64_t seed)
    : layout_(layout),
      own_(own),
      parameters_(std::move(start)),
      sum_of_samples_(parameters_.size()),
      steps_(steps),
      random_(seed, 1) {
  // Rows that do not move are taken to be as long as those of the first mode that does are at the start.
  own_square_ = mean_square(own == 0 ? 1 : 0, 0);
}

double Langevin::mean_square(int mode, std::size_t column) const {
  const std::size_t rows = layout_.shape()[mode], columns = layout_.columns(mode);
  double squares = 0;
  for (std::size_t row = 0; row < rows; ++row)
    squares += std::pow(parameters_[layout_.start(mode) + row * columns + column], 2);
  return squares / static_cast<double>(rows);
}

double Langevin::curvature(int mode, std::size_t column) const {
  double product = 1;
  for (int other = 0; other < layout_.order(); ++other)
    if (other != mode) product *= other == own_ ? own_square_ : mean_square(other, column);
  return std::max(product, kLeastCurvature);
}

void Langevin::step(const Slope& slope, double rate) {
  shortened_ = 1;
  for (int mode = 0; mode < layout_.order(); ++mode)
    if (mode != own_) step_factor(mode, slope, rate);
  if (2 * ++taken_ <= steps_) return;
  ++samples_;
  for (std::size_t i = 0; i < parameters_.size(); ++i) sum_of_samples_[i] += parameters_[i];
}

// The step is `rate` times twice the inverse of the curvature of the log-posterior: at rate 1, without noise
// and were all parameters independent, the mean would be reached at once.
void Langevin::step_factor(int mode, const Slope& slope, double rate) {
  const std::size_t rows = layout_.shape()[mode], columns = layout_.columns(mode);
  for (std::size_t column = 0; column < columns; ++column) {
    const auto count = static_cast<double>(rows);
    const double precision = (kPriorShape + count / 2) / (kPriorRate + count * mean_square(mode, column) / 2);
    const double bend = kPrecision * slope.cells / count * curvature(mode, column) + precision;
    const double scale = kPrecision / slope.share, noise = scale * slope.deviation;
    const double wanted = 2 * rate / bend;
    const double size = noise > 0 ? std::min(wanted, 4 / (noise * noise)) : wanted;
    const double missing = std::sqrt(std::max(0.0, size - std::pow(size / 2 * noise, 2)));
    shortened_ = std::min(shortened_, size / wanted);
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t place = layout_.start(mode) + row * columns + column;
      double& parameter = parameters_[place];
      parameter += size / 2 * (scale * slope.sum[place] - precision * parameter);
      if (missing > 0) parameter += missing * random_.normal();
    }
  }
}

std::vector<double> Langevin::mean() const {
  if (samples_ == 0) return parameters_;
  std::vector<double> mean = sum_of_samples_;
  for (double& value : mean) value /= samples_;
  return mean;
}

}  // namespace tulle
