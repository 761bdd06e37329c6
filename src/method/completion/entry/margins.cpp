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
#include "margins.hpp"

#include "estimate/fit_released.hpp"
#include "margin_sums.hpp"
#include "one_shot.hpp"
#include "staged_release.hpp"

#include <tulle/base/error.hpp>

namespace tulle {
namespace {

constexpr double kPilotShare = 0.2;   // of epsilon, to estimate whether pairs of positions have effects
constexpr double kPilotPays = 0.035;  // the error of one-shot below which this is worth it
constexpr double kEntriesAddToPairs = 0.0125;  // .. and below which entries add to what pairs say

// At most the rank that was asked for: fitted to what a larger model says of the cells.
Model within_rank(const Cp& model, const PrivateRequest& request) {
  if (request.fit.ranks.empty() || model.rank() <= request.fit.ranks.front()) return model;
  const std::vector<double> predicted = model.predict(request.data.positions());
  const SparseTensor cells(request.data.positions(), {predicted.begin(), predicted.end()}, Unlisted::missing);
  return fit_released(cells, request.fit).model;
}

// All noise is pure, so later releases may be chosen by what came before.
Completion complete_margins(const PrivateRequest& request, Curator& curator) {
  const Cells& cells = request.data.positions();
  if (!MarginSums::suit(cells))
    fail_usage(
        "method margins needs 3 modes or more, each with at least {} cells for every pair of its positions "
        "and those of another; take one-shot or als",
        MarginSums::kCellsOfAPair);
  check_released_fit(request.fit);
  double left = curator.plan({{.loss = Loss::pure, .in_parts = true}}).front();
  MarginSums margins(request);
  const auto release = [&](double epsilon) {
    margins.release(epsilon, curator);
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

  const Cp estimated = margins.model();
  Completion completion{.model = estimated, .solver = "margins", .converged = true};
  if (left > 0) completion = complete_in_stages(request, left, curator, &estimated).value();
  completion.model = within_rank(std::get<Cp>(completion.model), request);
  completion.remarks.insert(
      completion.remarks.begin(),
      fmt::format("Released sums over every position and over pairs of positions, which give {} component{}.",
                  estimated.rank(), estimated.rank() == 1 ? "" : "s"));
  return completion;
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
          .sound = complete_margins};
}

}  // namespace tulle
