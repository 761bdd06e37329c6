// Sums over a designed choice of margins, then entries (Tulle).
//
// Unit, relation:  entry, replace. Public: shape, positions, orders of modes, range, options. Pure epsilon.
//                  Lengths in widths.
// Releases:        1. the sum of all entries: sensitivity 1, as 4. 2. a histogram of distances from the level
//                  that this gives, sensitivity 2 in L1; from it follows a window of width 2 h. 3. for every
//                  table (mode, pair of modes, blocks) the sum over its groups of S^2 / n, S the sum of n
//                  entries clamped to the window, sensitivity 4 h^2 each, and the sum of squares, h^2.
//                  4. sums over positions, pairs of positions and blocks of cells (runs of positions of modes
//                  whose order is stated; an entry is in one) of entries clamped to a window of width 2 h
//                  about what is known, each table times its weight; weights add up to 1: sensitivity 2 h. A
//                  first part of these, then 2. again, then the rest. 5. with what is left of epsilon,
//                  entries in portions (staged_release.cpp). 2. and the first part of 4. only where entries
//                  are enough. Rounding is stated in margin_sums.cpp.
// After that free: how epsilon is divided over tables and entries: the division of least expected error
//                  (release_design.hpp), from public facts and earlier releases (pure epsilons add); effects
//                  shrunk by their known noise, a low rank of what entries add.
// Cost:            O(entries) per set of modes and round.
#include "crafted.hpp"
#include "estimate/fit_released.hpp"
#include "estimate/release_design.hpp"
#include "estimate/released_entries.hpp"
#include "margin_sums.hpp"
#include "methods.hpp"
#include "one_shot.hpp"
#include "release/residual_window.hpp"
#include "staged_release.hpp"

#include <tulle/base/error.hpp>

#include <numbers>
#include <numeric>
#include <utility>

namespace tulle {
namespace {

// What a release that only guides later ones costs: as much as makes it accurate, in deviations of a count of
// entries, within these shares of epsilon.
struct Cost {
  double enough, least, most;

  double share(double epsilon, double entries) const {
    return std::clamp(enough / (epsilon * entries), least, most);
  }
};
constexpr Cost kLevel{100, 0.005, 0.025}, kSquaresCost{300, 0.0125, 0.075}, kWindow{150, 0.01, 0.05};
constexpr const char* kDistances = "distances";  // id of a release
constexpr double kFewestCounts = 60;             // below which a window's histogram is not worth its cost
constexpr double kFirstSumsShare = 0.1;          // of epsilon, for the sums that the last window is about
constexpr double kNarrow = 0.75;                 // widths: a window that pays a release of its own
constexpr double kFewestCells = 0.02;            // of epsilon, for single entries
constexpr int kMainRounds = 6, kPairRounds = 5;
constexpr double kLeastWeight = 1e-3;  // of a table, that is worth a release

// Where modes have a stated order, blocks of so many cells that the noise on their means is what the design's
// prior expects effects to be, in the middle. Smoothing makes larger blocks of these where it pays.
double cells_of_a_block(double epsilon) {
  return std::numbers::sqrt2 / (epsilon * ReleaseDesign::middle_deviation());
}

// What was released, as it is estimated from.
struct Released {
  std::vector<const Release*> sums, portions;
};

// Effects from all sums and entries that were released.
MixedEffects effects_of(const Cells& cells, const Range& range, const std::vector<MarginTable>& tables,
                        const std::vector<ModeOrder>& orders, const Released& released) {
  MixedEffects effects(cells, tables, orders);
  for (const Release* sums : released.sums) take_margins(*sums, tables, effects);
  for (const Release* portion : released.portions)
    for (std::size_t i = 0; i < portion->values.size(); ++i)
      if (portion->clipped.empty() || !portion->clipped[i])
        effects.take_cell(portion->units.empty() ? i : portion->units[i],
                          (portion->values[i] - range.middle()) / range.width(),
                          std::pow(portion->typical / range.width(), 2));
  return effects;
}

// Effects, and a fit to what they leave of single entries.
struct Estimate {
  MixedEffects effects;
  std::optional<Completion> rest;
  Range range;

