#include "fit_released_tubal.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/data/split.hpp>
#include <tulle/solve/tubal/admm.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tulle {
namespace {

constexpr int kFolds = 5;
constexpr std::size_t kPlenty = 20'000;  // number of cells from which on one fold is enough
constexpr double kLeastFraction = 1.0 / 64;
constexpr int kPatience = 2;         // fractions without a gain before the search ends
constexpr double kToLeaveLevel = 3;  // standard errors by which a model has to be better than the level

// Extra noise on the cells that are fitted, as a share of the deviation of their own. With Y the cells and G
// normal with the standard deviation of their noise, the noise of Y + a G and that of Y - G / a are
// uncorrelated. So the squared distance of a fit to the first from the second is its distance from the truth
// plus a constant (the coupled bootstrap of Oliveira, Lei and Tibshirani).
constexpr double kExtraNoise = 0.5;

struct Weighted {
  SparseTensor cells;
  std::vector<double> weights;  // inverse variances, of mean 1
  double deviation = 0;         // of a cell of weight 1
};

Weighted weighted(const NoisyCells& released) {
  Weighted data{released.cells, {}, 0};
  double sum = 0;
  for (double variance : released.variances) sum += 1 / variance;
  const double mean = sum / static_cast<double>(released.variances.size());
  for (double variance : released.variances) data.weights.push_back(1 / variance / mean);
  data.deviation = std::sqrt(1 / mean);
  for (float& value : data.cells.values()) value = static_cast<float>(value - released.level);
  return data;
}

// The largest singular value that pure noise has in a Fourier slice: the gradient of the squared error has
// noise of variance s^2 at the observed cells, a share p of all, so a slice has one of L p s^2 an entry.
double noise_edge(const Shape& shape, std::size_t cells, double deviation) {
  const double share = static_cast<double>(cells) / static_cast<double>(shape.cells());
  const double depth = static_cast<double>(shape.stride(1));
  return deviation * std::sqrt(share * depth) *
         (std::sqrt(static_cast<double>(shape[0])) + std::sqrt(static_cast<double>(shape[1])));
}

Fit<Tubal> fit(const Weighted& data, double fraction, const FitOptions& options, int iterations,
               double tolerance) {
  TubalAdmmOptions admm;
  admm.lambda = fraction * noise_edge(data.cells.shape(), data.cells.size(), data.deviation);
  admm.weights = data.weights;
  admm.max_rank = options.ranks.empty() ? 0 : options.ranks.front();
  admm.control = {options.max_iterations.value_or(iterations), options.tolerance.value_or(tolerance),
                  options.seed, options.observer};
  return complete_tubal(data.cells, admm);
}

// Cells split once more, and the error that each fraction is expected to have over the whole tensor.
class Rehearsal {
 public:
  Rehearsal(const Weighted& data, const FitOptions& options, const Folds& folds, int held_out)
      : options_(options), train_(data), test_{{data.cells.shape(), Unlisted::missing}, {}, 0} {
    options_.observer = {};
    Split parts = fold(data.cells, folds, held_out);
    std::vector<bool> out(data.cells.size());
    for (std::size_t entry : folds[static_cast<std::size_t>(held_out)]) out[entry] = true;
    train_.weights.clear();
    for (std::size_t entry = 0; entry < out.size(); ++entry)
      (out[entry] ? test_ : train_).weights.push_back(data.weights[entry]);
    train_.cells = std::move(parts.train), test_.cells = std::move(parts.test);
    add_noise();
    const double cells = static_cast<double>(data.cells.shape().cells());
    missing_ = 1 - static_cast<double>(data.cells.size()) / cells;
  }

