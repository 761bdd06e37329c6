// What a run would release and cost, without running it: nothing is charged, released or written.
#pragma once

#include <tulle/job/charging.hpp>
#include <tulle/privacy/curator.hpp>

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct RunPlan {
  std::string method;  // that would run, also where one was picked
  // What would be stated. Its releases follow from public facts: their number, noise and sensitivities are
  // those of the run, unless the method chooses later ones by the outcome of earlier ones.
  Guarantee guarantee;
  std::vector<std::string> owner_notes;  // about the data; private
  struct Account {
    LedgerStatement before;
    double fits_after = 0;  // the largest epsilon that one more run may have then
  };
  std::optional<Account> account;
};

// A run with the curator up to the end of its plan; answers are zeros, so nothing of the data is in it. An
// Error where the account could not be charged, as the run would end.
RunPlan rehearse(Curator curator, const Payment& payment, std::string method, const BeforeCharge& before,
                 std::vector<std::string> owner_notes, const std::function<void(Curator&)>& run);

// A UsageError for a method without privacy, which has nothing to plan.
void refuse_plan_of_plain(const Method& method);

nlohmann::ordered_json to_json(const RunPlan& plan);

}  // namespace tulle

#pragma GCC visibility pop