  std::vector<double> expected() const {
    std::vector<double> values = effects.expected();
    for (double& value : values) value = range.middle() + range.width() * value;
    return values;
  }

  std::vector<double> predicted(const Cells& cells) const {
    std::vector<double> values = expected();
    if (!rest) return values;
    const std::vector<double> more = predict(rest->model, cells);
    for (std::size_t cell = 0; cell < values.size(); ++cell) values[cell] += more[cell];
    return values;
  }

  Completion completion(const Cells& cells) const {
    const Cp model = effects.model(cells, range.middle(), range.width());
    if (!rest) return {.model = model, .solver = "margins", .converged = true};
    Completion all = *rest;
    all.model = sum(model, std::get<Cp>(rest->model));
    return all;
  }
};

Estimate estimate_all(const Cells& cells, const Range& range, const std::vector<MarginTable>& tables,
                      const std::vector<ModeOrder>& orders, const Released& released, const FitOptions& fit,
                      Care care) {
  MixedEffects effects = effects_of(cells, range, tables, orders, released);
  const bool smooth = care == Care::thorough;
  effects.fit(kMainRounds, 1, smooth);
  effects.match_noise_on_cells();
  effects.fit(kPairRounds, 2, smooth);
  Estimate estimate{std::move(effects), {}, range};
  if (!released.portions.empty())
    estimate.rest =
        fit_released(entries_worth_fitting(cells, released.portions, estimate.expected()), fit, care);
  return estimate;
}

class Measuring {
 public:
  Measuring(const PrivateRequest& request, Curator& curator)
      : request_(request),
        curator_(curator),
        cells_(request.data.positions()),
        count_(static_cast<double>(cells_.size())),
        epsilon_(curator.plan({{.loss = Loss::pure, .in_parts = true}}).front()),
        left_(epsilon_),
        tables_(margin_tables(cells_, Blocks(cells_, orders(), cells_of_a_block(epsilon_)))),
        known_(tables_.size()) {
    for (const MarginTable& table : tables_)
      low_rank_.push_back(!table.blocks() && may_have_low_rank(cells_, table.modes()));
  }

  Releases run() {
    release_level();
    const double for_window = cost(kWindow);
    const bool windows = for_window * count_ > kFewestCounts;
    if (windows) set_window(for_window);
    release_squares();
    if (windows) {
      release_sums(design(), kFirstSumsShare * epsilon_);
      set_window(for_window);
    }
    const Division division = design();
    Portioning portions = portioning(cells_.size(), left_);
    portions.epsilon = division.cells - portions.cost();
    release_sums(division, portions.epsilon > 0 ? left_ - division.cells : left_);
    if (portions.epsilon > 0) release_entries(portions);
    return std::move(releases_);
  }

 private:
  const Release& keep(Release release, double epsilon) {
    left_ -= epsilon;
    return releases_.emplace_back(std::move(release));
  }

  void release_level() {
    Division level{std::vector<double>(tables_.size())};
    level.tables[0] = cost(kLevel);
    release_sums(level, level.tables[0]);
    facts_.level_stddev = releases_.back().deviation / count_;
  }

  void release_squares() {
    const double epsilon = cost(kSquaresCost);
    const Release& squares =
        keep(tulle::release_squares(request_, tables_, std::clamp(effects_->level(), -0.5, 0.5), window_,
                                    epsilon, curator_),
             epsilon);
    facts_.scale = squares.deviation / std::numbers::sqrt2 / count_;
    for (const double square : squares.values) facts_.squares.push_back(square / count_);
  }

  // Of all sums so far.
  MixedEffects effects() const {
    MixedEffects effects = effects_of(cells_, request_.data.range(), tables_, orders(), {sums(), {}});
    effects.fit(kMainRounds, 1);
    effects.fit(kPairRounds, 2);
    return effects;
  }

  std::vector<const Release*> sums() const {
    std::vector<const Release*> sums;
    for (const Release& release : releases_)
      if (release.id == kMargins) sums.push_back(&release);
    return sums;
  }

  const std::vector<ModeOrder>& orders() const { return request_.fit.orders; }

  double cost(const Cost& cost) const { return cost.share(epsilon_, count_) * epsilon_; }

