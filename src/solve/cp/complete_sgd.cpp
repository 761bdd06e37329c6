#include "../observed.hpp"
#include "../schedule.hpp"
#include "completion.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/lanes.hpp>
#include <tulle/base/multiarch.hpp>
#include <tulle/base/random.hpp>
#include <tulle/solve/cp/complete_sgd.hpp>
#include <tulle/tensor/strata.hpp>

#include <bit>
#include <cmath>

namespace tulle {
namespace {

// The state of a row besides its elements.
struct Side {
  double offset = 0;
  double gradient = 1;  // sum of squared gradients so far; the step of the row is divided by its root
};

// The arguments of a kernel.
struct Work {
  std::array<double*, kMaxOrder> rows;
  std::array<Side*, kMaxOrder> sides;
  std::array<const double*, kMaxOrder> pull;  // towards zero, per cell, of each column
  std::size_t stride;
  double level, inverse_scale, inverse_rank;
  float step;
  bool biases;
};

constexpr int kCellsAhead = 6;  // how many cells ahead rows are prefetched

// products[m] = product of all numbers except the m-th.
template <int N>
inline __attribute__((always_inline)) void products_without(const Lane* numbers, Lane* products) {
  Lane before = numbers[0];
  products[0] = Lane{} + 1.0;
  for (int m = 1; m < N; ++m) {
    products[m] = before;
    before *= numbers[m];
  }
  Lane after = numbers[N - 1];
  for (int m = N - 2; m >= 0; --m) {
    products[m] *= after;
    after *= numbers[m];
  }
}

// Visits every cell of a block once and returns the sum of squared errors, each taken before the visit.
// Lanes = 0: rows of any length.
template <int N, int Lanes>
inline __attribute__((always_inline)) double visit(const Work& work, std::span<const std::uint32_t> words) {
  double squares = 0;
  const std::size_t row_lanes = Lanes > 0 ? Lanes : work.stride / kLane;
  if (words.empty()) return 0;
  const std::uint32_t* const last = words.data() + words.size() - (N + 1);
  for (const std::uint32_t* word = words.data(); word <= last; word += N + 1) {
    const std::uint32_t* const later = word + std::min<std::ptrdiff_t>(kCellsAhead * (N + 1), last - word);
    for (int m = 0; m < N; ++m) {
      const double* const row = work.rows[m] + later[m] * row_lanes * kLane;
      for (std::size_t line = 0; line < row_lanes * kLane; line += 8) __builtin_prefetch(row + line, 1);
      __builtin_prefetch(work.sides[m] + later[m], 1);
    }
    LaneInMemory* rows[N];
    Side* sides[N];
    double error = (std::bit_cast<float>(word[N]) - work.level) * work.inverse_scale;
    for (int m = 0; m < N; ++m) {
      rows[m] = lanes(work.rows[m] + word[m] * row_lanes * kLane);
      sides[m] = work.sides[m] + word[m];
      error -= sides[m]->offset;
    }
    Lane prediction[2] = {}, lengths[N] = {};  // two partial sums, to hide the latency of additions
#pragma GCC unroll 8
    for (std::size_t l = 0; l < row_lanes; ++l) {
      Lane numbers[N], products[N];
      for (int m = 0; m < N; ++m) numbers[m] = rows[m][l];
      products_without<N>(numbers, products);
      prediction[l % 2] += numbers[0] * products[0];
      for (int m = 0; m < N; ++m) lengths[m] += products[m] * products[m];
    }
    prediction[0] += prediction[1];
    error -= prediction[0][0] + prediction[0][1];
    squares += error * error;
    double steps[N];
    for (int m = 0; m < N; ++m) {
      sides[m]->gradient += error * error * work.inverse_rank * (lengths[m][0] + lengths[m][1]);
      steps[m] = work.step / std::sqrt(static_cast<float>(sides[m]->gradient));  // single precision suffices
      if (work.biases) sides[m]->offset += steps[m] * error;
    }
#pragma GCC unroll 8
    for (std::size_t l = 0; l < row_lanes; ++l) {
      Lane numbers[N], products[N];
      for (int m = 0; m < N; ++m) numbers[m] = rows[m][l];
      products_without<N>(numbers, products);
      for (int m = 0; m < N; ++m)
        rows[m][l] = numbers[m] + steps[m] * (error * products[m] - lanes(work.pull[m])[l] * numbers[m]);
    }
  }
  return squares;
}

template <int N>
inline __attribute__((always_inline)) double visit_order(const Work& work,
                                                         std::span<const std::uint32_t> words) {
  if constexpr (N == 3) {  // the most common order has a kernel for each common rank
    if (work.stride == 4) return visit<N, 2>(work, words);
    if (work.stride == 8) return visit<N, 4>(work, words);
    if (work.stride == 16) return visit<N, 8>(work, words);
  }
  return visit<N, 0>(work, words);
}

TULLE_MULTIARCH double visit_block(const Work& work, int order, std::span<const std::uint32_t> words) {
  switch (order) {
    case 2:
      return visit_order<2>(work, words);
    case 3:
      return visit_order<3>(work, words);
    case 4:
      return visit_order<4>(work, words);
    case 5:
      return visit_order<5>(work, words);
    case 6:
      return visit_order<6>(work, words);
    case 7:
      return visit_order<7>(work, words);
    default:
      return visit_order<8>(work, words);
  }
}

// A model being fitted, in the numbering of the strata.
struct Trial {
  CompletionState state;
  std::vector<std::vector<Side>> sides;  // one per mode
  Prior prior;
  std::vector<Vector> spread;  // one per mode: mean variance of each column over the cells
  std::vector<Panel> pull;  // one per mode: the ridge that the spread of the other modes amounts to, per cell
};

// Sums over the rows of a mode that have cells: fold(row, count, sums) adds a row's terms to the sums.
template <class Fold>
Vector sum_over_rows(const std::vector<std::uint32_t>& counts, Eigen::Index size, const Fold& fold) {
  constexpr std::size_t kChunk = 2048;
  std::vector<Vector> parts((counts.size() + kChunk - 1) / kChunk, Vector::Zero(size));
#pragma omp parallel for schedule(static) if (parts.size() > 1)
  for (std::size_t c = 0; c < parts.size(); ++c)
    for (std::size_t row = c * kChunk; row < std::min((c + 1) * kChunk, counts.size()); ++row)
      if (counts[row] > 0) fold(row, counts[row], parts[c]);
  Vector sum = Vector::Zero(size);
  for (const Vector& part : parts) sum += part;
  return sum;
}

class CompletionSgd {
 public:
  static constexpr std::size_t kCellsPerBlock = 1024;

