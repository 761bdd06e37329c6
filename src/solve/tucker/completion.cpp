#include "completion.hpp"

#include "../convergence.hpp"
#include "../observed.hpp"
#include "../start.hpp"
#include "balance.hpp"
#include "evidence.hpp"
#include "ranks.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/solve/offsets.hpp>
#include <tulle/solve/tucker/hooi.hpp>
#include <tulle/tensor/kernels/norms.hpp>

namespace tulle {
namespace {

void check(const CompletionProblem& problem) {
  check_ridge("ridge", problem.ridge.value_or(0));
  check_ridge("core ridge", problem.core_ridge);
  if (!(problem.scale >= 0))
    fail_usage("scale: {} is negative; give a size, or 0 to have it chosen", problem.scale);
  check_observed(problem.observed, problem.validation, "hooi");
}

// Scales rows to lengths of about 1, whatever the sizes of the modes, without changing the predictions.
void set_row_lengths(Tucker& model) {
  double moved = 1;
  for (Matrix& factor : model.factors) {
    const double length = std::sqrt(static_cast<double>(factor.rows()) / static_cast<double>(factor.cols()));
    factor *= length;
    moved /= length;
  }
  for (double& value : model.core.values()) value *= moved;
}

// Starts from random directions, and a core with which the predictions vary like the scaled values.
void start_at_random(Tucker& model, const Shape& shape, const std::vector<int>& ranks, std::uint64_t seed) {
  model.factors = random_orthonormal(shape, ranks, seed);
  Random random(seed);
  double size = 1 / std::sqrt(static_cast<double>(model.core.size()));
  for (Index positions : shape.dimensions()) size *= std::sqrt(static_cast<double>(positions));
  for (double& value : model.core.values()) value = size * random.normal();
  set_row_lengths(model);
}

// Starts from the decomposition of the centred values with zeros in place of missing cells: its factors have
// the right directions, and its core is too small by the share of observed cells.
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

Vector Penalty::of_row(int mode, Eigen::Index row) const {
  return (row_ridge[mode] + counts[mode][row] * cell_ridge[mode].array()).matrix();
}

Vector Penalty::of_core() const {
  return (core_ridge + cells * core_cell_ridge.array()).matrix();
}

double Penalty::of(const Tucker& model) const {
  const Eigen::Map<const Vector> core(model.core.values().data(), core_cell_ridge.size());
  double total = of_core().dot(core.cwiseAbs2());
  for (std::size_t mode = 0; mode < counts.size(); ++mode) {
    const Matrix& factor = model.factors[mode];
    total += row_ridge[mode] * factor.squaredNorm() +
             cell_ridge[mode].dot(factor.cwiseAbs2().transpose() * counts[mode]);
  }
  for (std::size_t mode = 0; mode < offset_ridge.size(); ++mode)
    total += offset_ridge[mode] * model.biases.offsets[mode].squaredNorm();
  return total;
}

namespace {

// Root mean square error, in the unit of the data; NaN if `cells` is null.
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

// The given ridges; zeros if they are to be learnt.
Penalty penalty_of(const CompletionProblem& problem, const std::vector<int>& ranks) {
  const SparseTensor& observed = problem.observed;
  const double ridge = problem.ridge.value_or(0), core_ridge = problem.ridge ? problem.core_ridge : 0;
  const bool per_cell = problem.per_cell;
  Penalty penalty;
  penalty.cells = static_cast<double>(observed.size());
  penalty.row_ridge.assign(ranks.size(), per_cell ? 0 : ridge);
  penalty.core_ridge = per_cell ? 0 : core_ridge;
  const auto size = std::accumulate(ranks.begin(), ranks.end(), Eigen::Index{1}, std::multiplies<>());
  penalty.core_cell_ridge = Vector::Constant(size, per_cell ? core_ridge : 0);
  for (int mode = 0; mode < observed.order(); ++mode) {
    penalty.cell_ridge.push_back(Vector::Constant(ranks[mode], per_cell ? ridge : 0));
    penalty.counts.push_back(cells_by_position(observed, mode));
  }
  return penalty;
}

class Completion {
 public:
  Completion(const CompletionProblem& problem, CompletionSteps& steps)
      : problem_(problem),
        steps_(steps),
        ranks_(usable_ranks(problem.ranks, problem.observed.shape())),
        standard_(standard_of(problem.observed, problem.biases)),
        penalty_(penalty_of(problem, ranks_)),
        fit_{Tucker{DenseTensor(core_shape(ranks_)), {}, {}}, standard_.scale} {
    if (problem.scale > 0) fit_.scale = standard_.scale = problem.scale;
    if (problem.biases) {
      OffsetPrior prior = estimate_offsets(problem.observed, fit_.scale);
      fit_.model.biases = std::move(prior.start);
      penalty_.offset_ridge = std::move(prior.ridge);
    }
    draw_start(problem.control.seed);
  }

