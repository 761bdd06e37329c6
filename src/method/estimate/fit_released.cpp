#include "fit_released.hpp"

#include "completion/fit_checks.hpp"
#include "mean_of.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/data/split.hpp>
#include <tulle/solve/offsets.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <span>

namespace tulle {
namespace {

constexpr int kFolds = 4;

// Standard errors by which a richer model has to be better. Leaving the mean takes more, since a fit should
// not be worse than the mean: folds share cells, which makes the standard error too small, and there are
// several candidates. (At 1, a 60x60x60 tensor at epsilon 0.1 came out 2.5 times worse than its mean.) A
// useful signal exceeds this by far.
constexpr double kToLeaveTheMean = 3, kToGoOn = 1;

// How candidates are compared.
struct Rules {
  double to_leave_the_mean = kToLeaveTheMean, to_go_on = kToGoOn;
  int quick_folds = kFolds;  // of which a quick search holds out one
  bool observed = false;     // cells that bear no noise of a release
};

// Cells without noise of a release: the least error is taken, by however little. Data may have heavy tails,
// whose standard errors would hide what a richer model explains. Ranks between those of the first search and
// the other solver are tried too, and predictions are compared within the range of the cells. Of many cells
// an eighth is enough to compare on; a fit that lacks a quarter of them favours ranks that are too small.
constexpr Rules kLeastError{0, 0, 8, true};

constexpr std::size_t kPlenty = 300'000;     // number of cells from which on one fold is enough
constexpr std::size_t kQuickFrom = 100'000;  // the same where they bear no noise
constexpr int kMostRank = 32;                // where the user sets no limit
constexpr int kPatience = 2;                 // ranks without a gain before the search ends
constexpr int kStarts = 3;                   // of the final fit; some starts end in poor local minima

struct Candidate {
  int rank = 0;  // of every mode, cut down to its limit
  bool offsets = false;
  std::optional<double> ridge;
  std::optional<Solver> solver;  // empty: the one that was asked for, or the solvers' default
};

// The outcome of a candidate.
struct Trial {
  std::vector<double> errors;          // squared, on the cells that were held out
  std::shared_ptr<const Model> model;  // as fitted without the first part of them
};

SparseTensor less(const SparseTensor& cells, const std::vector<double>& predictions) {
  SparseTensor rest = cells;
  for (std::size_t entry = 0; entry < rest.size(); ++entry)
    rest.values()[entry] = static_cast<float>(rest.values()[entry] - predictions[entry]);
  return rest;
}

// A model of nothing but biases.
Model without_factors(ModelKind kind, const Shape& shape, Biases biases) {
  Cp model{Vector(), {}, std::move(biases)};
  for (Index size : shape.dimensions()) model.factors.push_back(Matrix::Zero(size, 0));
  if (kind == ModelKind::cp) return model;
  return tucker_of(model);
}

Model without_biases(Model model) {
  std::visit(
      [&](auto& kind) {
        if constexpr (requires { kind.biases; }) kind.biases = {};
      },
      model);
  return model;
}

void add_level(Model& model, double level) {
  std::visit(
      [&](auto& kind) {
        if constexpr (requires { kind.biases; }) kind.biases.global += level;
      },
      model);
}

// Runs independent fits to `cells` cells each. They run in parallel if a fit is too small to be shared by
// threads. With larger fits, which take different times, threads would wait for the longest.
void run_fits(std::size_t count, std::size_t cells, const std::function<void(std::size_t)>& fit) {
  constexpr std::size_t kFew = 200'000;
  if (cells < kFew) return run_side_by_side(count, fit);
  for (std::size_t i = 0; i < count; ++i) fit(i);
}

class Estimator {
 public:
  Estimator(const SparseTensor& cells, const FitOptions& options, Care care)
      : cells_(cells), options_(options), starts_(care == Care::quick ? 1 : kStarts) {}

  int limit() const {
    return options_.ranks.empty() ? kMostRank
                                  : *std::max_element(options_.ranks.begin(), options_.ranks.end());
  }

  Completion fit(const SparseTensor& cells, const Candidate& candidate, const FitOptions& how) const {
    if (candidate.rank > 0) return fit_factors(cells, candidate, how);
    Biases biases;
    if (candidate.offsets)
      biases = estimate_offsets(cells, 1).start;
    else
      biases.global = mean_of(cells.values());
    return {.model = without_factors(options_.model, cells.shape(), std::move(biases)),
            .solver = "mean",
            .converged = true};
  }

