// What releases cost and what was spent, as JSON.
#include "budget.hpp"

#include "account.hpp"
#include "privacy_options.hpp"
#include "verbs.hpp"
#include "words.hpp"

#include <tulle/base/json.hpp>

#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace tulle::python {
namespace {

std::string account(const Words& words) {
  return with_options<cli::AccountOptions>(
      "account", words, [](const cli::AccountOptions& options) { return json_text(cli::account(options)); });
}

std::string budget(const std::string& action, const std::string& ledger, const nb::dict& values) {
  cli::BudgetingOptions options;
  options.ledger = ledger.empty() ? cli::default_ledger() : ledger;
  for (const auto& [name, variable] : {std::pair{"name", &options.name},
                                       {"unit", &options.unit},
                                       {"relation", &options.relation},
                                       {"mode", &options.mode},
                                       {"note", &options.note},
                                       {"head", &options.head}})
    if (values.contains(name)) *variable = nb::cast<std::string>(values[name]);
  if (values.contains("data")) options.data = nb::cast<std::vector<std::string>>(values["data"]);
  for (const auto& [name, variable] : {std::pair{"epsilon", &options.epsilon}, {"delta", &options.delta}})
    if (values.contains(name)) *variable = nb::cast<double>(values[name]);
  return json_text(cli::budget(action, options));
}

}  // namespace

void bind_budget(nb::module_& module) {
  module.def("account", account, nb::arg("words"));
  module.def("account_options", described<cli::AccountOptions>);
  module.def("default_ledger", cli::default_ledger);
  module.def("budget", budget, nb::arg("action"), nb::arg("ledger"), nb::arg("values"));
}

}  // namespace tulle::python
