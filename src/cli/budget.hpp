// What `tulle budget` is asked for and answers, for the command and for programs that embed it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace tulle::cli {

struct BudgetingOptions {
  std::string ledger, name, unit = "entry", relation = "replace", mode, note, head;
  std::vector<std::string> data;  // files
  double epsilon = 0, delta = 0;
  bool json = false;
};

// The action is create, grant, show, history or verify.
nlohmann::ordered_json budget(const std::string& action, const BudgetingOptions& options);

}  // namespace tulle::cli