  // How the folds are fitted. In noise a spectral start finds the signal more often than a random one.
  FitOptions for_folds(std::uint64_t seed) const {
    FitOptions options = options_;
    options.observer = {};
    options.seed = seed;
    if (!options.start) options.start = Start::spectral;
    return options;
  }

  // From the model that was fitted to a part of the cells and did well on the others: another start may end
  // in a worse local minimum, which the error on the cells does not show. Stochastic gradients have no warm
  // start, and are run as they were on that part.
  Completion fit_from(const Candidate& candidate, const Trial& trial) const {
    FitOptions how = for_folds(options_.seed);
    how.observer = options_.observer;
    if (!by_sgd(candidate)) how.from = trial.model;
    return fit(cells_, candidate, how);
  }

  bool by_sgd(const Candidate& candidate) const {
    return (candidate.solver ? candidate.solver : options_.solver) == Solver::sgd;
  }

  // A quick fit starts from the model of the search.
  Completion last_fit(const Candidate& candidate, const Trial& trial) const {
    return starts_ == 1 && candidate.rank > 0 ? fit_from(candidate, trial) : final_fit(candidate);
  }

  // Fits from the best of a few starts, by the error on the cells. If noise dominates that error, it hardly
  // changes while the model still does, so the last fit runs longer than solvers do by default.
  Completion final_fit(const Candidate& candidate) const {
    FitOptions how = candidate.rank > 0 ? best_start(candidate) : options_;
    how.observer = options_.observer;
    if (!how.tolerance) how.tolerance = 1e-7;
    if (!how.max_iterations) how.max_iterations = 200;
    return fit(cells_, candidate, how);
  }

 private:
  FitOptions best_start(const Candidate& candidate) const {
    std::vector<FitOptions> starts(static_cast<std::size_t>(starts_));
    std::vector<double> errors(starts.size());
    run_fits(starts.size(), cells_.size(), [&](std::size_t start) {
      starts[start] = for_folds(options_.seed + start);
      if (start > 0 && !options_.start) starts[start].start = Start::random;
      errors[start] = fit(cells_, candidate, starts[start]).history.back().objective;
    });
    return starts[static_cast<std::size_t>(std::ranges::min_element(errors) - errors.begin())];
  }

  Completion fit_factors(const SparseTensor& cells, const Candidate& candidate, FitOptions how) const {
    how.biases = candidate.offsets;
    how.ridge = candidate.ridge;
    how.ranks = how.from ? std::vector<int>() : ranks_of(candidate.rank);
    if (candidate.solver) how.solver = candidate.solver;
    if (candidate.offsets) return complete_plainly({.data = cells, .fit = how});
    const double level = mean_of(cells.values());
    if (how.from) how.from = std::make_shared<const Model>(without_biases(*how.from));
    Completion completion =
        complete_plainly({.data = less(cells, std::vector(cells.size(), level)), .fit = how});
    add_level(completion.model, level);
    return completion;
  }

  std::vector<int> ranks_of(int rank) const {
    if (options_.model == ModelKind::cp) return {rank};
    std::vector<int> ranks(static_cast<std::size_t>(cells_.order()), rank);
    for (std::size_t mode = 0; mode < ranks.size() && options_.ranks.size() > 1; ++mode)
      ranks[mode] = std::clamp(rank, 1, std::max(options_.ranks.at(mode), 1));
    return ranks;
  }

  const SparseTensor& cells_;
  const FitOptions& options_;
  int starts_;
};

// Squared errors on held-out cells, the same cells for every candidate.
class CrossValidation {
 public:
  CrossValidation(const SparseTensor& cells, const Estimator& estimator, std::uint64_t seed, Care care,
                  Rules rules)
      : estimator_(estimator), seed_(seed) {
    const auto wanted = static_cast<std::size_t>(care == Care::quick ? rules.quick_folds : kFolds);
    const int folds = static_cast<int>(std::min(cells.size(), wanted));
    if (folds < 2) return;  // one cell
    const Folds parts = k_folds(cells.size(), folds, seed);
    const bool one = care == Care::quick || cells.size() >= kPlenty;
    for (int held_out = 0; held_out < (one ? 1 : folds); ++held_out)
      splits_.push_back(fold(cells, parts, held_out));
    if (!rules.observed) return;
    const auto [low, high] = std::ranges::minmax(cells.values());
    low_ = low;
    high_ = high;
  }

  bool possible() const { return !splits_.empty(); }

