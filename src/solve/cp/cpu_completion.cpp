#include "../cpu.hpp"
#include "completion.hpp"
#include "solve_row.hpp"

#include <cmath>

namespace tulle {
namespace {

class CpuCpCompletion final : public CpCompletion {
 public:
  CpuCpCompletion(const SparseTensor& observed, const SparseTensor* validation, const CompletionState& state)
      : data_(sort_by_every_mode(observed, Levels::large_first)),
        validation_(validation),
        equations_(state.factors[0].columns()) {
    for (SortedEntries& entries : data_) entries.transform_values(state.level, 1 / state.scale);
  }

  void set(CompletionState state) override {
    state_ = std::move(state);
    spread_.clear();
  }
  const CompletionState& state() const override { return state_; }
  double validation_rmse() const override { return state_.rmse(validation_); }

  Outcome update(int mode, const Prior& prior, Measure measure) override {
    const SortedEntries& entries = data_[mode];
    const int rank = equations_.rank, width = rank + (state_.biases ? 1 : 0);
    const Vector ridge = prior.ridge(mode);
    const bool uncertain = measure == Measure::variances;
    if (uncertain && spread_.empty())
      for (const Panel& factor : state_.factors) spread_.emplace_back(factor.rows(), factor.columns());
    errors_.resize(entries.rows.size());
    inverses_.resize(measure == Measure::errors ? 0 : entries.rows.size() * width);
    normal_equations(
        entries, state_.factors, uncertain ? std::span<const Panel>(spread_) : std::span<const Panel>(),
        state_.offsets, [&](std::size_t row, const double* sums) {
          thread_local std::vector<double> scratch;
          const Index position = entries.rows[row];
          const std::span<double> inverse =
              inverses_.empty() ? std::span<double>() : std::span(inverses_).subspan(row * width, width);
          errors_[row] = solve_row(equations_, sums,
                                   {{state_.factors[mode].row(position), static_cast<std::size_t>(rank)},
                                    state_.biases ? &state_.offsets[mode][position] : nullptr,
                                    {ridge.data(), static_cast<std::size_t>(width)},
                                    inverse},
                                   scratch);
        });
    if (measure != Measure::errors) return summarise(entries, prior.noise, ridge, width, uncertain);
    Outcome outcome;
    for (const RowErrors& errors : errors_) outcome.squares += errors.squares;
    return outcome;
  }

  // Scaling a column of one factor up and one of another factor down leaves the model as it is, but changes
  // the sum of squares, which is least for columns of equal length. Sweeps alone would approach that slowly.
  // With held modes, nothing is balanced.
  void balance() override {
    if (static_cast<int>(state_.fitted.size()) < state_.order()) return;
    const int order = state_.order(), rank = state_.factors[0].columns();
    Eigen::ArrayXXd squares = Eigen::ArrayXXd::Zero(rank, order);
    for (int mode = 0; mode < order; ++mode)
      for (std::size_t i = 0; i < state_.factors[mode].rows(); ++i)
        squares.col(mode) += Eigen::Map<const Eigen::ArrayXd>(state_.factors[mode].row(i), rank).square();
    const Eigen::ArrayXXd scales = balancing_scales(squares);
    for (int mode = 0; mode < order; ++mode)
      for (std::size_t i = 0; i < state_.factors[mode].rows(); ++i)
        Eigen::Map<Eigen::ArrayXd>(state_.factors[mode].row(i), rank) *= scales.col(mode);
  }

 private:
  Outcome summarise(const SortedEntries& entries, double noise, const Vector& ridge, int width,
                    bool uncertain) {
    const int rank = equations_.rank;
    Outcome outcome;
    outcome.moments = Vector::Zero(rank + 1);
    for (std::size_t row = 0; row < entries.rows.size(); ++row) {
      const Index position = entries.rows[row];
      const double* const numbers = state_.factors[entries.modes[0]].row(position);
      const double* const inverse = &inverses_[row * width];
      double freedom = width;
      for (int k = 0; k < width; ++k) {
        const double number = k < rank ? numbers[k] : state_.offsets[entries.modes[0]][position];
        outcome.moments[k] += number * number + noise * inverse[k];
        freedom -= ridge[k] * inverse[k];
        if (uncertain && k < rank) spread_[entries.modes[0]].row(position)[k] = noise * inverse[k];
      }
      outcome.squares += errors_[row].squares;
      outcome.uncertainty += errors_[row].uncertainty + noise * freedom;
      outcome.freedom += freedom;
    }
    outcome.moments /= static_cast<double>(entries.rows.size());
    return outcome;
  }

  std::vector<SortedEntries> data_;  // by mode
  const SparseTensor* validation_;
  NormalEquations equations_;
  CompletionState state_;
  std::vector<Panel> spread_;      // variances of the factors' elements, or none
  std::vector<RowErrors> errors_;  // of each row of the mode being updated
  std::vector<double> inverses_;   // diagonals of the inverse matrices, row by row
};

}  // namespace

std::unique_ptr<CpCompletion> Cpu::cp_completion(const SparseTensor& observed, const SparseTensor* validation,
                                                 const CompletionState& state) const {
  return std::make_unique<CpuCpCompletion>(observed, validation, state);
}

}  // namespace tulle