  CompletionSgd(const SparseTensor& observed, const CpCompletionSgdOptions& options)
      : options_(options),
        strata_(observed, kCellsPerBlock, Strata::Numbering::by_part),
        cells_(static_cast<double>(observed.size())) {}

  const Strata& strata() const { return strata_; }

  // Takes a state in the numbering of the data.
  Trial begin(CompletionState state) const {
    Trial trial;
    for (int mode = 0; mode < state.order(); ++mode) {
      Panel moved(state.factors[mode].rows(), options_.rank);
      for (std::size_t i = 0; i < moved.rows(); ++i)
        std::copy_n(state.factors[mode].row(i), options_.rank, moved.row(strata_.new_positions(mode)[i]));
      state.factors[mode] = std::move(moved);
      trial.sides.emplace_back(state.factors[mode].rows());
      trial.spread.push_back(Vector::Zero(options_.rank));
      trial.pull.emplace_back(1, options_.rank);
    }
    trial.state = std::move(state);
    return trial;
  }

  // Visits every cell once; returns the mean of the squared errors, each taken before the visit.
  double epoch(int number, double step, Trial& trial) {
    const Work work = work_on(trial, step);
    const std::size_t parts = strata_.parts();
    const auto nothing = [](std::size_t) {};
    std::vector<double> squares(strata_.count() * parts);
    strata_.visit(
        Random(options_.control.seed, static_cast<std::uint64_t>(number) + 1).bits(), nothing,
        [&](std::size_t stratum, std::size_t part, std::span<const std::uint32_t> words) {
          squares[stratum * parts + part] = visit_block(work, strata_.order(), words);
        },
        nothing);
    shrink(step, trial);
    return std::accumulate(squares.begin(), squares.end(), 0.0) / cells_;
  }

