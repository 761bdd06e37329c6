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
#include <numeric>
#include <span>

namespace tulle {
namespace {

constexpr int kFolds = 4;

// Standard errors by which a richer model has to be better. The promise is about the mean, so leaving it
// takes more: folds share cells, which makes the standard error too small, and there are several candidates.
// (At 1, a 60x60x60 tensor at epsilon 0.1 came out 2.5 times worse than its mean.) Signal that is worth
// having shows by far more.
constexpr double kToLeaveTheMean = 3, kToGoOn = 1;

// Cells without noise of a release: the least error is taken, by however little. Data may have heavy tails,
// whose standard errors would hide what a richer model explains.
struct Thresholds {
  double to_leave_the_mean = kToLeaveTheMean, to_go_on = kToGoOn;
};
constexpr Thresholds kLeastError{0, 0};

constexpr std::size_t kPlenty = 1'000'000;   // cells of which one fold says enough
constexpr std::size_t kQuickFrom = 100'000;  // the same where they bear no noise
constexpr int kMostRank = 32;                // where the user sets no limit
constexpr int kPatience = 2;                 // ranks without a gain before the search ends
constexpr int kStarts = 3;                   // of the final fit; some starts end in poor local minima

struct Candidate {
  int rank = 0;  // of every mode, cut down to its limit
  bool offsets = false;
  std::optional<double> ridge;
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

void add_level(Model& model, double level) {
  std::visit(
      [&](auto& kind) {
        if constexpr (requires { kind.biases; }) kind.biases.global += level;
      },
      model);
}

// Independent fits, of so many cells each. They run side by side where that keeps all threads busy, or where
// a fit is too small to be shared by threads.
void run_fits(std::size_t count, std::size_t cells, const std::function<void(std::size_t)>& fit) {
  constexpr std::size_t kFew = 200'000;
  if (count >= static_cast<std::size_t>(threads()) || cells < kFew) return run_side_by_side(count, fit);
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

  // From the best of a few starts, by the error on the cells. Where noise is most of that error it hardly
  // moves while the model still does, so the last fit goes on for longer than solvers do by default.
  Completion final_fit(const Candidate& candidate) const {
    FitOptions how = candidate.rank > 0 ? best_start(candidate) : options_;
    how.observer = options_.observer;
    if (!how.tolerance) how.tolerance = 1e-7;
    if (!how.max_iterations) how.max_iterations = 200;
    return fit(cells_, candidate, how);
  }

 private:
  FitOptions best_start(const Candidate& candidate) const {
    if (starts_ == 1) return for_folds(options_.seed);
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
    how.ranks = ranks_of(candidate.rank);
    if (candidate.offsets) return complete_plainly({.data = cells, .fit = how});
    const double level = mean_of(cells.values());
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
  CrossValidation(const SparseTensor& cells, const Estimator& estimator, std::uint64_t seed, Care care)
      : estimator_(estimator), seed_(seed) {
    const int folds = std::min<int>(kFolds, static_cast<int>(std::min<std::size_t>(cells.size(), kFolds)));
    if (folds < 2) return;  // one cell
    const Folds parts = k_folds(cells.size(), folds, seed);
    const bool one = care == Care::quick || cells.size() >= kPlenty;
    for (int held_out = 0; held_out < (one ? 1 : folds); ++held_out)
      splits_.push_back(fold(cells, parts, held_out));
  }

  bool possible() const { return !splits_.empty(); }

  // One vector per candidate.
  std::vector<std::vector<double>> errors(std::span<const Candidate> candidates) const {
    std::vector<std::vector<double>> parts(candidates.size() * splits_.size());
    run_fits(parts.size(), splits_.front().train.size(), [&](std::size_t part) {
      parts[part] = errors_of_split(candidates[part / splits_.size()], part % splits_.size());
    });
    std::vector<std::vector<double>> all(candidates.size());
    for (std::size_t part = 0; part < parts.size(); ++part) {
      std::vector<double>& errors = all[part / splits_.size()];
      errors.insert(errors.end(), parts[part].begin(), parts[part].end());
    }
    return all;
  }

 private:
  std::vector<double> errors_of_split(const Candidate& candidate, std::size_t split) const {
    const auto& [train, test] = splits_[split];
    const Model model = estimator_.fit(train, candidate, estimator_.for_folds(seed_ + split)).model;
    std::vector<double> squares = predict(model, test.cells());
    for (std::size_t entry = 0; entry < test.size(); ++entry)
      squares[entry] = std::pow(test.values()[entry] - squares[entry], 2);
    return squares;
  }

  const Estimator& estimator_;
  std::uint64_t seed_;
  std::vector<Split> splits_;
};

// Whether the first errors are smaller by more than so many standard errors of the difference.
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
  Search(const CrossValidation& validation, const FitOptions& options, int limit, Thresholds thresholds)
      : validation_(validation), options_(options), limit_(limit), thresholds_(thresholds) {}

  void run() {
    const Candidate offsets{0, true, {}};
    std::vector<std::vector<double>> errors = validation_.errors(std::array{best_, offsets});
    best_errors_ = std::move(errors[0]);
    mean_error_ = root_mean(best_errors_);
    judge(offsets, std::move(errors[1]));
    climb(true);
    if (best_.rank > 0)
      try_out({best_.rank, false,
               options_.ridge});  // learnt offsets that are none cost little, so once is enough
    else
      climb(false);
    if (options_.model == ModelKind::tucker && best_.rank > 0 && !options_.ridge) stiffen();
  }

  const Candidate& best() const { return best_; }
  const std::vector<double>& best_errors() const { return best_errors_; }
  double mean_error() const { return mean_error_; }

 private:
  bool try_out(const Candidate& candidate) {
    return judge(candidate, std::move(validation_.errors(std::span(&candidate, 1))[0]));
  }

  bool judge(const Candidate& candidate, std::vector<double> errors) {
    const bool leaves_the_mean = best_.rank == 0 && !best_.offsets;
    const double margin = leaves_the_mean ? thresholds_.to_leave_the_mean : thresholds_.to_go_on;
    if (!clearly_smaller(errors, best_errors_, margin)) return false;
    best_ = candidate;
    best_errors_ = std::move(errors);
    return true;
  }

  // Rank after rank: 1, 2, 3, 4, 6, 9, 13, .. As long as the last one gained, the next two are tried in any
  // case, so they are fitted together.
  void climb(bool offsets) {
    int without_gain = 0, rank = 1;
    while (rank <= limit_ && without_gain < kPatience) {
      std::vector<Candidate> candidates;
      for (int i = without_gain; i < kPatience && rank <= limit_; ++i, rank += std::max(1, rank / 2))
        candidates.push_back({rank, offsets, options_.ridge});
      std::vector<std::vector<double>> errors = validation_.errors(candidates);
      for (std::size_t i = 0; i < candidates.size(); ++i)
        without_gain = judge(candidates[i], std::move(errors[i])) ? 0 : without_gain + 1;
    }
  }

  // Cp learns its ridges; tucker is told: the noisier the cells, the stronger.
  void stiffen() {
    for (double ridge : {0.05, 0.12, 0.3})
      if (!try_out({best_.rank, best_.offsets, ridge})) return;
  }

  const CrossValidation& validation_;
  const FitOptions& options_;
  int limit_;
  Thresholds thresholds_;
  Candidate best_;
  std::vector<double> best_errors_;
  double mean_error_ = 0;
};

// ---- One search, or two ----

struct Found {
  Candidate candidate;
  std::vector<double> errors;
  double mean_error;
};

// Nothing where there are too few cells to hold some out.
std::optional<Found> search(const SparseTensor& cells, const Estimator& estimator, const FitOptions& options,
                            Care care, Thresholds thresholds = {}) {
  const CrossValidation validation(cells, estimator, options.seed, care);
  if (!validation.possible()) return {};
  Search search(validation, options, estimator.limit(), thresholds);
  search.run();
  return Found{search.best(), search.best_errors(), search.mean_error()};
}

std::string describe(const Candidate& candidate) {
  if (candidate.rank == 0) return candidate.offsets ? "rank 0 with offsets" : "rank 0, the mean of the cells";
  return fmt::format("rank {} with{} offsets", candidate.rank, candidate.offsets ? "" : "out");
}

Completion fit_chosen(const Estimator& estimator, const Found& found, std::string_view cells) {
  Completion completion = estimator.final_fit(found.candidate);
  completion.remarks.push_back(
      fmt::format("Chose {} by cross-validation on the {} cells: error {:.4g} there, the mean {:.4g}.",
                  describe(found.candidate), cells, root_mean(found.errors), found.mean_error));
  return completion;
}

// A fit of what `base` leaves of the cells, unless one of the cells themselves does better.
std::optional<Completion> fit_on_top(const Cp& base, const SparseTensor& cells, const FitOptions& options,
                                     Care care, const Found& without) {
  const SparseTensor rest = less(cells, base.predict(cells.cells()));
  const Estimator estimator(rest, options, care);
  const Found found = search(rest, estimator, options, care).value();
  if (clearly_smaller(without.errors, found.errors, kToGoOn)) return {};
  Completion completion = estimator.final_fit(found.candidate);
  completion.model = sum(base, std::get<Cp>(completion.model));
  completion.remarks.push_back(fmt::format(
      "Added {} by cross-validation on the released cells: error {:.4g} there, before {:.4g}, the "
      "mean {:.4g}.",
      describe(found.candidate), root_mean(found.errors), found.mean_error, without.mean_error));
  return completion;
}

}  // namespace

void check_released_fit(const FitOptions& options) {
  if (options.model == ModelKind::tubal)
    fail_usage("released cells are fitted with cp or tucker, not {}", name(options.model));
  check_solver(options, true);
}

Completion fit_released(const SparseTensor& cells, const FitOptions& options, Care care, const Cp* base) {
  if (options.from) return complete_plainly({.data = cells, .fit = options});  // its rank is chosen already
  const Estimator estimator(cells, options, care);
  const std::optional<Found> found = search(cells, estimator, options, care);
  if (!found) return estimator.fit(cells, {}, options);
  if (base)
    if (auto completion = fit_on_top(*base, cells, options, care, *found)) return *completion;
  return fit_chosen(estimator, *found, "released");
}

Completion fit_observed(const SparseTensor& cells, const FitOptions& options) {
  const Care care = cells.size() < kQuickFrom ? Care::thorough : Care::quick;
  const Estimator estimator(cells, options, care);
  const std::optional<Found> found = search(cells, estimator, options, care, kLeastError);
  if (!found) return estimator.fit(cells, {}, options);
  return fit_chosen(estimator, *found, "observed");
}

}  // namespace tulle
