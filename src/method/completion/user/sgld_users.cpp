// DP-CMF and DP-CTF (ermis2020, algorithms 1 and 2) made sound: stochastic gradient Langevin dynamics whose
// noise is, for a part, that of DP-SGD.
//
// Unit, relation:  user (named mode), add-remove, joint: what leaves a site is protected (the thesis'
//                  site-level). Public: shape without the number of users, range, options.
// Releases:        1. (count_and_mean.cpp) the number of users: sensitivity 1; that of cells, at most m per
//                  user: m; the sum of values in half widths: m, and 2 steps. 2. per step, over a Poisson
//                  sample of the users, the sum of gradients of all shared factors, clipped together to C
//                  after rounding to the grid (tensor/kernels/clipped_gradients.hpp): a user adds C at most
//                  in L2. One plan for all.
// Not released:    users' rows. A row is fitted anew from the user's own cells and what was released: a user
//                  who is not in the sample of a step is in no way in its sum. (The published form keeps
//                  rows from step to step, and there she is.)
// After that free: Langevin noise beyond that of the releases, the prior's precisions, means of samples.
// Cost:            O(sampled cells x rank) per step, and O(parameters).
// Audit:           exact and statistical, in one place and over sites: src/audit/sites.
#include "completion/user/sgld_users.hpp"

#include "estimate/descent.hpp"
#include "estimate/langevin.hpp"
#include "model_request.hpp"
#include "release/count_and_mean.hpp"
#include "release/user_gradients.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr double kClipError = 0.3;      // in errors of standardised values, as for method gradient
constexpr double kSlow = 0.1;           // of a step: below, some 40 of them do not reach the posterior
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

}  // namespace

Completion sgld_for_users(const PrivateRequest& request, Curator& curator) {
  if (request.settings.get(setting::sgld_rule))
    fail_usage("sgld-rule is for the published form; the sound one is calibrated by an accountant");
  curator.set_joint();
  const SgldPlan plan(request.settings);
  const ModelLayout layout = layout_of(request, "dp-sgld");
  const Stage first{.share = kShareOfFirst, .count = CountAndMeanRelease::releases(request)};
  const std::vector<double> noise =
      curator.plan({first,
                    {.share = (1 - kShareOfFirst * static_cast<double>(first.count)) / plan.steps,
                     .count = static_cast<std::uint64_t>(plan.steps),
                     .sampling = plan.sampler.sampling()}});
  const CountAndMean known = CountAndMeanRelease(request, noise[0], plan.entries_per_user).release(curator);
  const Standard standard{known.mean, request.data.range().width() / 2};
  const Descent start(layout, request.terms.user_mode, request.fit.seed);
  const double clip = sgld_clip(request, known, start), ridge = start.user_ridge();
  const ClippedSteps steps(plan.sampler, noise[1], {}, request.terms.unit, request.relation);
  const UserGradients gradients(request, layout, standard);
  Langevin chain(layout, request.terms.user_mode, start.numbers(), plan.steps, request.fit.seed);
  for (int step = 1; step <= plan.steps; ++step) {
    const Noisy sum = gradients.release(steps, curator, chain.parameters(), ridge, clip);
    chain.step({sum.values, sum.deviation, known.cells, plan.sampler.sampling().rate()},
               plan.learning_rate / std::cbrt(step));
    if (!std::ranges::all_of(chain.parameters(), [](double number) { return std::isfinite(number); }))
      fail("the steps grow without bound; give a smaller learning rate");
  }
  const std::vector<double> mean = chain.mean();
  Completion completion{.model = to_model(layout, mean, standard.level, standard.scale),
                        .solver = "sgld",
                        .with_user_rows = gradients.with_own_rows(mean, ridge, standard),
                        .remarks = {fmt::format(
                            "{} steps on Poisson samples at rate {:g}, noise {:.4g} times the clipping norm; "
                            "the last step was {:.3g} of what it would be without that noise.",
                            plan.steps, plan.sampler.sampling().rate(), noise[1], chain.shortened())}};
  if (chain.shortened() < kSlow)
    completion.remarks.emplace_back(
        "The noise leaves steps so short that the samples are still near their random start: method als "
        "makes "
        "more of this budget.");
  return completion;
}

}  // namespace tulle