  Fit<Tucker> run(Convergence convergence) {
    std::optional<Evidence> evidence;
    if (!problem_.ridge) evidence = explore();
    RelativeChange change(steps_.look_back());
    ScaledTucker best = fit_;
    bool more = true;
    for (int number = 0; more; ++number) {
      steps_.pass(number, false, penalty_, fit_);
      if (!evidence && !problem_.some_held) balance(penalty_, fit_.model);
      const double squares = steps_.squares(fit_);
      const double objective = squares + penalty_.of(fit_.model);
      if (evidence) evidence->learn(squares, fit_.model, penalty_);
      more = convergence.record(objective, change(evidence ? std::sqrt(evidence->noise()) : objective),
                                rmse(fit_, problem_.validation));
      if (convergence.improved()) best = fit_;
    }
    return std::move(convergence).finish((problem_.validation ? best : fit_).unscaled());
  }

 private:
  // Sets the initial core and factors.
  void draw_start(std::uint64_t seed) {
    const SparseTensor& observed = problem_.observed;
    Tucker& model = fit_.model;
    if (problem_.from) return start_from(*problem_.from);
    if (problem_.start == Start::random) {
      start_at_random(model, observed.shape(), ranks_, seed);
    } else {
      start_from_spectrum(model, observed, standard_.level, standard_.scale, ranks_, seed);
    }
    if (standard_.constant) std::ranges::fill(model.core.values(), 0);
    for (int mode = 0; mode < observed.order(); ++mode)
      for (Eigen::Index row = 0; row < penalty_.counts[mode].size(); ++row)
        if (penalty_.counts[mode][row] == 0) model.factors[mode].row(row).setZero();
  }

  void start_from(const Tucker& model) {
    fit_.model.core = model.core;
    for (double& value : fit_.model.core.values()) value /= fit_.scale;
    fit_.model.factors = model.factors;
    fit_.model.biases.global = model.biases.global / fit_.scale;
    for (std::size_t mode = 0; mode < model.biases.offsets.size(); ++mode)
      fit_.model.biases.offsets[mode] = model.biases.offsets[mode] / fit_.scale;
  }

  // From a random start the model explains nothing, and learning would conclude that there is nothing to
  // explain. So in the first passes rows and core count as known exactly. Small data get several starts; the
  // one with the least expected error on new cells is continued.
  //
  // The number of passes was chosen as for CP: see LearntRidge in cp/complete_als.cpp.
  Evidence explore() {
    const Penalty none = penalty_;
    const int rank = *std::ranges::max_element(ranks_);
    std::optional<Explored> best;
    const int starts = problem_.from ? 1 : starts_to_try(problem_.observed, rank);
    for (int draw = 0; draw < starts; ++draw) {
      if (draw > 0) draw_start(problem_.control.seed + static_cast<std::uint64_t>(draw));
      Explored now{fit_, none, Evidence(none), 0};
      double squares = none.cells;
      for (int number = 0; number <= steps_.exploring_passes(); ++number) {
        if (number > 0) {
          steps_.pass(number - 1, true, now.penalty, now.fit);
          squares = steps_.squares(now.fit);
        }
        now.evidence.explore(squares, now.fit.model, now.penalty);
      }
      now.score = expected_square(squares, now.evidence.freedom(now.fit.model, now.penalty), none.cells);
      if (!best || now.score < best->score) best = std::move(now);
    }
    fit_ = std::move(best->fit);
    penalty_ = std::move(best->penalty);
    return std::move(best->evidence);
  }

  struct Explored {
    ScaledTucker fit;
    Penalty penalty;
    Evidence evidence;
    double score;
  };

  const CompletionProblem& problem_;
  CompletionSteps& steps_;
  std::vector<int> ranks_;
  StandardUnits standard_;
  Penalty penalty_;
  ScaledTucker fit_;
};

}  // namespace

Fit<Tucker> run_completion(const CompletionProblem& problem, CompletionSteps& steps) {
  Convergence convergence(problem.control, problem.patience);
  check(problem);
  return Completion(problem, steps).run(std::move(convergence));
}

}  // namespace tulle
