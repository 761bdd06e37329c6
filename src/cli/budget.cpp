// tulle budget: the ledger of what was granted and spent.
#include "options.hpp"
#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/job/budgeting.hpp>
#include <tulle/job/options/privacy.hpp>

namespace tulle::cli {
namespace {

struct Budgeting {
  BudgetingOptions asked;
  bool json = false;
};

void print(const Json& report, bool json) {
  if (json) {
    fmt::print("{}\n", json_text(report, 2));
    return;
  }
  for (const auto& [key, value] : report.items())
    if (!value.is_array())
      fmt::print("{:<13}{}\n", key, value.is_string() ? value.get<std::string>() : json_text(value));
}

void print_statement(const Json& report) {
  print(report, false);
  for (const Json& charge : report["charges"])
    fmt::print("  #{} {} epsilon {:.6g}, {} ({}{}){}\n", json_text(charge["number"]),
               charge["time"].get<std::string>(), charge["epsilon"].get<double>(),
               charge["what"].get<std::string>(), charge["status"].get<std::string>(),
               charge.contains("by") ? fmt::format(", by {}", charge["by"].get<std::string>()) : "",
               charge.contains("note") ? legible(": " + charge["note"].get<std::string>()) : "");
}

void print_row(const Json& row) {
  fmt::print("#{:<4} {} {:<8} {} ", row["number"].get<std::uint64_t>(), row["time"].get<std::string>(),
             row["kind"].get<std::string>(), row["name"].get<std::string>());
  if (row.contains("epsilon")) fmt::print("epsilon {:.6g} ", row["epsilon"].get<double>());
  fmt::print("{}\n", json_text(row["content"]));
}

void print_action(const std::string& action, const Budgeting& options) {
  const Json report = budget(action, options.asked);
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
                const std::string& example, const std::shared_ptr<Budgeting>& options) {
  Verb added = verb.add_verb(action, description);
  added.add_option("--ledger", options->asked.ledger,
                   "Ledger: a file or postgresql://.. [$TULLE_LEDGER, else tulle-ledger.db]");
  declare_json(added, options->json);
  added.footer(fmt::format("Example:\n  tulle budget {} {}", action, example));
  added.callback([action, options] { print_action(action, *options); });
  return added;
}

}  // namespace

void add_budget(Verb& command) {
  auto options = std::make_shared<Budgeting>();
  options->asked.ledger = default_ledger();
  Verb verb = command.add_verb("budget", "Manage the ledger of granted and spent budgets");
  verb.needs_a_verb();

  Verb creating = add_action(verb, "create", "Open an account for a data set",
                             "ratings --unit user --mode user --relation add-remove", options);
  creating.add_option("NAME", options->asked.name, "Name for the data set").required();
  creating
      .add_option("--unit", options->asked.unit,
                  "Unit of protection: entry, event, user, document or example")
      .show_default();
  creating.add_option("--mode", options->asked.mode, "Mode whose positions are the users (unit user)");
  creating
      .add_option("--relation", options->asked.relation,
                  "Neighbouring relation: replace, zero-out or add-remove")
      .show_default();
  creating
      .add_option("--data", options->asked.data,
                  "File or folder of the data, or one table of a site (repeatable); charges for other data "
                  "are refused. For images in idx files this includes the labels: those beside them, or give "
                  "their file too")
      .one_value_each_time();

  Verb granting = add_action(verb, "grant", "Grant a budget to an account",
                             "ratings --epsilon 3 --delta 1e-6 --note 'spring survey'", options);
  granting.add_option("NAME", options->asked.name, "Name of the data set").required();
  granting.add_option("--epsilon", options->asked.epsilon, "Epsilon to add to what was granted before")
      .required();
  granting.add_option("--delta", options->asked.delta, "Delta to add to what was granted before")
      .show_default();
  granting.add_option("--note", options->asked.note, "Who granted it, and why");

  add_action(verb, "show", "Show what was granted, what was spent and what is left", "ratings", options)
      .add_option("NAME", options->asked.name, "Name of a data set [all]");
  add_action(verb, "history", "List all rows, with the epsilon of every charge", "ratings", options)
      .add_option("NAME", options->asked.name, "Name of a data set [all]");
  add_action(verb, "verify", "Find any row that was edited", "--json", options)
      .add_option("--head", options->asked.head,
                  "Hash that show printed earlier: also find rows dropped since then");
  verb.footer(
      "Example:\n  tulle budget create ratings --unit user --mode user --relation add-remove\n"
      "  tulle budget grant ratings --epsilon 3 --delta 1e-6\n"
      "  tulle budget show ratings");
}

}  // namespace tulle::cli
