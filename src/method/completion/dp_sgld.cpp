#include "completion/user/sgld_users.hpp"
#include "crafted.hpp"
#include "methods.hpp"
#include "published/coupled_sgld.hpp"

#include <tulle/base/error.hpp>
#include <tulle/method/private_completion.hpp>

namespace tulle {
namespace {

// The only user with some item, among enough other users that noise divided by the number of cells is small.
CraftedTensor lone_item_or_none() {
  return {.canary = "a user with an item of her own, there or not",
          .neighbours = {Unit::user, Relation::add_remove},
          .data = cells_of({61, 2, 1},
                           [](auto cell, double secret) {
                             if (cell[0] < 60) return cell[1] == 0 ? 0.5 : kNoCell;
                             return cell[1] == 1 && secret >= 0.5 ? 1 : kNoCell;
                           }),
          .watched_first = 60,  // cells are sampled, and hers is the last
          .watched_second = 60};
}

std::vector<WorstCase> worst_of_dp_sgld() {
  const double delta = kCraftedDelta;
  const Settings published = Settings()
                                 .set(setting::sgld_rule, SgldRule::li_decreasing)
                                 .set(setting::steps, 3)
                                 .set(setting::sampling_rate, 1);
  const auto relations = two_relations();
  const Sites stated{.colluding = 1};
  return {
      {.data = user_or_none(), .delta = delta, .settings = short_steps(3), .trials = 20'000},
      {.data = user_or_none(),
       .delta = delta,
       .settings = short_steps(3).set(setting::sampling_rate, 0.5),
       .note = kSampled},
      {.data = lone_item_or_none(),
       .calibration = Calibration::published,
       .delta = delta,
       .settings = published},
      {.data = user_or_none(),
       .delta = delta,
       .settings = short_steps(2),
       .sites = 2,
       .stated = stated,
       .slow = true},
      {.data = user_in_two_relations(),
       .delta = delta,
       .settings = short_steps(2),
       .coupling = relations,
       .sites = 2,
       .stated = stated,
       .slow = true},
      {.data = user_in_two_relations(), .delta = delta, .settings = short_steps(2), .coupling = relations},
  };
}

}  // namespace

Method dp_sgld_method() {
  return {
      .name = "dp-sgld",
      .title = "samples of shared factors by noisy gradient steps; users' rows stay with the users",
      .source = "ermis2020, algorithms 1 and 2",
      .guarantee = "(epsilon, delta)-private, jointly, for a user",
      .details =
          "Model cp. Sound: stochastic gradient Langevin dynamics; each step sums clipped gradients of a "
          "Poisson sample of the users, each of whom fits her own row anew, and its Gaussian noise is a part "
          "of the Langevin noise. The model is the mean of the samples of the last half. Published: DP-CMF "
          "on matrices, DP-CTF on tensors, by batches of cells, with noise by one of six rules of the "
          "thesis; with protection all users' rows have that noise too.",
      .models = {ModelKind::cp},
      .protects = {{Unit::user, Relation::add_remove}},
      .settings =
          {takes(setting::steps, fmt::format("{}; published form: 100", SgldDefaults::kSteps), {.least = 1}),
           takes(setting::sampling_rate, fmt::format("{}; published form: 0.02", SgldDefaults::kRate),
                 {.above = 0, .most = 1}),
           takes(setting::clip, "follows from the start; published form: 2",
                 {.least = 1e-100, .most = 1e100}),
           takes(setting::learning_rate, fmt::format("{}; published form: 0.05", SgldDefaults::kLearningRate),
                 {.above = 0, .most = 1e6}),
           in_sound_form(takes(setting::entries_per_user, fmt::format("{}", SgldDefaults::kEntriesPerUser),
                               {.least = 1})),
           as_published(takes(setting::sgld_rule, "li-decreasing for a matrix, advanced for a tensor")),
           takes(setting::protection, "all; published form: shared")},
      .needs_delta = true,
      .reads = {FitOption::rank},
      .sound = sgld_for_users,
      .published = coupled_sgld_as_published,
      .why_unproven =
          "its noise is that for one cell, not for all of a user's, and users' rows, which follow the data, "
          "with protection shared even without noise, carry a cell into steps whose batch it is not in; "
          "rules li-decreasing and li-fixed lack a factor of the number of cells and of the root of the "
          "steps, and their constants are not given; zcdp is no bound under sampling; every factor with "
          "noise is given the whole budget; with protection all one norm clips the rows of all users",
      .no_refit = "each release is a gradient at the model that earlier ones made",
      .over_sites = OverSites::sums,
      .published_over_sites = OverSites::sums,
      .couples = true,
      .pairs = {.weight = 0.1},  // plans of steps; its releases are those of gradient
      .worst_cases = worst_of_dp_sgld()};
}

}  // namespace tulle
