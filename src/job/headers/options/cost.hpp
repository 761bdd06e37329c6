// The cost of releases, or the noise, number or rate that a target allows; uses no data.
#pragma once

#include <tulle/job/options/option_table.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tulle {

struct CostOptions {
  std::string mechanism, relation = "add-remove", find, plot;
  std::optional<double> sigma, epsilon_each, rate, epsilon, delta;
  std::optional<std::uint64_t> steps;
  std::vector<std::string> also;

  void declare(OptionTable& table);
};

nlohmann::ordered_json cost_of(const CostOptions& options);

}  // namespace tulle