  void set_window(double epsilon) {
    const Range& range = request_.data.range();
    std::vector<double> about = effects_->expected();
    for (double& centre : about) centre = std::clamp(centre, -0.5, 0.5);
    std::vector<std::uint64_t> all(cells_.size());
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    const Noisy counts =
        ResidualWindow(request_, epsilon).distances(request_, curator_, all, [&](std::uint64_t cell) {
          return range.middle() + range.width() * about[cell];
        });
    keep(Release::of(kDistances, curator_, counts), epsilon);
    const TailWindow window = tail_window(counts, count_);
    facts_.left = window.mean_square;
    facts_.left_stddev = window.stddev;
    if (2 * window.half > std::min(kNarrow, window_)) return;
    window_ = 2 * window.half;
    about_ = std::move(about);
  }

  // How what is left of epsilon is best divided.
  Division design() {
    const Portioning portions = portioning(cells_.size(), left_);
    const bool windows = portions.window_epsilon > 0;
    ReleaseDesign design({.tables = tables_,
                          .shape = cells_.shape(),
                          .cells = count_,
                          .window = window_,
                          .batches = windows ? portions.portions.size() : 0,
                          .cost_of_windows = portions.cost(),
                          .low_rank = low_rank_,
                          .known = known_});
    design.draw(facts_);
    Division division = design.best(left_);
    if (division.cells - portions.cost() < kFewestCells * epsilon_) division.cells = 0;
    rest_ = design.rest();
    return division;
  }

  // Sums of the tables that the division has something for, in proportion.
  void release_sums(const Division& division, double epsilon) {
    std::vector<double> weights = division.tables;
    double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (total <= 1e-6 * epsilon_ || epsilon <= 0) return;
    for (double& weight : weights)
      if (weight < kLeastWeight * total) total -= std::exchange(weight, 0);
    const double most = facts_.squares.empty() ? 0.25 : std::max(facts_.squares[0], 0.0) + 3 * facts_.scale;
    MarginPlan plan{.weights = std::move(weights),
                    .window = window_,
                    .about = about_,
                    .rest = rest_,
                    .most_deviation = std::min(std::sqrt(most), 0.4)};
    for (double& weight : plan.weights) weight /= total * (1 + 0x1p-40);
    const Release& released = keep(release_margins(request_, tables_, plan, epsilon, curator_), epsilon);
    for (std::size_t t = 0; t < tables_.size(); ++t)
      if (plan.weights[t] > 0) known_[t] += std::pow(plan.weights[t] / released.deviation, 2);
    effects_.emplace(effects());
    facts_.effects = &*effects_;
  }

