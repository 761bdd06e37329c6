#include "completion.hpp"

#include "ranks.hpp"
#include "subspace.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/solve/offsets.hpp>
#include <tulle/solve/tucker/hooi.hpp>
#include <tulle/tensor/norms.hpp>

namespace tulle {
namespace {

void check(const CompletionProblem& problem) {
  const SparseTensor& observed = problem.observed;
  if (!(problem.ridge >= 0)) fail_usage("ridge: {} is negative; give 0 or more", problem.ridge);
  if (!(problem.core_ridge >= 0))
    fail_usage("core ridge: {} is negative; give 0 or more", problem.core_ridge);
  if (!(problem.scale >= 0))
    fail_usage("scale: {} is negative; give a size, or 0 to have it chosen", problem.scale);
  if (observed.unlisted() == Unlisted::zero)
    fail(
        "completion: unlisted cells are zeros, so none is missing; use hooi, or read the data with missing "
        "semantics");
  if (observed.size() == 0) fail("completion: no cell is observed");
  for (float value : observed.values())
    if (!std::isfinite(value)) fail("completion: an observed value is not finite");
  if (problem.validation == nullptr) return;
  const Shape& held_out = problem.validation->shape();
  bool fits = held_out.order() == observed.order();
  for (int mode = 0; fits && mode < held_out.order(); ++mode) fits = held_out[mode] <= observed.shape()[mode];
  if (!fits)
    fail("completion: the data are {}, the validation data {}", observed.shape().text(), held_out.text());
  if (problem.validation->size() == 0) fail("completion: the validation data hold no cell");
}

// Mean and standard deviation.
std::pair<double, double> moments(std::span<const float> values) {
  const auto count = static_cast<double>(values.size());
  const double mean = chunked_sum(values.size(),
                                  [&](std::size_t begin, std::size_t end) {
                                    return std::accumulate(values.begin() + begin, values.begin() + end, 0.0);
                                  }) /
                      count;
  const double square = chunked_sum(values.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t entry = begin; entry < end; ++entry)
      sum += (values[entry] - mean) * (values[entry] - mean);
    return sum;
  });
  return {mean, std::sqrt(square / count)};
}

// Makes rows of length about 1, whatever the sizes of the modes, without changing the predictions.
void set_row_lengths(Tucker& model) {
  double moved = 1;
  for (Matrix& factor : model.factors) {
    const double length = std::sqrt(static_cast<double>(factor.rows()) / static_cast<double>(factor.cols()));
    factor *= length;
    moved /= length;
  }
  for (double& value : model.core.values()) value *= moved;
}

// Random directions, and a core with which the predictions vary like the scaled values.
void start_at_random(Tucker& model, const Shape& shape, const std::vector<int>& ranks, std::uint64_t seed) {
  model.factors = random_orthonormal(shape, ranks, seed);
  Random random(seed);
  double size = 1 / std::sqrt(static_cast<double>(model.core.size()));
  for (Index positions : shape.dimensions()) size *= std::sqrt(static_cast<double>(positions));
  for (double& value : model.core.values()) value = size * random.normal();
  set_row_lengths(model);
}

// The decomposition of the centred values with zeros for what is missing: its factors point the right way,
// and its core is too small by the share of the cells that are observed.
void start_from_spectrum(Tucker& model, const SparseTensor& observed, double level, double scale,
                         const std::vector<int>& ranks, std::uint64_t seed) {
  std::vector<float> values(observed.values().begin(), observed.values().end());
  for (float& value : values) value = static_cast<float>((value - level) / scale);
  const SparseTensor centred(observed.cells(), std::move(values), Unlisted::zero);
  TuckerOptions options;
  options.ranks = ranks;
  options.control.max_iterations = 5;
  options.control.tolerance = 0;
  options.control.seed = seed;
  Fit<Tucker> fit = hooi(centred, options);
  double inverse_share = 1 / static_cast<double>(observed.size());
  for (Index positions : observed.shape().dimensions()) inverse_share *= positions;
  model.core = std::move(fit.model.core);
  model.factors = std::move(fit.model.factors);
  for (double& value : model.core.values()) value *= inverse_share;
  set_row_lengths(model);
}

Vector cells_by_position(const SparseTensor& observed, int mode) {
  Vector counts = Vector::Zero(observed.shape()[mode]);
  for (Index position : observed.column(mode)) counts[position] += 1;
  return counts;
}

}  // namespace

Tucker ScaledTucker::unscaled() const {
  Tucker result = model;
  for (double& value : result.core.values()) value *= scale;
  result.biases.global *= scale;
  for (Vector& offsets : result.biases.offsets) offsets *= scale;
  return result;
}

CompletionStart begin_completion(const CompletionProblem& problem) {
  check(problem);
  const SparseTensor& observed = problem.observed;
  const auto ranks = usable_ranks(problem.ranks, observed.shape());
  const auto [mean, deviation] = moments(observed.values());
  const double level = problem.biases ? mean : 0;
  double scale = problem.scale;
  if (scale == 0) scale = std::hypot(deviation, mean - level);
  const bool constant = scale == 0;  // the level says it all
  if (constant) scale = 1;

  ScaledTucker fit{Tucker{DenseTensor(core_shape(ranks)), {}, {}}, scale};
  if (problem.start == Start::random) {
    start_at_random(fit.model, observed.shape(), ranks, problem.seed);
  } else {
    start_from_spectrum(fit.model, observed, level, scale, ranks, problem.seed);
  }

  if (constant) std::ranges::fill(fit.model.core.values(), 0);

  Penalty penalty{problem.ridge, problem.core_ridge, {}, {}};
  for (int mode = 0; mode < observed.order(); ++mode) {
    const Vector counts = cells_by_position(observed, mode);
    for (Eigen::Index row = 0; row < counts.size(); ++row)
      if (counts[row] == 0) fit.model.factors[mode].row(row).setZero();
    penalty.weights.push_back(problem.per_cell ? counts : Vector::Ones(counts.size()));
  }
  if (problem.per_cell) penalty.core_ridge *= static_cast<double>(observed.size());
  if (problem.biases) {
    OffsetPrior prior = estimate_offsets(observed, scale);
    fit.model.biases = std::move(prior.start);
    penalty.offset_ridge = std::move(prior.ridge);
  }
  return {std::move(fit), std::move(penalty)};
}

double rmse(const ScaledTucker& fit, const SparseTensor* cells) {
  if (cells == nullptr) return std::numeric_limits<double>::quiet_NaN();
  const auto predicted = fit.model.predict(cells->cells());
  const auto values = cells->values();
  const double square = chunked_sum(values.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t entry = begin; entry < end; ++entry) {
      const double error = fit.scale * predicted[entry] - values[entry];
      sum += error * error;
    }
    return sum;
  });
  return std::sqrt(square / static_cast<double>(values.size()));
}

double Penalty::of(const Tucker& model) const {
  double total = core_ridge * squared_norm(model.core);
  for (std::size_t mode = 0; mode < weights.size(); ++mode)
    total += ridge * weights[mode].dot(model.factors[mode].rowwise().squaredNorm());
  for (std::size_t mode = 0; mode < offset_ridge.size(); ++mode)
    total += offset_ridge[mode] * model.biases.offsets[mode].squaredNorm();
  return total;
}

}  // namespace tulle
