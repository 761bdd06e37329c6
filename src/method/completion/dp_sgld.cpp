#include "completion/dp_sgld.hpp"

#include "completion/user/sgld_users.hpp"
#include "published/coupled_sgld.hpp"

#include <tulle/base/error.hpp>

namespace tulle {

Method dp_sgld_method() {
  return {
      .name = "dp-sgld",
      .title = "samples of shared factors by noisy gradient steps; users' rows stay with the users",
      .source = "ermis2020, algorithms 1 and 2",
      .guarantee = "(epsilon, delta)-private, jointly, for a user",
      .details =
          "Model cp. Sound: stochastic gradient Langevin dynamics; each step sums clipped gradients of a "
          "Poisson "
          "sample of the users, each of whom fits her own row anew, and its Gaussian noise is a part of the "
          "Langevin noise. The model is the mean of the samples of the last half. Published: DP-CMF on "
          "matrices, "
          "DP-CTF on tensors, by batches of cells, with noise by one of six rules of the thesis; with "
          "protection all users' rows have that noise too.",
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
           takes(setting::entries_per_user, fmt::format("{}", SgldDefaults::kEntriesPerUser), {.least = 1}),
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
      .couples = true};
}

}  // namespace tulle