  // The effective number of parameters under the prior, as if each were fitted alone.
  double freedom(const Trial& trial) const {
    const auto squares = mean_squares(trial);
    double sum = 0;
    for (int mode = 0; mode < strata_.order(); ++mode) {
      const Vector curvature = curvature_of(mode, squares, trial.spread);
      const Vector ridge = trial.prior.ridge(mode);
      sum += sum_over_rows(strata_.counts(mode), 1, [&](std::size_t, double count, Vector& total) {
        for (Eigen::Index k = 0; k < curvature.size(); ++k)
          total[0] += count * curvature[k] / (count * curvature[k] + ridge[k]);
      })[0];
    }
    return sum;
  }

  // Approximates LearntRidge of complete_als.cpp: the sum of h^2 over the cells of a row is taken to be their
  // number times the mean of h^2 over all cells, and h to be a product of independent variables.
  void learn(double mean_square, Trial& trial) const {
    const int order = strata_.order(), rank = options_.rank;
    const auto squares = mean_squares(trial);
    const std::vector<Vector> certain(order, Vector::Zero(rank));
    Prior& prior = trial.prior;
    prior.noise =
        mean_square + (product_of(order, squares, trial.spread) - product_of(order, squares, certain)).sum();
    for (int mode = 0; mode < order; ++mode) {
      const Vector curvature = curvature_of(mode, squares, trial.spread);
      const Vector pull = curvature.head(rank) - product_of(mode, squares, certain);
      std::copy_n(pull.data(), rank, trial.pull[mode].data());
      const Vector ridge = prior.ridge(mode);
      // The moments of the columns and of the offsets, the variances by cells, the number of rows.
      const Vector sums = sum_over_rows(
          strata_.counts(mode), 2 * (rank + 1) + 1, [&](std::size_t row, double count, Vector& sum) {
            const double* const numbers = trial.state.factors[mode].row(row);
            for (int k = 0; k <= rank; ++k) {
              const double number =
                  k < rank ? numbers[k] : trial.state.offsets[mode][static_cast<Eigen::Index>(row)];
              const double variance = prior.noise / (ridge[k] + count * curvature[k]);
              sum[k] += number * number + variance;
              sum[rank + 1 + k] += count * variance;
            }
            ++sum[2 * (rank + 1)];
          });
      prior.variances[mode] = (sums.head(rank + 1) / sums[2 * (rank + 1)]).cwiseMax(1e-12);
      trial.spread[mode] = sums.segment(rank + 1, rank) / cells_;
    }
  }

 private:
  Work work_on(Trial& trial, double step) const {
    Work work{};
    for (int mode = 0; mode < strata_.order(); ++mode) {
      work.rows[mode] = trial.state.factors[mode].data();
      work.sides[mode] = trial.sides[mode].data();
      work.pull[mode] = trial.pull[mode].data();
    }
    work.inverse_rank = 1.0 / options_.rank;
    work.stride = static_cast<std::size_t>(trial.state.factors[0].stride());
    work.level = trial.state.level;
    work.inverse_scale = 1 / trial.state.scale;
    work.step = static_cast<float>(step);
    work.biases = trial.state.biases;
    return work;
  }

  // The ridge on a row enters the objective once, not once per cell: it is applied after the epoch, by an
  // implicit step, so that no ridge is too large. Then the offsets are copied to the state.
  void shrink(double step, Trial& trial) const {
    for (int mode = 0; mode < strata_.order(); ++mode) {
      const Vector ridge = trial.prior.ridge(mode);
      Panel& factor = trial.state.factors[mode];
#pragma omp parallel for schedule(static) if (factor.rows() > 4096)
      for (std::size_t row = 0; row < factor.rows(); ++row) {
        Side& side = trial.sides[mode][row];
        const double rate = step / std::sqrt(side.gradient);
        for (int r = 0; r < options_.rank; ++r) factor.row(row)[r] /= 1 + rate * ridge[r];
        side.offset /= 1 + rate * ridge[options_.rank];
        trial.state.offsets[mode][static_cast<Eigen::Index>(row)] = side.offset;
      }
    }
  }

  // The mean square of every column of every mode, over the cells.
  std::vector<Vector> mean_squares(const Trial& trial) const {
    std::vector<Vector> result;
    for (int mode = 0; mode < strata_.order(); ++mode)
      result.push_back(sum_over_rows(strata_.counts(mode), options_.rank,
                                     [&](std::size_t row, double count, Vector& sum) {
                                       const double* const numbers = trial.state.factors[mode].row(row);
                                       for (int r = 0; r < options_.rank; ++r)
                                         sum[r] += count * numbers[r] * numbers[r];
                                     }) /
                       cells_);
    return result;
  }

