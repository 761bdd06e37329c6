// Requests to a ledger and its answers, for the command, Python and C++.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace tulle {

struct BudgetingOptions {
  std::string ledger, name, unit = "entry", relation = "replace", mode, note, head;
  std::vector<std::string> data;  // files
  double epsilon = 0, delta = 0;
};

// The action is create, grant, show, history or verify.
nlohmann::ordered_json budget(const std::string& action, const BudgetingOptions& options);

}  // namespace tulle
