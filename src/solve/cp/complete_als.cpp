#include "../observed.hpp"
#include "../start.hpp"
#include "completion.hpp"
#include "solve_row.hpp"

#include <tulle/solve/cp/complete_als.hpp>
#include <tulle/solve/warm_start.hpp>

#include <cmath>

namespace tulle {
namespace {

// What one pass over the rows of a mode leaves behind.
struct Outcome {
  double squares = 0;      // of the errors on the observed cells
  double uncertainty = 0;  // what is added to it in expectation because the model is not known exactly
  double freedom = 0;      // effective number of parameters that the rows spend on the data
  Vector moments;          // of each column: mean of the square plus the variance
};

// Whether a pass also computes what needs the inverse of every row's matrix: freedom, uncertainty and
// moments.
enum class Measure { errors, all };

class CompletionAls {
 public:
  CompletionAls(const SparseTensor& observed, const CompletionState& state)
      : data_(sort_by_every_mode(observed, Levels::large_first)), equations_(state.factors[0].columns()) {
    for (SortedEntries& entries : data_) entries.transform_values(state.level, 1 / state.scale);
  }

  double cells() const { return static_cast<double>(data_[0].size()); }

  // The rows of a mode that fit best under the prior, the other modes held. With `spread`, the variances of
  // the numbers, the other modes count as uncertain and the mode's own variances are set.
  Outcome update(int mode, const Prior& prior, CompletionState& state, Measure measure,
                 std::vector<Panel>* spread = nullptr) {
    const SortedEntries& entries = data_[mode];
    const int rank = equations_.rank, width = rank + (state.biases ? 1 : 0);
    const Vector ridge = prior.ridge(mode);
    const std::span<const Panel> uncertain =
        spread != nullptr ? std::span<const Panel>(*spread) : std::span<const Panel>();
    errors_.resize(entries.rows.size());
    inverses_.resize(measure == Measure::all ? entries.rows.size() * width : 0);
    normal_equations(
        entries, state.factors, uncertain, state.offsets, [&](std::size_t row, const double* sums) {
          thread_local std::vector<double> scratch;
          const Index position = entries.rows[row];
          const std::span<double> inverse =
              inverses_.empty() ? std::span<double>() : std::span(inverses_).subspan(row * width, width);
          errors_[row] = solve_row(equations_, sums,
                                   {{state.factors[mode].row(position), static_cast<std::size_t>(rank)},
                                    state.biases ? &state.offsets[mode][position] : nullptr,
                                    {ridge.data(), static_cast<std::size_t>(width)},
                                    inverse},
                                   scratch);
        });
    if (measure == Measure::all) return summarise(entries, prior.noise, ridge, width, state, spread);
    Outcome outcome;
    for (const RowErrors& errors : errors_) outcome.squares += errors.squares;
    return outcome;
  }

  // The model does not change when a column of one factor grows by what another shrinks, but the sum of
  // squares does: it is least when they are equally long. Moving there at once saves the sweeps that would
  // creep there. (Modes that are held do not move.)
  static void balance(CompletionState& state) {
    if (static_cast<int>(state.fitted.size()) < state.order()) return;
    const int order = state.order(), rank = state.factors[0].columns();
    Eigen::ArrayXXd squares = Eigen::ArrayXXd::Zero(rank, order);
    for (int mode = 0; mode < order; ++mode)
      for (std::size_t i = 0; i < state.factors[mode].rows(); ++i)
        squares.col(mode) += Eigen::Map<const Eigen::ArrayXd>(state.factors[mode].row(i), rank).square();
    const Eigen::ArrayXd mean = squares.log().rowwise().mean();
    for (int mode = 0; mode < order; ++mode) {
      // A column of zeros in any mode stays as it is.
      const Eigen::ArrayXd scale =
          mean.isFinite().select((0.5 * (mean - squares.col(mode).log())).exp(), 1.0);
      for (std::size_t i = 0; i < state.factors[mode].rows(); ++i)
        Eigen::Map<Eigen::ArrayXd>(state.factors[mode].row(i), rank) *= scale;
    }
  }

 private:
  Outcome summarise(const SortedEntries& entries, double noise, const Vector& ridge, int width,
                    const CompletionState& state, std::vector<Panel>* spread) {
    const int rank = equations_.rank;
    Outcome outcome;
    outcome.moments = Vector::Zero(rank + 1);
    for (std::size_t row = 0; row < entries.rows.size(); ++row) {
      const Index position = entries.rows[row];
      const double* const numbers = state.factors[entries.modes[0]].row(position);
      const double* const inverse = &inverses_[row * width];
      double freedom = width;
      for (int k = 0; k < width; ++k) {
        const double number = k < rank ? numbers[k] : state.offsets[entries.modes[0]][position];
        outcome.moments[k] += number * number + noise * inverse[k];
        freedom -= ridge[k] * inverse[k];
        if (spread != nullptr && k < rank) (*spread)[entries.modes[0]].row(position)[k] = noise * inverse[k];
      }
      outcome.squares += errors_[row].squares;
      outcome.uncertainty += errors_[row].uncertainty + noise * freedom;
      outcome.freedom += freedom;
    }
    outcome.moments /= static_cast<double>(entries.rows.size());
    return outcome;
  }

