// What releases cost and what was spent, as JSON.
#include "options.hpp"
#include "verbs.hpp"

#include <tulle/base/json.hpp>
#include <tulle/job/budgeting.hpp>
#include <tulle/job/options/cost.hpp>
#include <tulle/job/options/privacy.hpp>

#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace tulle::python {
namespace {

std::string account(const nb::dict& values) {
  return with_options<CostOptions>(values,
                                   [](const CostOptions& options) { return json_text(cost_of(options)); });
}

std::string budget(const std::string& action, const std::string& ledger, const nb::dict& values) {
  BudgetingOptions options;
  options.ledger = ledger.empty() ? default_ledger() : ledger;
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
  return json_text(tulle::budget(action, options));
}

}  // namespace

void bind_budget(nb::module_& module) {
  module.def("account", account, nb::arg("values"));
  module.def("account_options", described_options<CostOptions>);
  module.def("default_ledger", default_ledger);
  module.def("budget", budget, nb::arg("action"), nb::arg("ledger"), nb::arg("values"));
}

}  // namespace tulle::python
