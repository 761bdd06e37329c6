// tulle budget: the ledger of what was granted and spent.
#include "budget.hpp"

#include "options.hpp"
#include "privacy_options.hpp"
#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/job/data_fingerprint.hpp>
#include <tulle/job/spending.hpp>
#include <tulle/privacy/ledger/ledger.hpp>

#include <map>

namespace tulle::cli {
namespace {

void print(const Json& report, bool json) {
  if (json) {
    fmt::print("{}\n", json_text(report, 2));
    return;
  }
  for (const auto& [key, value] : report.items())
    if (!value.is_array())
      fmt::print("{:<13}{}\n", key, value.is_string() ? value.get<std::string>() : json_text(value));
}

Json create(const BudgetingOptions& options) {
  if ((unit_of(options.unit) == Unit::user) == options.mode.empty())
    fail_usage("--unit user and --mode MODE, the mode whose positions are the users, go together");
  const std::string fingerprint = fingerprint_of_data(options.data);
  if (fingerprint.empty() && !options.data.empty())
    fail_usage("--data -: standard input cannot be read again to compare it; give the file");
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
  for (const LedgerCharge& charge : statement.charges)
    report["charges"].push_back({{"number", charge.number},
                                 {"time", charge.time},
                                 {"what", charge.what},
                                 {"epsilon", epsilon_of(charge, statement)},
                                 {"status", charge.delivered ? "delivered" : "charged, not delivered"}});
  return report;
}

std::vector<std::string> chosen_accounts(const Ledger& ledger, const std::string& name) {
  return name.empty() ? ledger.accounts() : std::vector{name};
}

// Of one data set, or a list of all.
Json show(const BudgetingOptions& options) {
  const Ledger ledger = Ledger::open(options.ledger);
  if (!options.name.empty()) return statement_json(ledger.statement(options.name));
  Json all = Json::array();
  for (const std::string& account : ledger.accounts())
    all.push_back(statement_json(ledger.statement(account)));
  return all;
}

void print_statement(const Json& report) {
  print(report, false);
  for (const Json& charge : report["charges"])
    fmt::print("  #{} {} epsilon {:.6g}, {} ({})\n", json_text(charge["number"]),
               charge["time"].get<std::string>(), charge["epsilon"].get<double>(),
               charge["what"].get<std::string>(), charge["status"].get<std::string>());
}

// By the numbers of their rows.
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

void print_row(const Json& row) {
  fmt::print("#{:<4} {} {:<8} {} ", row["number"].get<std::uint64_t>(), row["time"].get<std::string>(),
             row["kind"].get<std::string>(), row["name"].get<std::string>());
  if (row.contains("epsilon")) fmt::print("epsilon {:.6g} ", row["epsilon"].get<double>());
  fmt::print("{}\n", json_text(row["content"]));
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

void print_action(const std::string& action, const BudgetingOptions& options) {
  const Json report = budget(action, options);
  if (options.json) return print(report, true);
  if (action == "history") {
    for (const Json& row : report) print_row(row);
  } else if (action == "show") {
    for (const Json& each : report.is_array() ? report : Json::array({report})) print_statement(each);
  } else {
    print(report, false);
  }
}

Verb add_action(Verb& verb, const std::string& action, const std::string& description,
                const std::string& example, const std::shared_ptr<BudgetingOptions>& options) {
  Verb added = verb.add_verb(action, description);
  added.add_option("--ledger", options->ledger,
                   "A file, or postgresql://.. [$TULLE_LEDGER, else tulle-ledger.db]");
  declare_json(added, options->json);
  added.footer(fmt::format("Example:\n  tulle budget {} {}", action, example));
  added.callback([action, options] { print_action(action, *options); });
  return added;
}

}  // namespace

Json budget(const std::string& action, const BudgetingOptions& options) {
  return std::ranges::find(kBudgetActions, action, &BudgetAction::name)->run(options);
}

void add_budget(Verb& command) {
  auto options = std::make_shared<BudgetingOptions>();
  options->ledger = default_ledger();
  Verb verb = command.add_verb("budget", "Keep the ledger of what was granted and spent");
  verb.needs_a_verb();

  Verb creating = add_action(verb, "create", "Open an account for a data set",
                             "ratings --unit user --mode user --relation add-remove", options);
  creating.add_option("NAME", options->name, "What to call the data set").required();
  creating.add_option("--unit", options->unit, "Whose data is protected: entry, user, document or example")
      .show_default();
  creating.add_option("--mode", options->mode, "Unit user: the mode whose positions are the users");
  creating.add_option("--relation", options->relation, "replace, zero-out or add-remove").show_default();
  creating
      .add_option(
          "--data", options->data,
          "The file or folder, or one of the tables of a site (repeatable): charges for other data are then "
          "refused. Of images in idx files the labels count too: those beside them, or give their file as "
          "well")
      .one_value_each_time();

  Verb granting = add_action(verb, "grant", "Allow spending",
                             "ratings --epsilon 3 --delta 1e-6 --note 'spring survey'", options);
  granting.add_option("NAME", options->name, "The data set").required();
  granting.add_option("--epsilon", options->epsilon, "Added to what was granted before").required();
  granting.add_option("--delta", options->delta, "Likewise").show_default();
  granting.add_option("--note", options->note, "Who allowed it, and why");

  add_action(verb, "show", "What was granted, spent and is left", "ratings", options)
      .add_option("NAME", options->name, "One data set [all]");
  add_action(verb, "history", "Every row, with the epsilon of every charge", "ratings", options)
      .add_option("NAME", options->name, "One data set [all]");
  add_action(verb, "verify", "Find any row that was edited", "--json", options)
      .add_option("--head", options->head, "A hash that show printed before: also find rows dropped since");
  verb.footer(
      "Example:\n  tulle budget create ratings --unit user --mode user --relation add-remove\n"
      "  tulle budget grant ratings --epsilon 3 --delta 1e-6\n"
      "  tulle budget show ratings");
}

}  // namespace tulle::cli
