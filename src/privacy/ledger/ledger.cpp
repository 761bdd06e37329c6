#include "chain.hpp"
#include "store.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/account/event_text.hpp>
#include <tulle/privacy/account/filter.hpp>
#include <tulle/privacy/ledger/ledger.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tulle {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<LedgerRow>;

constexpr double kRounding = 1 + 1e-9;  // budgets are met up to the rounding of their decimal text

std::optional<LedgerAccount> find_account(const Rows& rows, const std::string& name) {
  for (const LedgerRow& row : rows) {
    if (row.kind != "create" || row.account != name) continue;
    const Json json = Json::parse(row.content);
    return LedgerAccount{name, json.at("fingerprint"), unit_of(json.at("unit").get<std::string>()),
                         relation_of(json.at("relation").get<std::string>())};
  }
  return {};
}

LedgerAccount account_in(const Rows& rows, const std::string& name) {
  if (auto account = find_account(rows, name)) return *account;
  fail("the ledger has no data set '{}'; make it with: tulle budget create {}", name, name);
}

LedgerStatement statement_of(const Rows& rows, const std::string& name) {
  LedgerStatement statement;
  statement.account = account_in(rows, name);
  statement.head = head_of(rows);
  for (const LedgerRow& row : rows) {
    if (row.account != name) continue;
    const Json json = Json::parse(row.content);
    if (row.kind == "grant") {
      statement.granted.epsilon += json.at("epsilon").get<double>();
      statement.granted.delta += json.at("delta").get<double>();
    } else if (row.kind == "charge") {
      statement.charges.push_back(
          {row.number, row.time, json.at("what"), events_from_json(json.at("releases").dump()), false});
    } else if (row.kind == "deliver") {
      for (LedgerCharge& charge : statement.charges)
        if (charge.number == json.at("charge")) charge.delivered = true;
    }
  }
  return statement;
}

// Epsilon of all charges, delivered or not, at the granted delta.
double spent_of(const LedgerStatement& statement) {
  std::vector<Event> all;
  for (const LedgerCharge& charge : statement.charges)
    all.insert(all.end(), charge.events.begin(), charge.events.end());
  if (all.empty()) return 0;
  return adaptive_epsilon_upper(all, statement.account.relation, statement.granted.epsilon,
                                statement.granted.delta)
      .value;
}

void check_fingerprint(const LedgerAccount& account, const std::string& fingerprint) {
  if (!account.fingerprint.empty() && !fingerprint.empty() && account.fingerprint != fingerprint)
    fail(
        "these data are not those of '{}': fingerprint {:.12}.., but the ledger has {:.12}..; charge the "
        "data set they belong to",
        account.name, fingerprint, account.fingerprint);
}

void check_affordable(LedgerStatement& statement, const std::vector<Event>& events) {
  if (!(statement.granted.epsilon > 0))
    fail("nothing was granted for '{}' yet; use: tulle budget grant {} --epsilon E", statement.account.name,
         statement.account.name);
  statement.charges.push_back({0, "", "", events, false});
  const double total = spent_of(statement);
  if (total > statement.granted.epsilon * kRounding)
    fail(
        "'{}' has epsilon {:g} at delta {:g}; with this run {:.6g} would be spent. Nothing was charged; "
        "grant more or release less",
        statement.account.name, statement.granted.epsilon, statement.granted.delta, total);
}

}  // namespace

Ledger::Ledger(std::unique_ptr<LedgerStore> store) : store_(std::move(store)) {}
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

Ledger Ledger::open(const std::string& where) {
  const bool server = where.starts_with("postgresql://") || where.starts_with("postgres://");
  return Ledger(server ? open_postgresql_store(where) : open_sqlite_store(where));
}

void Ledger::create(const LedgerAccount& account) {
  if (account.name.empty()) fail_usage("a data set in the ledger needs a name");
  store_->append([&](const Rows& rows) {
    if (find_account(rows, account.name)) fail("the ledger has a data set '{}' already", account.name);
    const Json content = {{"fingerprint", account.fingerprint},
                          {"unit", name(account.unit)},
                          {"relation", name(account.relation)}};
    return next_row(rows, account.name, "create", content.dump());
  });
}

void Ledger::grant(const std::string& account, const Budget& budget, const std::string& note) {
  if (!(budget.epsilon >= 0 && budget.delta >= 0 && budget.epsilon + budget.delta > 0) || budget.delta >= 1 ||
      !std::isfinite(budget.epsilon))
    fail_usage("a grant of epsilon {} and delta {} makes no sense", budget.epsilon, budget.delta);
  store_->append([&](const Rows& rows) {
    if (statement_of(rows, account).granted.delta + budget.delta >= 1)
      fail_usage("all grants together would have a delta of 1 or more");
    const Json content = {{"epsilon", budget.epsilon}, {"delta", budget.delta}, {"note", note}};
    return next_row(rows, account, "grant", content.dump());
  });
}

std::uint64_t Ledger::charge(const std::string& account, const std::vector<Event>& events,
                             const std::string& what, const std::string& fingerprint) {
  if (events.empty()) fail("a charge without releases");
  std::uint64_t number = 0;
  store_->append([&](const Rows& rows) {
    LedgerStatement statement = statement_of(rows, account);
    check_fingerprint(statement.account, fingerprint);
    check_affordable(statement, events);
    const Json content = {
        {"what", what}, {"fingerprint", fingerprint}, {"releases", Json::parse(to_json(events))}};
    LedgerRow row = next_row(rows, account, "charge", content.dump());
    number = row.number;
    return row;
  });
  return number;
}

void Ledger::deliver(std::uint64_t charge) {
  store_->append([&](const Rows& rows) {
    if (charge < 1 || charge > rows.size() || rows[charge - 1].kind != "charge")
      fail("the ledger has no charge number {}", charge);
    return next_row(rows, rows[charge - 1].account, "deliver", Json({{"charge", charge}}).dump());
  });
}

std::vector<std::string> Ledger::accounts() const {
  std::vector<std::string> names;
  for (const LedgerRow& row : store_->rows())
    if (row.kind == "create") names.push_back(row.account);
  return names;
}

LedgerStatement Ledger::statement(const std::string& account) const {
  LedgerStatement statement = statement_of(store_->rows(), account);
  statement.spent = spent_of(statement);
  return statement;
}

std::vector<LedgerRow> Ledger::history(const std::string& account) const {
  Rows rows = store_->rows();
  if (account.empty()) return rows;
  account_in(rows, account);
  std::erase_if(rows, [&](const LedgerRow& row) { return row.account != account; });
  return rows;
}

std::uint64_t Ledger::verify(const std::optional<std::string>& head) const {
  const Rows rows = store_->rows();
  check_chain(rows);
  if (head && *head != head_of({}) &&
      std::none_of(rows.begin(), rows.end(), [&](const LedgerRow& row) { return row.hash == *head; }))
    fail("ledger: no row has the hash {:.12}.. that was noted down; rows were dropped or rewritten since",
         *head);
  return rows.size();
}

}  // namespace tulle