  // The product of mean square plus spread over all modes except one (left_out = order: over all modes).
  Vector product_of(int left_out, const std::vector<Vector>& squares,
                    const std::vector<Vector>& spread) const {
    Vector product = Vector::Ones(options_.rank);
    for (int mode = 0; mode < strata_.order(); ++mode)
      if (mode != left_out) product.array() *= (squares[mode] + spread[mode]).array();
    return product;
  }

  // The average addition of a cell to the diagonal of the normal equations of a row and its offset.
  Vector curvature_of(int mode, const std::vector<Vector>& squares, const std::vector<Vector>& spread) const {
    Vector result(options_.rank + 1);
    result << product_of(mode, squares, spread), 1;
    return result;
  }

  const CpCompletionSgdOptions& options_;
  Strata strata_;
  double cells_;
};

// As in complete_als.cpp, and chosen on the same data, as were the defaults of the step and the decay.
constexpr int kExploringEpochs = 16;
constexpr double kExploringPrecisions[] = {8, 2};

// Runs the first epochs with a ridge of the noise times a fixed precision, for a few precisions.
void explore(CompletionSgd& sgd, const StepSchedule& steps, const Trial& start, double cells,
             double& best_score, Trial& best) {
  for (double precision : kExploringPrecisions) {
    Trial trial = start;
    trial.prior = weak_prior(start.state, precision);
    double mean_square = 1;
    for (int number = 0; number < kExploringEpochs; ++number)
      trial.prior.noise = mean_square = sgd.epoch(number, steps.open(number), trial);
    const double score = expected_square(mean_square * cells, sgd.freedom(trial), cells);
    if (score >= best_score) continue;
    best_score = score;
    best = std::move(trial);
  }
}

// Restores the numbering of the data.
void renumber(const Strata& strata, Cp& model) {
  for (int mode = 0; mode < strata.order(); ++mode) {
    const auto& places = strata.new_positions(mode);
    model.factors[mode] = Matrix(model.factors[mode](places, Eigen::all));
    if (!model.biases.offsets.empty())
      model.biases.offsets[mode] = Vector(model.biases.offsets[mode](places));
  }
}

}  // namespace

Fit<Cp> complete_cp_sgd(const SparseTensor& observed, const CpCompletionSgdOptions& options) {
  const StepSchedule steps(options.step, options.decay, options.control.max_iterations);
  CompletionState state =
      begin_completion(observed, options.validation, options.rank, options.ridge.value_or(0), options.biases,
                       options.start, options.control.seed);
  CompletionSgd sgd(observed, options);
  std::optional<SparseTensor> validation;
  if (options.validation != nullptr) {
    const auto values = options.validation->values();
    validation.emplace(sgd.strata().renumbered(options.validation->cells()),
                       std::vector<float>(values.begin(), values.end()), Unlisted::missing);
  }
  CompletionProgress progress(options.patience, options.control, RelativeChange(kStochasticLookBack));
  const auto cells = static_cast<double>(observed.size());
  Trial trial;
  if (options.ridge) {
    trial = sgd.begin(state);
    trial.prior = fixed_prior(state, *options.ridge);
  } else {
    double score = std::numeric_limits<double>::infinity();
    for (int start = 0; start < starts_to_try(observed, options.rank); ++start) {
      if (start > 0) draw_start(observed, options.start, options.control.seed + start, state);
      explore(sgd, steps, sgd.begin(state), cells, score, trial);
    }
  }
  double error = 0;
  int number = 0;
  do {
    const double mean_square = sgd.epoch(number, steps.at(number), trial);
    ++number;
    if (!options.ridge) sgd.learn(mean_square, trial);
    error = trial.state.scale * std::sqrt(mean_square);
    if (!std::isfinite(error))
      fail("completion: the steps grow without bound; give a smaller step than {}", options.step);
  } while (progress.record(error, error, trial.state.rmse(validation ? &*validation : nullptr),
                           [&]() -> const CompletionState& { return trial.state; }));
  Fit<Cp> fit = progress.finish(trial.state);
  renumber(sgd.strata(), fit.model);
  return fit;
}

}  // namespace tulle
