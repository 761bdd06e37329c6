#include "completion.hpp"

#include "start.hpp"

#include <tulle/base/error.hpp>
#include <tulle/tensor/mttkrp.hpp>

#include <cmath>

namespace tulle {
namespace {

constexpr std::size_t kChunk = 1 << 13;  // entries of one partial sum

template <class Term>
double sum_over_entries(std::size_t count, const Term& term) {
  const std::size_t chunks = (count + kChunk - 1) / kChunk;
  std::vector<double> parts(chunks);
#pragma omp parallel for schedule(static) if (chunks > 1)
  for (std::size_t c = 0; c < chunks; ++c) {
    double sum = 0;
    for (std::size_t e = c * kChunk; e < std::min((c + 1) * kChunk, count); ++e) sum += term(e);
    parts[c] = sum;
  }
  double sum = 0;
  for (double part : parts) sum += part;
  return sum;
}

void check_arguments(const SparseTensor& observed, const SparseTensor* validation, int rank, double ridge) {
  check_rank(rank);
  if (!(ridge >= 0)) fail_usage("ridge: {} is negative; give 0 or more", ridge);
  if (observed.unlisted() == Unlisted::zero)
    fail(
        "completion: the cells that are not listed are zeros, so none is missing; use cp_als, or read the "
        "data with missing semantics");
  if (observed.size() == 0) fail("completion: no cell is observed");
  for (float value : observed.values())
    if (!std::isfinite(value)) fail("completion: an observed value is not finite");
  if (validation == nullptr) return;
  if (validation->size() == 0) fail("completion: the validation data hold no cell");
  if (validation->order() != observed.order())
    fail("completion: the data are {}, the validation data {}", observed.shape().text(),
         validation->shape().text());
  for (int mode = 0; mode < observed.order(); ++mode)
    if (validation->shape()[mode] > observed.shape()[mode])
      fail("completion: the validation data are {}, larger than the data's {}", validation->shape().text(),
           observed.shape().text());
}

}  // namespace

double CompletionState::rmse(const SparseTensor& cells) const {
  const int order = cells.order(), stride = factors[0].stride();
  const double sum = sum_over_entries(cells.size(), [&](std::size_t e) {
    std::array<const double*, kMaxOrder> row;
    double prediction = 0;
    for (int mode = 0; mode < order; ++mode) {
      const Index position = cells.column(mode)[e];
      row[mode] = factors[mode].row(position);
      prediction += offsets[mode][position];
    }
    for (int r = 0; r < stride; ++r) {
      double product = row[0][r];
      for (int mode = 1; mode < order; ++mode) product *= row[mode][r];
      prediction += product;
    }
    const double error = cells.values()[e] - level - scale * prediction;
    return error * error;
  });
  return std::sqrt(sum / static_cast<double>(cells.size()));
}

// The scale goes into the weights and into the offsets.
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

Belief same_for_all(const CompletionState& state, double row_variance, double offset_variance) {
  Vector variances = Vector::Constant(state.factors[0].columns() + 1, row_variance);
  variances[variances.size() - 1] = offset_variance;
  return {1, std::vector<Vector>(state.factors.size(), variances)};
}

}  // namespace

Belief vague_belief(const CompletionState& state, double precision) {
  return same_for_all(state, 1 / precision, 1);
}

Belief fixed_belief(const CompletionState& state, double ridge) {
  // Standardised values are smaller by the scale, and each of the N factors of a component takes the N-th
  // root of that.
  const double order = static_cast<double>(state.factors.size());
  return same_for_all(state, 1 / (ridge * std::pow(state.scale, 2 / order - 2)), 1 / ridge);
}

double expected_square(double squares, double freedom, double cells) {
  const double left = std::max(1 - freedom / cells, 1e-3);
  return squares / cells / (left * left);
}

CompletionState begin_completion(const SparseTensor& observed, const SparseTensor* validation, int rank,
                                 double ridge, bool biases, Start start, std::uint64_t seed) {
  check_arguments(observed, validation, rank, ridge);
  CompletionState state;
  state.biases = biases;
  const auto values = observed.values();
  const auto count = static_cast<double>(values.size());
  if (biases) state.level = sum_over_entries(values.size(), [&](std::size_t e) { return values[e]; }) / count;
  const double square =
      sum_over_entries(values.size(), [&](std::size_t e) { return std::pow(values[e] - state.level, 2); });
  if (square > 0) state.scale = std::sqrt(square / count);

  for (int mode = 0; mode < observed.order(); ++mode) {
    state.factors.emplace_back(observed.shape()[mode], rank);
    state.offsets.push_back(Vector::Zero(observed.shape()[mode]));
  }
  draw_start(observed, start, seed, state);
  return state;
}

void draw_start(const SparseTensor& observed, Start start, std::uint64_t seed, CompletionState& state) {
  const int order = state.order(), rank = state.factors[0].columns();
  std::vector<Matrix> drawn;
  if (start == Start::random) {
    drawn = random_factors(observed.shape(), rank, seed);
  } else {
    SparseTensor centred = observed;
    for (float& value : centred.values()) value = static_cast<float>((value - state.level) / state.scale);
    drawn = spectral_factors(observed.shape(), rank, seed,
                             [&](const auto& tests, int mode) { return mttkrp(centred, tests, mode); });
  }
  // Of a size at which the start varies about as much as the data.
  const double size = std::pow(rank, -0.5 / order);
  for (int mode = 0; mode < order; ++mode) {
    std::vector<bool> seen(observed.shape()[mode]);
    for (Index position : observed.column(mode)) seen[position] = true;
    for (Index position = 0; position < observed.shape()[mode]; ++position)
      for (int r = 0; r < rank && seen[position]; ++r)
        state.factors[mode].row(position)[r] = size * drawn[mode](position, r);
  }
}

int starts_to_try(const SparseTensor& observed, int rank) {
  return static_cast<double>(observed.size()) * rank < 2e5 ? 4 : 1;
}

CompletionProgress::CompletionProgress(const SparseTensor* validation, int patience, const Control& control)
    : validation_(validation), convergence_(control, patience) {}

bool CompletionProgress::record(double rmse, double criterion, const CompletionState& state) {
  const double change =
      last_criterion_ ? std::abs(*last_criterion_ - criterion) / std::max(*last_criterion_, 1e-300) : 1;
  last_criterion_ = criterion;
  if (validation_ == nullptr) return convergence_.record(rmse, change);
  const bool go_on = convergence_.record(rmse, change, state.rmse(*validation_));
  if (convergence_.improved()) best_ = state;
  return go_on;
}

Fit<Cp> CompletionProgress::finish(const CompletionState& last) {
  return std::move(convergence_).finish((best_ ? *best_ : last).model());
}

}  // namespace tulle
