// tulle account: the cost of releases, or the noise, number or rate that a target allows. Reads no data.
#include "options.hpp"
#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/job/options/cost.hpp>
#include <tulle/privacy/guarantee.hpp>

namespace tulle::cli {
namespace {

struct Account {
  CostOptions asked;
  bool json = false;
};

// Costs are rounded up.
std::string text_of(const std::string& key, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number_float()) return json_text(value);
  const bool cost = key == "epsilon" || key == "delta";
  return cost ? rounded_up(value.get<double>(), 7) : fmt::format("{:.7g}", value.get<double>());
}

void run(const Account& options) {
  const Json report = cost_of(options.asked);
  if (options.json) {
    fmt::print("{}\n", json_text(report, 2));
    return;
  }
  for (const auto& [key, value] : report.items()) fmt::print("{:<11}{}\n", key, text_of(key, value));
}

}  // namespace

void add_account(Verb& command) {
  auto options = std::make_shared<Account>();
  Verb verb = command.add_verb("account", "Compute what releases cost, or what a budget allows");
  verb.add_options([&](OptionTable& table) { options->asked.declare(table); }, {{"mechanism", "MECHANISM"}});
  declare_json(verb, options->json);
  verb.footer("Example:\n  tulle account gaussian --sigma 1.1 --rate 0.00427 --steps 14062 --delta 1e-5");
  verb.callback([options] { run(*options); });
}

}  // namespace tulle::cli
