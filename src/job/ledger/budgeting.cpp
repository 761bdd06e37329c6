#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/job/budgeting.hpp>
#include <tulle/job/data_fingerprint.hpp>
#include <tulle/job/spending.hpp>
#include <tulle/privacy/ledger/ledger.hpp>

#include <algorithm>
#include <map>

namespace tulle {
namespace {

Json create(const BudgetingOptions& options) {
  if ((unit_of(options.unit) == Unit::user) == options.mode.empty())
    fail_usage("@unit user and @mode MODE, the mode whose positions are the users, go together");
  const std::string fingerprint = fingerprint_of_data(options.data);
  if (fingerprint.empty() && !options.data.empty())
    fail_usage("@data: standard input or a pipe cannot be read again to compare it; give the file");
  Ledger::open_or_make(options.ledger)
      .create(
          {options.name, fingerprint, unit_of(options.unit), relation_of(options.relation), options.mode});
  Json report = {{"name", options.name}, {"created", true}, {"unit", options.unit}};
  if (!options.mode.empty()) report["mode"] = options.mode;
  report["relation"] = options.relation;
  return report;
}

Json grant(const BudgetingOptions& options) {
  Ledger ledger = Ledger::open(options.ledger);
  ledger.grant(options.name, {options.epsilon, options.delta}, options.note);
  const LedgerStatement statement = ledger.statement(options.name);
  return {{"name", options.name},
          {"granted", true},
          {"epsilon", statement.granted.epsilon},
          {"delta", statement.granted.delta}};
}

Json statement_json(const LedgerStatement& statement) {
  Json report;
  report["name"] = statement.account.name;
  report["unit"] = name(statement.account.unit);
  if (!statement.account.mode.empty()) report["mode"] = statement.account.mode;
  report["relation"] = name(statement.account.relation);
  report["epsilon"] = statement.granted.epsilon;
  report["delta"] = statement.granted.delta;
  report["spent"] = statement.spent;
  report["left"] = std::max(0.0, statement.granted.epsilon - statement.spent);
  report["fits"] = largest_epsilon(statement);
  report["head"] = statement.head;
  report["charges"] = Json::array();
  for (const LedgerCharge& charge : statement.charges) {
    report["charges"].push_back({{"number", charge.number},
                                 {"time", charge.time},
                                 {"what", charge.what},
                                 {"epsilon", epsilon_of(charge, statement)},
                                 {"status", charge.delivered ? "delivered" : "charged, not delivered"}});
    if (!charge.by.empty()) report["charges"].back()["by"] = charge.by;
    if (!charge.note.empty()) report["charges"].back()["note"] = charge.note;
  }
  return report;
}

std::vector<std::string> chosen_accounts(const Ledger& ledger, const std::string& name) {
  return name.empty() ? ledger.accounts() : std::vector{name};
}

// The statement of one data set, or a list of all.
Json show(const BudgetingOptions& options) {
  const Ledger ledger = Ledger::open(options.ledger);
  if (!options.name.empty()) return statement_json(ledger.statement(options.name));
  Json all = Json::array();
  for (const std::string& account : ledger.accounts())
    all.push_back(statement_json(ledger.statement(account)));
  return all;
}

// Epsilon of each charge, by the number of its row.
std::map<std::uint64_t, double> epsilons_of_charges(const Ledger& ledger, const std::string& name) {
  std::map<std::uint64_t, double> epsilons;
  for (const std::string& account : chosen_accounts(ledger, name)) {
    const LedgerStatement statement = ledger.statement(account);
    for (const LedgerCharge& charge : statement.charges)
      epsilons[charge.number] = epsilon_of(charge, statement);
  }
  return epsilons;
}

Json history(const BudgetingOptions& options) {
  const Ledger ledger = Ledger::open(options.ledger);
  const std::map<std::uint64_t, double> epsilons = epsilons_of_charges(ledger, options.name);
  Json all = Json::array();
  for (const LedgerRow& row : ledger.history(options.name)) {
    all.push_back({{"number", row.number},
                   {"time", row.time},
                   {"name", row.account},
                   {"kind", row.kind},
                   {"content", parse_json(row.content)},
                   {"hash", row.hash}});
    const auto epsilon = epsilons.find(row.number);
    if (epsilon != epsilons.end()) all.back()["epsilon"] = epsilon->second;
  }
  return all;
}

Json verify(const BudgetingOptions& options) {
  const std::uint64_t rows =
      Ledger::open(options.ledger).verify(options.head.empty() ? std::nullopt : std::optional(options.head));
  return {{"verified", true}, {"rows", rows}};
}

struct BudgetAction {
  std::string_view name;
  Json (*run)(const BudgetingOptions&);
};
constexpr BudgetAction kBudgetActions[] = {
    {"create", create}, {"grant", grant}, {"show", show}, {"history", history}, {"verify", verify}};

}  // namespace

Json budget(const std::string& action, const BudgetingOptions& options) {
  return std::ranges::find(kBudgetActions, action, &BudgetAction::name)->run(options);
}

}  // namespace tulle
