// Sums over positions and pairs of positions, then entries (Tulle).
//
// Unit, relation:  entry, replace. Public: shape, positions, range, options. Pure epsilon.
// Releases:        (margin_sums.cpp) 1. sums over positions and pairs, in widths, each kind times its
//                  weight; the weights add up to 1: sensitivity 1 in L1, and the rounding stated there. 2.
//                  the sum of squared distances to what was estimated, each at most 1: sensitivity 1 + 2
//                  steps. Both once or twice; then, with what is left of epsilon, entries in stages as in
//                  one-shot.
// After that free: effects of low rank; which release comes next is chosen by earlier ones (pure epsilons
//                  add).
// Cost:            O(entries) per set of modes and round, and singular values of the largest pair.
#include "crafted.hpp"
#include "estimate/fit_released.hpp"
#include "estimate/released_entries.hpp"
#include "margin_sums.hpp"
#include "methods.hpp"
#include "one_shot.hpp"
#include "staged_release.hpp"

#include <tulle/base/error.hpp>
#include <tulle/method/private_completion.hpp>

namespace tulle {
namespace {

constexpr double kPilotShare = 0.2;   // of epsilon, to estimate whether pairs of positions have effects
constexpr double kPilotPays = 0.035;  // the error of one-shot below which this is worth it
constexpr double kEntriesAddToPairs = 0.0125;  // .. and below which entries add to what pairs say

// All noise is pure, so later releases may be chosen by what came before.
Measured measure_margins(const PrivateRequest& request, Curator& curator) {
  const Cells& cells = request.data.positions();
  if (!MarginSums::suit(cells))
    fail_usage(
        "method margins needs 3 modes or more, each with at least {} cells for every pair of its positions "
        "and those of another; take one-shot or als",
        MarginSums::kCellsOfAPair);
  double left = curator.plan({{.loss = Loss::pure, .in_parts = true}}).front();
  MarginSums margins(cells, request.data.range());
  Releases releases;
  const auto add = [&](Releases more) {
    releases.insert(releases.end(), std::move_iterator(more.begin()), std::move_iterator(more.end()));
  };
  const auto release = [&](double epsilon) {
    add(margins.release(request.data, epsilon, request.fit.block_size, curator));
    left -= epsilon;
  };
  const bool pilot_first = error_of_one_shot(cells, left) < kPilotPays &&
                           enough_for_stages(cells.size(), (1 - kPilotShare) * left);
  release(pilot_first ? kPilotShare * left : left);
  if (pilot_first && margins.found_pairs()) {
    const double half = left / 2;
    const bool entries_add =
        error_of_one_shot(cells, half) < kEntriesAddToPairs && enough_for_stages(cells.size(), half);
    release(entries_add ? half : left);
  }
  if (left > 0) {
    const Cp base = margins.model();
    add(measure_in_stages(request, left, curator, &base));
  }
  return releases;
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

Completion estimate_margins(const Measurement& measured, const FitOptions& fit) {
  if (!measured.positions) fail("releases of margins without public positions; they cannot be refitted");
  MarginSums margins(*measured.positions, {measured.low, measured.high});
  margins.take(measured);
  const Cp estimated = margins.model();
  Completion completion{.model = estimated, .solver = "margins", .converged = true};
  if (measured.has(kEntries)) completion = estimate_in_stages(measured, fit, &estimated);
  completion.model = within_rank(std::get<Cp>(completion.model), *measured.positions, fit);
  completion.remarks.insert(
      completion.remarks.begin(),
      fmt::format("Released sums over every position and over pairs of positions, which give {} component{}.",
                  estimated.rank(), estimated.rank() == 1 ? "" : "s"));
  return completion;
}

// Pairs of positions have enough cells for their sums to be released.
CraftedTensor value_in_plane() {
  return {.canary = "the value of one of 1600 cells",
          .data = cells_of({1, 40, 40},
                           [](auto cell, double secret) { return cell[1] + cell[2] == 0 ? secret : 0; }),
          .graded = true};
}

}  // namespace

Method margins_method() {
  return {.name = "margins",
          .title = "sums over positions and pairs of positions, then entries if budget is left",
          .source = "Tulle",
          .guarantee = "epsilon-private for one entry under replace; which cells are observed is public",
          .details =
              "A sum of many entries has the noise of one. For three modes or more, if pairs of positions "
              "have many cells each, sums over all positions and pairs are released, and effects of low rank "
              "are estimated from them, with singular values shrunk according to the known noise. If entries "
              "may be better, a fifth of epsilon is spent on pilot sums; if they show no effects of pairs, "
              "the rest goes to entries, released as in one-shot; if they do, half of the rest, or nothing. "
              "A delta is not used.",
          .models = {ModelKind::cp},
          .protects = {{Unit::entry, Relation::replace}},
          .reads = {FitOption::rank},
          .sound = MeasuredCompletion{check_margins, measure_margins, estimate_margins},
          .in_blocks = true,
          .pairs = {.weight = 0.05, .planes = 1, .in_portions = true},
          .worst_cases = {{.data = value_in_plane(), .trials = 3'000, .quick_trials = 300}}};
}

}  // namespace tulle
