#include "estimate/langevin.hpp"

#include "estimate/column_squares.hpp"
#include "estimate/descent.hpp"

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr double kPrecision = 1 / kExpectedNoise;           // tau
constexpr double kPriorShape = 1, kPriorRate = 1;           // of the precision of a column
constexpr double kLeastCurvature = 1e-3 * kExpectedSignal;  // of columns that noise has shrunk to nothing

}  // namespace

Langevin::Langevin(const ModelLayout& layout, int own, std::vector<std::vector<int>> relations,
                   std::vector<double> start, int steps, std::uint64_t seed)
    : layout_(layout),
      own_(own),
      relations_(std::move(relations)),
      parameters_(std::move(start)),
      sum_of_samples_(parameters_.size()),
      steps_(steps),
      random_(seed, 1) {
  // Rows that do not move are assumed to be as long as the rows of the first moving mode are at the start.
  own_square_ = mean_square(layout_, parameters_, own == 0 ? 1 : 0, 0);
}

double Langevin::curvature(const std::vector<int>& relation, int mode, std::size_t column) const {
  double product = 1;
  for (int other : relation)
    if (other != mode)
      product *= other == own_ ? own_square_ : mean_square(layout_, parameters_, other, column);
  return std::max(product, kLeastCurvature);
}

double Langevin::bend(int mode, std::size_t column, const std::vector<double>& cells) const {
  const auto rows = static_cast<double>(layout_.shape()[mode]);
  double sum = 0;
  for (std::size_t r = 0; r < relations_.size(); ++r)
    if (std::ranges::find(relations_[r], mode) != relations_[r].end())
      sum += kPrecision * cells[r] / rows * curvature(relations_[r], mode, column);
  return sum;
}

double Langevin::prior_precision(int mode, std::size_t column) const {
  const auto count = static_cast<double>(layout_.shape()[mode]);
  return (kPriorShape + count / 2) /
         (kPriorRate + count * mean_square(layout_, parameters_, mode, column) / 2);
}

void Langevin::step(const Slope& slope, double rate, const PublicTables::Slope& tables) {
  shortened_ = 1;
  for (int mode = 0; mode < layout_.order(); ++mode)
    if (mode != own_) step_factor(mode, slope, rate, tables);
  if (2 * ++taken_ <= steps_) return;
  ++samples_;
  for (std::size_t i = 0; i < parameters_.size(); ++i) sum_of_samples_[i] += parameters_[i];
}

// The step is `rate` times twice the inverse of the curvature of the log-posterior: at rate 1, without noise
// and were all parameters independent, the mean would be reached at once.
void Langevin::step_factor(int mode, const Slope& slope, double rate, const PublicTables::Slope& tables) {
  const std::size_t rows = layout_.shape()[mode], columns = layout_.columns(mode);
  for (std::size_t column = 0; column < columns; ++column) {
    const double precision = prior_precision(mode, column);
    double bends = bend(mode, column, slope.cells) + precision;
    if (!tables.bend.empty())
      bends += kPrecision * tables.bend[static_cast<std::size_t>(mode) * columns + column];
    const double scale = kPrecision / slope.share, noise = scale * slope.deviation;
    const double wanted = 2 * rate / bends;
    const double size = noise > 0 ? std::min(wanted, 4 / (noise * noise)) : wanted;
    const double missing = std::sqrt(std::max(0.0, size - std::pow(size / 2 * noise, 2)));
    shortened_ = std::min(shortened_, size / wanted);
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t place = layout_.start(mode) + row * columns + column;
      double& parameter = parameters_[place];
      double gradient = scale * slope.sum[place] - precision * parameter;
      if (!tables.sum.empty()) gradient += kPrecision * tables.sum[place];
      parameter += size / 2 * gradient;
      if (missing > 0) parameter += missing * random_.normal();
    }
  }
}

// Factors without a public table stay unchanged.
void Langevin::warm_up(const PublicTables::Slope& tables, double rate) {
  for (int mode = 0; mode < layout_.order(); ++mode)
    for (std::size_t column = 0; column < layout_.columns(mode); ++column) {
      const double bends =
          kPrecision * tables.bend[static_cast<std::size_t>(mode) * layout_.columns(mode) + column];
      if (mode == own_ || bends == 0) continue;
      const double precision = prior_precision(mode, column);
      for (std::size_t row = 0; row < layout_.shape()[mode]; ++row) {
        const std::size_t place = layout_.row(mode, row) + column;
        parameters_[place] +=
            rate / (bends + precision) * (kPrecision * tables.sum[place] - precision * parameters_[place]);
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
