#include "completion.hpp"

#include "../observed.hpp"
#include "spectral.hpp"

#include <tulle/tensor/kernels/mttkrp.hpp>
#include <tulle/tensor/kernels/residuals.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {

double CompletionState::rmse(const SparseTensor* cells) const {
  if (cells == nullptr) return std::numeric_limits<double>::quiet_NaN();
  const double sum = squared_residuals(*cells, factors, offsets, level, scale);
  return std::sqrt(sum / static_cast<double>(cells->size()));
}

// Multiplies the weights and the offsets by the scale.
Eigen::ArrayXXd balancing_scales(const Eigen::ArrayXXd& squares) {
  const Eigen::ArrayXXd logs = squares.log();
  const Eigen::ArrayXd mean = logs.rowwise().mean();
  Eigen::ArrayXXd scales(squares.rows(), squares.cols());
  for (Eigen::Index mode = 0; mode < squares.cols(); ++mode)
    scales.col(mode) = mean.isFinite().select((0.5 * (mean - logs.col(mode))).exp(), 1.0);
  return scales;
}

Cp CompletionState::model() const {
  Cp model;
  const int rank = factors[0].columns();
  model.weights = Vector::Constant(rank, scale);
  for (const Panel& factor : factors) {
    Matrix matrix = factor.matrix();
    for (int r = 0; r < rank; ++r) {
      const double length = matrix.col(r).norm();
      if (length > 0) matrix.col(r) /= length;
      model.weights[r] *= length;
    }
    model.factors.push_back(std::move(matrix));
  }
  if (biases) {
    model.biases.global = level;
    for (const Vector& offset : offsets) model.biases.offsets.push_back(scale * offset);
  }
  return model;
}

namespace {

Prior same_for_all(const CompletionState& state, double row_variance, double offset_variance) {
  Vector variances = Vector::Constant(state.factors[0].columns() + 1, row_variance);
  variances[variances.size() - 1] = offset_variance;
  return {1, std::vector<Vector>(state.factors.size(), variances)};
}

}  // namespace

Prior weak_prior(const CompletionState& state, double precision) {
  return same_for_all(state, 1 / precision, 1);
}

Prior fixed_prior(const CompletionState& state, double ridge) {
  // Standardised values are divided by the scale, and so each of the N factors of a component by its N-th
  // root.
  const double order = static_cast<double>(state.factors.size());
  return same_for_all(state, 1 / (ridge * std::pow(state.scale, 2 / order - 2)), 1 / ridge);
}

CompletionState begin_completion(const SparseTensor& observed, const SparseTensor* validation, int rank,
                                 double ridge, bool biases, Start start, std::uint64_t seed) {
  check_rank(rank);
  check_ridge("ridge", ridge);
  check_observed(observed, validation, "cp_als");
  const StandardUnits standard = standard_of(observed, biases);
  CompletionState state;
  state.biases = biases;
  state.level = standard.level;
  state.scale = standard.scale;
  for (int mode = 0; mode < observed.order(); ++mode) {
    state.factors.emplace_back(observed.shape()[mode], rank);
    state.offsets.push_back(Vector::Zero(observed.shape()[mode]));
    state.fitted.push_back(mode);
  }
  draw_start(observed, start, seed, state);
  return state;
}

// The columns of all modes share a weight equally; its sign goes into the first mode.
void start_from(const Cp& model, const std::vector<int>& held, CompletionState& state) {
  const int order = state.order(), rank = model.rank();
  if (state.biases) state.level = model.biases.global;
  for (int mode = 0; mode < order; ++mode) {
    for (int r = 0; r < rank; ++r) {
      const double weight = model.weights[r];
      const double size =
          std::pow(std::abs(weight) / state.scale, 1.0 / order) * (mode == 0 && weight < 0 ? -1 : 1);
      for (Eigen::Index i = 0; i < model.factors[mode].rows(); ++i)
        state.factors[mode].row(i)[r] = size * model.factors[mode](i, r);
    }
    if (!model.biases.offsets.empty()) state.offsets[mode] = model.biases.offsets[mode] / state.scale;
  }
  std::erase_if(state.fitted, [&](int mode) { return std::ranges::find(held, mode) != held.end(); });
}

void draw_start(const SparseTensor& observed, Start start, std::uint64_t seed, CompletionState& state) {
  const int order = state.order(), rank = state.factors[0].columns();
  std::vector<Matrix> drawn;
  if (start == Start::random) {
    drawn = random_factors(observed.shape(), std::vector<int>(order, rank), seed);
  } else {
    SparseTensor centred = observed;
    for (float& value : centred.values()) value = static_cast<float>((value - state.level) / state.scale);
    drawn = spectral_start(observed.shape(), rank, seed,
                           [&](const auto& tests, int mode) { return mttkrp(centred, tests, mode); });
  }
  // With this size the model varies about as much as the data at the start.
  const double size = std::pow(rank, -0.5 / order);
  for (int mode = 0; mode < order; ++mode) {
    std::vector<bool> seen(observed.shape()[mode]);
    for (Index position : observed.column(mode)) seen[position] = true;
    for (Index position = 0; position < observed.shape()[mode]; ++position)
      for (int r = 0; r < rank && seen[position]; ++r)
        state.factors[mode].row(position)[r] = size * drawn[mode](position, r);
  }
}

}  // namespace tulle