  // One trial per candidate.
  std::vector<Trial> trials(std::span<const Candidate> candidates) const {
    std::vector<Trial> parts(candidates.size() * splits_.size());
    run_fits(parts.size(), splits_.front().train.size(), [&](std::size_t part) {
      parts[part] = trial_of_split(candidates[part / splits_.size()], part % splits_.size());
    });
    std::vector<Trial> all(candidates.size());
    for (std::size_t part = 0; part < parts.size(); ++part) {
      Trial& trial = all[part / splits_.size()];
      trial.errors.insert(trial.errors.end(), parts[part].errors.begin(), parts[part].errors.end());
      if (!trial.model) trial.model = std::move(parts[part].model);
    }
    return all;
  }

 private:
  Trial trial_of_split(const Candidate& candidate, std::size_t split) const {
    const auto& [train, test] = splits_[split];
    Model model = estimator_.fit(train, candidate, estimator_.for_folds(seed_ + split)).model;
    std::vector<double> squares = predict(model, test.cells());
    for (std::size_t entry = 0; entry < test.size(); ++entry)
      squares[entry] = std::pow(test.values()[entry] - std::clamp(squares[entry], low_, high_), 2);
    return {std::move(squares), std::make_shared<const Model>(std::move(model))};
  }

  const Estimator& estimator_;
  std::uint64_t seed_;
  std::vector<Split> splits_;
  // Predictions are clamped to these.
  double low_ = -std::numeric_limits<double>::infinity(), high_ = std::numeric_limits<double>::infinity();
};

// Whether the first errors are smaller by more than this many standard errors of the difference.
bool clearly_smaller(const std::vector<double>& errors, const std::vector<double>& than,
                     double standard_errors) {
  double sum = 0, squares = 0;
  for (std::size_t entry = 0; entry < errors.size(); ++entry) {
    const double difference = errors[entry] - than[entry];
    sum += difference;
    squares += difference * difference;
  }
  const auto count = static_cast<double>(errors.size());
  return sum < -standard_errors * std::sqrt(std::max(squares - sum * sum / count, 0.0));
}

double root_mean(const std::vector<double>& squares) {
  return std::sqrt(std::accumulate(squares.begin(), squares.end(), 0.0) /
                   static_cast<double>(squares.size()));
}

class Search {
 public:
  Search(const CrossValidation& validation, const FitOptions& options, int limit, Rules rules)
      : validation_(validation), options_(options), limit_(limit), rules_(rules) {}

  void run() {
    const Candidate offsets{.offsets = true};
    std::vector<Trial> trials = validation_.trials(std::array{best_, offsets});
    best_trial_ = std::move(trials[0]);
    mean_error_ = root_mean(best_trial_.errors);
    judge(offsets, std::move(trials[1]));
    climb({.rank = 1, .offsets = true, .ridge = options_.ridge});
    if (rules_.observed) refine();
    if (best_.rank > 0)
      try_out({best_.rank, false,
               options_.ridge});  // learnt offsets that are none cost little, so once is enough
    else
      climb({.rank = 1, .ridge = options_.ridge});
    if (options_.model == ModelKind::tucker && best_.rank > 0 && !options_.ridge) stiffen();
    if (rules_.observed && options_.model == ModelKind::cp && best_.rank > 0 && !options_.solver)
      climb({best_.rank, true, options_.ridge, Solver::sgd});
  }

  const Candidate& best() const { return best_; }
  const Trial& best_trial() const { return best_trial_; }
  double mean_error() const { return mean_error_; }

 private:
  bool try_out(const Candidate& candidate) {
    return judge(candidate, std::move(validation_.trials(std::span(&candidate, 1))[0]));
  }

  bool judge(const Candidate& candidate, Trial trial) {
    const bool leaves_the_mean = best_.rank == 0 && !best_.offsets;
    const double margin = leaves_the_mean ? rules_.to_leave_the_mean : rules_.to_go_on;
    if (!clearly_smaller(trial.errors, best_trial_.errors, margin)) return false;
    best_ = candidate;
    best_trial_ = std::move(trial);
    return true;
  }

  // Tries ranks 1, 2, 3, 4, 6, 9, 13, .. After a gain the next two are tried in any case, so they are fitted
  // together.
  void climb(Candidate next) {
    int without_gain = 0;
    while (next.rank <= limit_ && without_gain < kPatience) {
      std::vector<Candidate> candidates;
      for (int i = without_gain; i < kPatience && next.rank <= limit_; ++i, next.rank = rank_after(next.rank))
        candidates.push_back(next);
      std::vector<Trial> trials = validation_.trials(candidates);
      for (std::size_t i = 0; i < candidates.size(); ++i)
        without_gain = judge(candidates[i], std::move(trials[i])) ? 0 : without_gain + 1;
    }
  }

