// What `tulle account` is asked for and answers, for the command and for programs that embed it.
#pragma once

#include "parser/verb.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tulle::cli {

struct AccountOptions {
  std::string mechanism, relation = "add-remove", find, plot;
  std::optional<double> sigma, epsilon_each, rate, epsilon, delta;
  std::optional<std::uint64_t> steps;
  std::vector<std::string> also;
  bool json = false;

  void declare(Verb& verb);
};

nlohmann::ordered_json account(const AccountOptions& options);

}  // namespace tulle::cli