  // Squared errors less those of the level, each with its share in the error over all cells: their sum is how
  // much better (negative) the fraction is.
  std::vector<double> gains(double fraction) const {
    const Tubal model = fit(train_, fraction, options_, 30, 1e-4).model;
    std::vector<double> gains;
    const auto add = [&](const SparseTensor& cells, std::span<const float> truth,
                         const std::vector<double>& weights, double share) {
      const std::vector<double> predictions = model.predict(cells.cells());
      const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
      for (std::size_t entry = 0; entry < cells.size(); ++entry) {
        const double y = truth[entry], f = predictions[entry];
        gains.push_back(share * weights[entry] / total * (f - 2 * y) * f);
      }
    };
    add(train_.cells, other_, train_.weights, 1 - missing_);
    add(test_.cells, test_.cells.values(), test_.weights, missing_);
    return gains;
  }

 private:
  void add_noise() {
    Random random(options_.seed, 1);
    for (std::size_t entry = 0; entry < train_.cells.size(); ++entry) {
      const double noise = train_.deviation / std::sqrt(train_.weights[entry]) * random.normal();
      float& value = train_.cells.values()[entry];
      other_.push_back(static_cast<float>(value - noise / kExtraNoise));
      value += static_cast<float>(noise * kExtraNoise);
    }
    train_.deviation *= std::sqrt(1 + kExtraNoise * kExtraNoise);
  }

  FitOptions options_;
  Weighted train_, test_;
  std::vector<float> other_;  // Y - G / a of train_
  double missing_ = 0;
};

struct Choice {
  double fraction = 0;  // 0: the level
  double gain = 0;
};

Choice choose(const Weighted& data, const FitOptions& options) {
  const std::size_t count = data.cells.size();
  const int folds = static_cast<int>(std::min<std::size_t>(kFolds, count));
  if (folds < 2) return {};
  const Folds parts = k_folds(count, folds, options.seed);
  std::vector<Rehearsal> rehearsals;
  for (int held_out = 0; held_out < (count >= kPlenty ? 1 : folds); ++held_out)
    rehearsals.emplace_back(data, options, parts, held_out);

  Choice best;
  int without_gain = 0;
  for (double fraction = 1; fraction >= kLeastFraction && without_gain < kPatience; fraction /= 2) {
    double sum = 0, squares = 0;
    for (const Rehearsal& rehearsal : rehearsals)
      for (double gain : rehearsal.gains(fraction)) sum += gain, squares += gain * gain;
    const double least = best.fraction == 0 ? -kToLeaveLevel * std::sqrt(squares) : best.gain;
    const bool better = sum < least;
    without_gain = better ? 0 : without_gain + 1;
    if (better) best = {fraction, sum};
  }
  return best;
}

Tubal level_model(const Shape& shape) {
  return {DenseTensor(shape.with(1, 1)),
          DenseTensor(Shape([&] {
            std::vector<std::uint64_t> sizes{1};
            for (int mode = 2; mode < shape.order(); ++mode) sizes.push_back(shape[mode]);
            return sizes;
          }())),
          DenseTensor(shape.with(0, shape[1]).with(1, 1)),
          {}};
}

}  // namespace

Completion fit_released_tubal(const NoisyCells& released, const FitOptions& options) {
  const Weighted data = weighted(released);
  const Choice choice = choose(data, options);
  Completion completion;
  if (choice.fraction == 0) {
    Tubal model = level_model(released.cells.shape());
    model.biases.global = released.level;
    completion = {.model = std::move(model), .solver = "mean", .converged = true};
    completion.remarks.emplace_back("Nothing stands out of the noise: the model is the mean.");
    return completion;
  }
  Fit<Tubal> result = fit(data, choice.fraction, options, 60, 1e-5);
  result.model.biases.global = released.level;
  completion.remarks.push_back(
      fmt::format("Tubal rank {}, by a nuclear norm of weight 1/{:g} of what keeps pure noise out.",
                  result.model.rank(), 1 / choice.fraction));
  completion.model = std::move(result.model);
  completion.solver = "admm";
  completion.history = std::move(result.history);
  completion.converged = result.converged;
  return completion;
}

}  // namespace tulle
