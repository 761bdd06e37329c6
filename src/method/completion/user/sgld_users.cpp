// DP-CMF and DP-CTF (ermis2020, algorithms 1 and 2) made sound: stochastic gradient Langevin dynamics whose
// noise is, for a part, that of DP-SGD.
//
// Unit, relation:  user (named mode), add-remove, joint: what leaves a site is protected (the thesis'
//                  site-level). Public: shape without the number of users, range, options; relations that
//                  have no users (data/coupling.hpp), which cost nothing.
// Releases:        1. (count_and_mean.cpp) the number of users: sensitivity 1; that of cells, at most m per
//                  user: m; the sum of values in half widths: m, and 2 steps. With R relations of the users
//                  the last two are vectors, of which a user adds m in L1 at most, and 2 R steps. 2. per
//                  step, over a Poisson sample of the users, the sum of gradients of all shared factors, of
//                  her cells in all relations, clipped together to C after rounding to the grid
//                  (tensor/kernels/clipped_gradients.hpp): a user adds C at most in L2. One plan for all.
//                  Rows of local entities, of each site's own, are among the shared factors here: a user
//                  has gradients of those of her sites alone.
// Not released:    users' rows. With protection shared, a fit of a site's local rows to its own data, which
//                  is for that site alone (not joint: other users of the site are not protected against).
//                  A row is fitted anew from the user's own cells and what was released: a user
//                  who is not in the sample of a step is in no way in its sum. (The published form keeps
//                  rows from step to step, and there she is.)
// After that free: Langevin noise beyond that of the releases, the prior's precisions, means of samples, and
//                  all that public tables add: where the chain starts, and a part of every step.
// Cost:            O(sampled cells x rank) per step, and O(parameters).
// Audit:           exact and statistical, in one place and over sites: src/audit/sites.
#include "completion/user/sgld_users.hpp"

#include "estimate/descent.hpp"
#include "estimate/langevin.hpp"
#include "estimate/public_tables.hpp"
#include "model_request.hpp"
#include "release/count_and_mean.hpp"
#include "release/user_gradients.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr double kClipError = 0.3;  // in errors of standardised values, as for method gradient
constexpr double kSlow = 0.1;       // of a step: below, some 40 of them do not reach the posterior
constexpr int kWarmUpSteps = 100;   // on public tables; each goes half of the way to the mode, at most
constexpr double kWarmUpRate = 0.5;
constexpr double kShareOfFirst = 0.01;  // of the budget, as mu^2, for each number before the steps

struct SgldPlan {
  int steps;
  PoissonSampler sampler;
  double learning_rate;
  int entries_per_user;

  explicit SgldPlan(const Settings& given)
      : steps(given.get(setting::steps).value_or(SgldDefaults::kSteps)),
        sampler(given.get(setting::sampling_rate).value_or(SgldDefaults::kRate)),
        learning_rate(given.get(setting::learning_rate).value_or(SgldDefaults::kLearningRate)),
        entries_per_user(given.get(setting::entries_per_user).value_or(SgldDefaults::kEntriesPerUser)) {}
};

// As long as the gradient of as many typical cells as a user has with a moderate error.
double sgld_clip(const PrivateRequest& request, const CountAndMean& first, const Descent& start) {
  if (const auto given = request.settings.get(setting::clip)) return *given;
  return kClipError * std::sqrt(std::max(1.0, first.cells / first.users)) * start.gradient_length();
}

std::vector<Standard> standards_of(const PrivateRequest& request, const CountAndMean& known) {
  std::vector<Standard> standards;
  for (const CountAndMean::OfRelation& relation : known.relations)
    standards.push_back({relation.mean, request.data.range().width() / 2});
  return standards;
}

PublicTables public_tables(const PrivateRequest& request, const ModelLayout& entities) {
  static const std::vector<PublicTable> kNone;
  return {request.fit.coupling ? request.fit.coupling->tables : kNone, entities};
}

PublicTables::Slope slope_of(const PublicTables& tables, const Langevin& chain) {
  return tables.empty() ? PublicTables::Slope{} : tables.at(chain.parameters());
}