  static int rank_after(int rank) { return rank + std::max(1, rank / 2); }

  // The ranks half-way to the next ones that were tried, below and above, until those are near.
  void refine() {
    int below = best_.rank, above = rank_after(best_.rank);
    for (int rank = 1; rank < best_.rank; rank = rank_after(rank)) below = rank;
    const auto far = [&](int rank) { return std::abs(rank - best_.rank) > std::max(1, best_.rank / 4); };
    while (far(below) || far(above)) {
      const int middle = best_.rank, lower = (below + middle) / 2, upper = (middle + above) / 2;
      std::vector<Candidate> candidates;
      if (far(below)) candidates.push_back({lower, best_.offsets, options_.ridge});
      if (far(above) && upper <= limit_) candidates.push_back({upper, best_.offsets, options_.ridge});
      std::vector<Trial> trials = validation_.trials(candidates);
      for (std::size_t i = 0; i < candidates.size(); ++i) judge(candidates[i], std::move(trials[i]));
      below = best_.rank > middle ? middle : best_.rank < middle ? below : lower;
      above = best_.rank < middle ? middle : best_.rank > middle ? above : upper;
    }
  }

  // Cp learns its ridges. For tucker, tries stronger ones, which noisier cells need.
  void stiffen() {
    for (double ridge : {0.05, 0.12, 0.3})
      if (!try_out({best_.rank, best_.offsets, ridge})) return;
  }

  const CrossValidation& validation_;
  const FitOptions& options_;
  int limit_;
  Rules rules_;
  Candidate best_;
  Trial best_trial_;
  double mean_error_ = 0;
};

// ---- One search, or two ----

struct Found {
  Candidate candidate;
  Trial trial;
  double mean_error;
};

// Empty if there are too few cells to hold some out.
std::optional<Found> search(const SparseTensor& cells, const Estimator& estimator, const FitOptions& options,
                            Care care, Rules rules = {}) {
  const CrossValidation validation(cells, estimator, options.seed, care, rules);
  if (!validation.possible()) return {};
  Search search(validation, options, estimator.limit(), rules);
  search.run();
  return Found{search.best(), search.best_trial(), search.mean_error()};
}

std::string describe(const Candidate& candidate) {
  if (candidate.rank == 0) return candidate.offsets ? "rank 0 with offsets" : "rank 0, the mean of the cells";
  return fmt::format("rank {} with{} offsets{}", candidate.rank, candidate.offsets ? "" : "out",
                     candidate.solver ? fmt::format(" by {}", name(*candidate.solver)) : "");
}

// The fit, with a remark of how it was chosen.
Completion chosen(Completion completion, const Found& found, std::string_view cells) {
  completion.remarks.push_back(
      fmt::format("Chose {} by cross-validation on the {} cells: error {:.4g} there, the mean {:.4g}.",
                  describe(found.candidate), cells, root_mean(found.trial.errors), found.mean_error));
  return completion;
}

}  // namespace

void check_released_fit(const FitOptions& options) {
  if (options.model == ModelKind::tubal)
    fail_usage("released cells are fitted with cp or tucker, not {}", name(options.model));
  check_solver(options, true);
}

Completion fit_released(const SparseTensor& cells, const FitOptions& options, Care care) {
  if (options.from) return complete_plainly({.data = cells, .fit = options});  // its rank is chosen already
  const Estimator estimator(cells, options, care);
  const std::optional<Found> found = search(cells, estimator, options, care);
  if (!found) return estimator.fit(cells, {}, options);
  return chosen(estimator.last_fit(found->candidate, found->trial), *found, "released");
}

Completion fit_observed(const SparseTensor& cells, const FitOptions& options) {
  const Care care = cells.size() < kQuickFrom ? Care::thorough : Care::quick;
  const Estimator estimator(cells, options, care);
  const std::optional<Found> found = search(cells, estimator, options, care, kLeastError);
  if (!found) return estimator.fit(cells, {}, options);
  const auto& [candidate, trial, mean_error] = *found;
  const bool as_in_the_search = candidate.rank > 0 && estimator.by_sgd(candidate);
  return chosen(
      as_in_the_search ? estimator.fit_from(candidate, trial) : estimator.last_fit(candidate, trial), *found,
      "observed");
}

}  // namespace tulle
