// tulle budget: the ledger of what was granted and spent.
#include "options.hpp"
#include "terminal.hpp"
#include "verb.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/ledger/fingerprint.hpp>
#include <tulle/privacy/ledger/ledger.hpp>

#include <nlohmann/json.hpp>

#include <cstdlib>

namespace tulle::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Budgeting {
  std::string ledger, name, unit = "entry", relation = "replace", mode, data, note, head;
  double epsilon = 0, delta = 0;
  bool json = false;
};

void print(const Json& report, bool json) {
  if (json) {
    fmt::print("{}\n", report.dump(2));
    return;
  }
  for (const auto& [key, value] : report.items())
    if (!value.is_array())
      fmt::print("{:<13}{}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
}

void create(const Budgeting& options) {
  if ((unit_of(options.unit) == Unit::user) == options.mode.empty())
    fail_usage("--unit user and --mode MODE, the mode whose positions are the users, go together");
  const std::string fingerprint = options.data.empty() ? "" : fingerprint_of_file(options.data);
  Ledger::open_or_make(options.ledger)
      .create(
          {options.name, fingerprint, unit_of(options.unit), relation_of(options.relation), options.mode});
  Json report = {{"name", options.name}, {"created", true}, {"unit", options.unit}};
  if (!options.mode.empty()) report["mode"] = options.mode;
  report["relation"] = options.relation;
  print(report, options.json);
}

void grant(const Budgeting& options) {
  Ledger ledger = Ledger::open(options.ledger);
  ledger.grant(options.name, {options.epsilon, options.delta}, options.note);
  const LedgerStatement statement = ledger.statement(options.name);
  print({{"name", options.name},
         {"granted", true},
         {"epsilon", statement.granted.epsilon},
         {"delta", statement.granted.delta}},
        options.json);
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
  report["head"] = statement.head;
  report["charges"] = Json::array();
  for (const LedgerCharge& charge : statement.charges)
    report["charges"].push_back({{"number", charge.number},
                                 {"time", charge.time},
                                 {"what", charge.what},
                                 {"status", charge.delivered ? "delivered" : "charged, not delivered"}});
  return report;
}

void show(const Budgeting& options) {
  const Ledger ledger = Ledger::open(options.ledger);
  Json all = Json::array();
  for (const std::string& account :
       options.name.empty() ? ledger.accounts() : std::vector<std::string>{options.name}) {
    const Json report = statement_json(ledger.statement(account));
    all.push_back(report);
    if (options.json) continue;
    print(report, false);
    for (const Json& charge : report["charges"])
      fmt::print("  #{} {} {} ({})\n", charge["number"].dump(), charge["time"].get<std::string>(),
                 charge["what"].get<std::string>(), charge["status"].get<std::string>());
  }
  if (options.json) fmt::print("{}\n", (options.name.empty() ? all : all.front()).dump(2));
}

void history(const Budgeting& options) {
  Json all = Json::array();
  for (const LedgerRow& row : Ledger::open(options.ledger).history(options.name)) {
    all.push_back({{"number", row.number},
                   {"time", row.time},
                   {"name", row.account},
                   {"kind", row.kind},
                   {"content", Json::parse(row.content)},
                   {"hash", row.hash}});
    if (!options.json)
      fmt::print("#{:<4} {} {:<8} {} {}\n", row.number, row.time, row.kind, row.account, row.content);
  }
  if (options.json) fmt::print("{}\n", all.dump(2));
}

void verify(const Budgeting& options) {
  const std::uint64_t rows =
      Ledger::open(options.ledger).verify(options.head.empty() ? std::nullopt : std::optional(options.head));
  print({{"verified", true}, {"rows", rows}}, options.json);
}

std::string default_ledger() {
  const char* chosen = std::getenv("TULLE_LEDGER");
  return chosen ? chosen : "tulle-ledger.db";
}

CLI::App& add_action(CLI::App& verb, const std::string& action, const std::string& description,
                     const std::shared_ptr<Budgeting>& options, void (*run)(const Budgeting&)) {
  CLI::App& added = *verb.add_subcommand(action, description);
  added.add_option("--ledger", options->ledger,
                   "A file, or postgresql://.. [$TULLE_LEDGER, else tulle-ledger.db]");
  declare_json(added, options->json);
  added.callback([options, run] { run(*options); });
  return added;
}

}  // namespace

void add_budget(CLI::App& command) {
  auto options = std::make_shared<Budgeting>();
  options->ledger = default_ledger();
  CLI::App& verb = *command.add_subcommand("budget", "Keep the ledger of what was granted and spent");
  verb.require_subcommand(1);

  CLI::App& creating = add_action(verb, "create", "Open an account for a data set", options, create);
  creating.add_option("NAME", options->name, "What to call the data set")->required();
  creating.add_option("--unit", options->unit, "Whose data is protected: entry, user or document")
      ->capture_default_str();
  creating.add_option("--mode", options->mode, "Unit user: the mode whose positions are the users");
  creating.add_option("--relation", options->relation, "replace, zero-out or add-remove")
      ->capture_default_str();
  creating.add_option("--data", options->data, "The file: charges for other data are then refused");

  CLI::App& granting = add_action(verb, "grant", "Allow spending", options, grant);
  granting.add_option("NAME", options->name, "The data set")->required();
  granting.add_option("--epsilon", options->epsilon, "Added to what was granted before")->required();
  granting.add_option("--delta", options->delta, "Likewise")->capture_default_str();
  granting.add_option("--note", options->note, "Who allowed it, and why");

  add_action(verb, "show", "What was granted, spent and is left", options, show)
      .add_option("NAME", options->name, "One data set [all]");
  add_action(verb, "history", "Every row", options, history)
      .add_option("NAME", options->name, "One data set [all]");
  add_action(verb, "verify", "Find any row that was edited", options, verify)
      .add_option("--head", options->head, "A hash that show printed before: also find rows dropped since");
  verb.footer(
      "Example:\n  tulle budget create ratings --unit user --mode user --relation add-remove\n  tulle budget "
      "grant "
      "ratings --epsilon 3 --delta 1e-6");
}

}  // namespace tulle::cli