// Moves from the random start to the factors that public tables alone suggest.
void warm_up(Langevin& chain, const PublicTables& tables) {
  if (tables.empty()) return;
  for (int step = 0; step < kWarmUpSteps; ++step) chain.warm_up(slope_of(tables, chain), kWarmUpRate);
}

// Whether users of a site get only releases, apart from their own rows.
bool protects_all(const PrivateRequest& request) {
  const bool all = request.settings.get(setting::protection).value_or(Protection::all) == Protection::all;
  if (!all && (!request.fit.coupling || request.fit.coupling->local.empty()))
    fail_usage(
        "protection shared is about factors of each site's own, and there is no local entity; omit it");
  return all;
}

void check_finite(const Langevin& chain) {
  if (!std::ranges::all_of(chain.parameters(), [](double number) { return std::isfinite(number); }))
    fail("the steps grow without bound; give a smaller learning rate");
}

std::vector<std::string> remarks_of(const SgldPlan& plan, double noise, const Langevin& chain,
                                    bool has_tables, bool all_protected) {
  std::vector<std::string> remarks = {
      fmt::format("{} steps on Poisson samples at rate {:g}, noise multiplier {:.4g}; "
                  "the last step was {:.3g} of what it would be without that noise.",
                  plan.steps, plan.sampler.sampling().rate(), noise, chain.shortened())};
  if (chain.shortened() < kSlow)
    remarks.push_back(fmt::format(
        "The noise leaves steps so short that the samples are still near their {}: method als makes more of "
        "this budget.",
        has_tables ? "start, which public tables have chosen" : "random start"));
  if (!all_protected)
    remarks.push_back(
        "A site's own model, and what it predicts, has factors fitted to the site's data without noise: they "
        "are outside the guarantee, and users of one site are not protected against each other there.");
  return remarks;
}

}  // namespace

Completion sgld_for_users(const PrivateRequest& request, Curator& curator) {
  const bool all_protected = protects_all(request);
  if (all_protected) curator.set_joint();
  const SgldPlan plan(request.settings);
  const CoupledLayout layout(layout_of(request), request.fit.coupling.get());
  const Stage first{.share = kShareOfFirst, .count = CountAndMeanRelease::releases(request)};
  const std::vector<double> noise =
      curator.plan({first,
                    {.share = (1 - kShareOfFirst * static_cast<double>(first.count)) / plan.steps,
                     .count = static_cast<std::uint64_t>(plan.steps),
                     .sampling = plan.sampler.sampling()}});
  const CountAndMean known = CountAndMeanRelease(request, noise[0], plan.entries_per_user).release(curator);
  const std::vector<Standard> standards = standards_of(request, known);
  const int users = request.terms.user_mode;
  const Descent start(layout.entities(), users, request.fit.seed);
  const double clip = sgld_clip(request, known, start), ridge = start.user_ridge();
  const ClippedSteps steps(plan.sampler, noise[1], {}, request.terms.unit, request.relation);
  const UserGradients gradients(request, layout, standards);
  const PublicTables tables = public_tables(request, layout.entities());
  std::vector<double> cells;
  for (const CountAndMean::OfRelation& relation : known.relations) cells.push_back(relation.cells);
  Langevin chain(layout.entities(), users, layout.relations(), start.numbers(), plan.steps, request.fit.seed);
  warm_up(chain, tables);
  for (int step = 1; step <= plan.steps; ++step) {
    const Noisy sum = gradients.release(steps, curator, chain.parameters(), ridge, clip);
    chain.step({sum.values, sum.deviation, cells, plan.sampler.sampling().rate()},
               plan.learning_rate / std::cbrt(step), slope_of(tables, chain));
    check_finite(chain);
  }
  const std::vector<double> mean = chain.mean();
  return {.model = layout.model(layout.tensor(), layout.to_tensor(mean), standards),
          .solver = "sgld",
          .with_user_rows = all_protected
                                ? gradients.with_own_rows(mean, ridge)
                                : gradients.with_local_rows(mean, ridge, request.fit.coupling->local),
          .remarks = remarks_of(plan, noise[1], chain, !tables.empty(), all_protected)};
}

}  // namespace tulle
