// Picks a method from public facts: the shape, the unit, the relation, the model, the budget and, unless the
// relation is add-remove, the positions. It releases nothing itself; the proofs are those of the method that
// it picks.
#include "als.hpp"
#include "completion/entry/one_shot.hpp"
#include "crafted.hpp"
#include "estimate/position_features.hpp"
#include "methods.hpp"

#include <tulle/base/error.hpp>
#include <tulle/method/private_completion.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

// If most cells of a table are empty, the observed ones show a pattern: who rated which film is a choice,
// which carries much information about users and films.
constexpr double kSparse = 0.1;

bool chosen_by_people(const Cells& cells) {
  double all = 1;
  for (const Index size : cells.shape().dimensions()) all *= size;
  return static_cast<double>(cells.size()) < kSparse * all && !position_features(cells, 1).empty();
}

MethodChoice choose_for_entries(const PrivateRequest& request) {
  const double delta = request.terms.budget.delta;
  if (request.relation == Relation::add_remove && request.fit.model == ModelKind::tubal)
    return {"input", "positions are private, and it has the tubal model"};
  if (request.relation == Relation::zero_out)
    return {"gradient", "it protects entries whose contribution vanishes"};
  if (request.relation == Relation::add_remove)
    return delta > 0 ? MethodChoice{"gradient",
                                    "positions are private, and its noise does not grow with the tensor"}
                     : MethodChoice{"input", "positions are private and there is no delta"};
  if (request.fit.model == ModelKind::tubal)
    return {"one-shot", "it has the tubal model, and all choices after it are free"};
  const Cells& cells = request.data.positions();
  if (!als_has_model(request.fit, request.data.shape()))
    return {"one-shot", "it has the tucker model, and all choices after it are free"};
  if (request.fit.model == ModelKind::cp && !chosen_by_people(cells))
    return {"margins", "it releases those sums or entries that are expected to leave the least error"};
  const double error = error_of_one_shot(cells, request.terms.budget.epsilon);
  if (error < kOneShotPays)
    return {"one-shot", fmt::format("noise on single entries averages out to {:.2g} of their range", error)};
  return {"als",
          fmt::format("noise on single entries would leave an error of {:.2g} of their range; sums bear less",
                      error)};
}

MethodChoice choose(const PrivateRequest& request) {
  if (request.terms.unit == Unit::entry) return choose_for_entries(request);
  if (request.fit.model == ModelKind::tubal) return {"input", "it has the tubal model for users"};
  if (request.relation == Relation::replace)
    return {"local", "positions are public, and a few entries of every user with little noise do best"};
  if (!als_has_model(request.fit, request.data.shape()) || request.relation == Relation::zero_out)
    return {"gradient", "it has this model and relation for users"};
  return {"als", "users' own rows stay with them, and sums over users bear little noise"};
}

}  // namespace

Method auto_method() {
  const std::vector<ModelKind> without_tubal{ModelKind::cp, ModelKind::tucker};
  return {.name = "auto",
          .title = "chooses a method from public facts",
          .source = "Tulle",
          .guarantee = "that of the method it chooses",
          .details =
              "Uses the shape, the number of cells if that is public, the unit, the relation, the model and "
              "the budget; never the values.",
          .models = {},
          .protects = {{Unit::entry, Relation::replace},
                       {{Unit::entry, Relation::zero_out}, {.needs_delta = true, .models = without_tubal}},
                       {Unit::entry, Relation::add_remove},
                       {{Unit::user, Relation::add_remove}, {.needs_delta = true, .models = without_tubal}},
                       {{Unit::user, Relation::zero_out}, {.needs_delta = true, .models = without_tubal}},
                       {{Unit::user, Relation::replace}, {.pairs = 0.4}}},
          .reads = {kAllFitOptions.begin(), kAllFitOptions.end()},
          .pick = choose,
          .in_blocks = true,
          .pairs = {.weight = 0.5, .planes = 0.02},
          .worst_cases = {
              {.data = lone_value(), .delta = kCraftedDelta, .quick_trials = 300},
              {.data = cell_or_none(), .delta = kCraftedDelta, .trials = 10'000, .quick_trials = 120},
              {.data = cell_or_none()},
              {.data = cell_or_blank(), .delta = kCraftedDelta, .trials = 10'000, .quick_trials = 120},
              {.data = one_rating_or_none(), .delta = kCraftedDelta, .trials = 20'000, .quick_trials = 200},
              {.data = user_or_blank(), .delta = kCraftedDelta, .trials = 10'000, .quick_trials = 120},
              {.data = values_of_user(), .trials = 1'000, .quick_trials = 100},
          }};
}

}  // namespace tulle