  void release_entries(const Portioning& portions) {
    Released released{sums(), {}};
    FitOptions between = request_.fit;
    between.observer = {};
    between.block_size = 0;
    Releases more = release_portions(
        request_, curator_, portions, window_,
        [&](const Allowance& allowance, const Bounds& bounds, std::uint64_t numbers) {
          return cell_noise(request_, allowance, bounds, Range{bounds.low, bounds.high}.width(), numbers);
        },
        [&](std::span<const Release* const> done) {
          released.portions.assign(done.begin(), done.end());
          return within_window(
              estimate_all(cells_, request_.data.range(), tables_, orders(), released, between, Care::quick)
                  .predicted(cells_));
        });
    releases_.insert(releases_.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
  }

  // Nearly all entries lie in the window that is known by now, so that a prediction outside of it is wrong: a
  // later window about it would cut off the entries that say so.
  std::vector<double> within_window(std::vector<double> predicted) const {
    const Range& range = request_.data.range();
    const double half = window_ / 2 * range.width();
    for (std::size_t cell = 0; cell < predicted.size(); ++cell) {
      const double centre = range.middle() + (about_.empty() ? 0 : about_[cell]) * range.width();
      predicted[cell] = std::clamp(predicted[cell], centre - half, centre + half);
    }
    return predicted;
  }

  const PrivateRequest& request_;
  Curator& curator_;
  const Cells& cells_;
  double count_, epsilon_, left_;
  std::vector<MarginTable> tables_;
  Releases releases_;
  std::optional<MixedEffects> effects_;  // of the sums so far
  VarianceFacts facts_;
  std::vector<bool> low_rank_;  // sought in a table's effects
  std::vector<double> known_;   // precision of the sums so far, by table
  double rest_ = 0.01;          // variance of a cell around all effects
  double window_ = 1;           // in widths
  std::vector<double> about_;   // what windows are about; empty: the middle
};

Measured measure_margins(const PrivateRequest& request, Curator& curator) {
  return Measuring(request, curator).run();
}

void check_margins(const FitOptions& fit, const Shape&, Relation) {
  check_released_fit(fit);
}

// At most the rank that was asked for: fitted to what a larger model says of the cells.
Model within_rank(const Cp& model, const Cells& positions, const FitOptions& fit) {
  if (fit.ranks.empty() || model.rank() <= fit.ranks.front()) return model;
  const std::vector<double> predicted = model.predict(positions);
  const SparseTensor cells(positions, {predicted.begin(), predicted.end()}, Unlisted::missing);
  return fit_released(cells, fit).model;
}

// Of releases that the estimate does not use: a file may hold others.
void check_size(const Measurement& measured, const char* id, std::size_t values) {
  for (const Release* release : measured.all(id))
    if (release->values.size() != values)
      fail("release '{}' has {} values, not {}", id, release->values.size(), values);
}

Completion estimate_margins(const Measurement& measured, const FitOptions& fit) {
  if (!measured.positions) fail("releases of margins without public positions; they cannot be refitted");
  const Cells& cells = *measured.positions;
  const std::vector<const Release*> sums = measured.all(kMargins);
  if (sums.empty()) fail("there is no release '{}'", kMargins);
  const std::vector<MarginTable> tables = margin_tables(cells, measured.orders, *sums.front());
  check_size(measured, kSquares, tables.size());
  check_size(measured, kDistances, kDistanceBins);
  const bool entries = measured.has(kEntries);
  if (entries) static_cast<void>(entries_worth_fitting(measured));
  Completion completion =
      estimate_all(cells, {measured.low, measured.high}, tables, measured.orders,
                   {sums, entries ? measured.all(kEntries) : std::vector<const Release*>()}, fit,
                   Care::thorough)
          .completion(cells);
  completion.model = within_rank(std::get<Cp>(completion.model), cells, fit);
  if (entries) completion.remarks.insert(completion.remarks.begin(), remark_on_stages(measured));
  return completion;
}

// A cell alone at its position of the first mode, and among many in sums over the others.
CraftedTensor value_in_plane() {
  return {.canary = "the value of one of 1600 cells",
          .data = cells_of({1, 40, 40},
                           [](auto cell, double secret) { return cell[1] + cell[2] == 0 ? secret : 0; }),
          .graded = true};
}

}  // namespace

Method margins_method() {
  return {
      .name = "margins",
      .title = "sums over positions and pairs of positions, and entries, by a design of least expected error",
      .source = "Tulle",
      .guarantee = "epsilon-private for one entry under replace; which cells are observed is public",
      .details =
          "A sum of many entries has the noise of one. The level of the entries and how much positions and "
          "pairs of positions differ are released first, for a few per cent of epsilon; from these and from "
          "public counts follows how epsilon is best divided over sums of all cells, of positions and of "
          "pairs of positions, and single entries. If there are enough entries, values are clamped to a "
          "window around what is known by then, which lets noise shrink with it. Effects are shrunk by what "
          "the sums say of their variance and by the known noise, smoothed along modes whose neighbouring "
          "positions are alike, and of modes that are stated to be ordered blocks of neighbouring positions "
          "are released too; single entries add a CP model chosen by cross-validation. A delta is not used.",
      .models = {ModelKind::cp},
      .protects = {{Unit::entry, Relation::replace}},
      .reads = {FitOption::rank, FitOption::ordered, FitOption::seed},
      .sound = MeasuredCompletion{check_margins, measure_margins, estimate_margins},
      .in_blocks = true,
      .pairs = {.weight = 0.05, .planes = 0.3, .in_portions = true},
      .worst_cases = {{.data = value_in_plane(), .trials = 3'000, .quick_trials = 100}}};
}

}  // namespace tulle