  std::vector<SortedEntries> data_;  // by mode
  NormalEquations equations_;
  std::vector<RowErrors> errors_;  // of each row of the mode at hand
  std::vector<double> inverses_;   // diagonals of the inverse matrices, row by row
};

// Ridges that the caller gives.
class FixedRidge {
 public:
  FixedRidge(CompletionAls& als, CompletionState& state, double ridge)
      : als_(als), state_(state), prior_(fixed_prior(state, ridge)), balanced_(ridge > 0) {}

  bool sweep(CompletionProgress& progress) {
    double squares = 0;
    for (int mode : state_.fitted) squares = als_.update(mode, prior_, state_, Measure::errors).squares;
    if (balanced_) CompletionAls::balance(state_);
    const double error = state_.scale * std::sqrt(squares / als_.cells());
    return progress.record(error, error, state_);
  }

 private:
  CompletionAls& als_;
  CompletionState& state_;
  Prior prior_;
  bool balanced_;
};

// The other is to learn them: variational Bayes with a diagonal covariance a row (Ilin and Raiko 2010; Zhao,
// Zhang and Cichocki 2015 for CP). The variance of the rows of the other modes adds to the ridge, and the
// variance of the noise and of each column is what makes the data most likely: components that the data do
// not bear out shrink to nothing, so the rank needs no tuning.
class LearntRidge {
 public:
  LearntRidge(CompletionAls& als, CompletionState& state, const std::vector<CompletionState>& starts)
      : als_(als), state_(state) {
    explore(starts);
    for (const Panel& factor : state.factors) spread_.emplace_back(factor.rows(), factor.columns());
  }

  bool sweep(CompletionProgress& progress) {
    Outcome outcome;
    for (int mode : state_.fitted) {
      outcome = als_.update(mode, prior_, state_, Measure::all, &spread_);
      prior_.variances[mode] = outcome.moments.cwiseMax(kLeastVariance);
    }
    prior_.noise = (outcome.squares + outcome.uncertainty) / als_.cells();
    const double error = state_.scale * std::sqrt(outcome.squares / als_.cells());
    return progress.record(error, std::sqrt(prior_.noise), state_);
  }

 private:
  static constexpr double kLeastVariance = 1e-12;
  static constexpr int kExploringSweeps = 15;
  static constexpr double kExploringPrecisions[] = {8, 2};

  // From a random start the model explains nothing, and learning would conclude that there is nothing to
  // explain. So the first sweeps run with ridges that follow the noise at a fixed precision. Too high, and
  // components die; too low, and rows with few cells fit their noise and lead the others astray: which it is
  // depends on the data, so a few are tried.
  //
  // How long, and which, was chosen by the error on held-out parts of training data only: four random splits
  // of the ua.base of MovieLens-100K (ten ratings a user), with and without weeks; synthetic tensors of three
  // other shapes and of other seeds than the benchmarks'; 100 seeds of the simulation of Wei et al. 2022 that
  // no test and no table uses. 6 sweeps stop before components have separated in two of the three shapes;
  // more than 15 gain nothing.
  void explore(const std::vector<CompletionState>& starts) {
    double best = std::numeric_limits<double>::infinity();
    for (const CompletionState& start : starts)
      for (double precision : kExploringPrecisions) try_out(start, precision, best);
  }

  void try_out(const CompletionState& start, double precision, double& best) {
    CompletionState trial = start;
    Prior prior = weak_prior(start, precision);
    double squares = 0, freedom = 0;
    for (int sweep = 0; sweep < kExploringSweeps; ++sweep) {
      const bool last = sweep == kExploringSweeps - 1;
      for (int mode : trial.fitted) {
        const Outcome outcome = als_.update(mode, prior, trial, last ? Measure::all : Measure::errors);
        squares = outcome.squares;
        freedom += outcome.freedom;
      }
      CompletionAls::balance(trial);
      prior.noise = squares / als_.cells();
    }
    const double score = expected_square(squares, freedom, als_.cells());
    if (score >= best) return;
    best = score;
    state_ = std::move(trial);
    prior_ = std::move(prior);
  }

  CompletionAls& als_;
  CompletionState& state_;
  Prior prior_;
  std::vector<Panel> spread_;  // variances of the numbers
};

}  // namespace

Fit<Cp> complete_cp_als(const SparseTensor& observed, const CpCompletionAlsOptions& options) {
  const Cp* const from = options.from;
  const std::optional<Shape> shape = from ? std::optional(from->shape()) : std::nullopt;
  check_warm_start(shape ? &*shape : nullptr, observed.shape(), options.held);
  const int rank = from ? from->rank() : options.rank;
  CompletionState state = begin_completion(observed, options.validation, rank, options.ridge.value_or(0),
                                           options.biases || (from && !from->biases.empty()), options.start,
                                           options.control.seed);
  if (from) start_from(*from, options.held, state);
  CompletionProgress progress(options.validation, options.patience, options.control);
  CompletionAls als(observed, state);
  const auto run = [&](auto ridge) {
    while (ridge.sweep(progress)) {
    }
  };
  if (options.ridge) {
    run(FixedRidge(als, state, *options.ridge));
  } else {
    std::vector<CompletionState> starts(from ? 1 : starts_to_try(observed, rank), state);
    for (std::size_t s = 1; s < starts.size(); ++s)
      draw_start(observed, options.start, options.control.seed + s, starts[s]);
    run(LearntRidge(als, state, starts));
  }
  return progress.finish(state);
}

}  // namespace tulle
