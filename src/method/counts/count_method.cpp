#include "count_method.hpp"

#include "crafted.hpp"
#include "rows_of_users.hpp"

#include <utility>

namespace tulle {

Method count_method(Method described, bool with_delta) {
  described.job = Job::counts;
  described.source = "Tulle";
  described.guarantee = with_delta ? "epsilon-private, or (epsilon, delta)-private, " : "epsilon-private ";
  described.guarantee += "for one event under add-remove or replace, or for one user under add-remove";
  described.protects = {{{Unit::event, Relation::add_remove}},
                        {{Unit::event, Relation::replace}},
                        {{Unit::user, Relation::add_remove}}};
  described.settings = settings_of_rows();
  described.pairs.weight = 0.3;
  const std::pair<CraftedCounts, Settings> crafted[] = {{event_in_an_empty_cell(), {}},
                                                        {event_elsewhere(), {}},
                                                        {user_in_one_cell(), crafted_rows()},
                                                        {user_in_one_cell(), {}}};
  for (const auto& [data, settings] : crafted) {
    described.worst_cases.push_back({.data = data, .settings = settings});
    if (with_delta)
      described.worst_cases.push_back({.data = data, .delta = kCraftedDelta, .settings = settings});
  }
  return described;
}

}  // namespace tulle
