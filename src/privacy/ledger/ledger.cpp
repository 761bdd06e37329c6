#include "balance.hpp"
#include "chain.hpp"
#include "store.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/base/utf8.hpp>
#include <tulle/privacy/account/event_text.hpp>
#include <tulle/privacy/curator.hpp>
#include <tulle/privacy/largest_epsilon.hpp>
#include <tulle/privacy/ledger/fingerprint.hpp>
#include <tulle/privacy/ledger/ledger.hpp>

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace tulle {
namespace {

using Rows = std::vector<LedgerRow>;

std::optional<LedgerRow> one_of(Rows rows) {
  if (rows.empty()) return {};
  return std::move(rows.front());
}

std::optional<LedgerRow> last_row(LedgerStore& store) {
  std::optional<LedgerRow> last = one_of(store.rows({.only_last = true}));
  if (last) check_row(*last);
  return last;
}

// Reads from the last checkpoint on; every row read must have the hash that it carries.
Balance balance_of(LedgerStore& store, const std::string& account) {
  const auto checkpoint = one_of(store.rows({.account = account, .kind = "checkpoint", .only_last = true}));
  const std::int64_t from = checkpoint ? static_cast<std::int64_t>(checkpoint->number) : 1;
  Balance balance;
  for (const LedgerRow& row : store.rows({.account = account, .from = from})) {
    check_row(row);
    balance.add(row);
  }
  return balance;
}

void check_fingerprint(const LedgerAccount& account, const std::string& fingerprint) {
  if (!account.fingerprint.empty() && fingerprint.empty())
    fail(
        "'{}' is kept for the data of one file, and these came without one; give the file rather than "
        "standard input",
        account.name);
  if (!account.fingerprint.empty() && !is_part_of(fingerprint, account.fingerprint))
    fail(
        "these data are not those of '{}': their fingerprint is not in the ledger; charge the data set that "
        "all tables of the run belong to",
        account.name);
}

void check_terms(const LedgerAccount& account, const Curator& run) {
  if (run.unit() != account.unit || run.relation() != account.relation)
    fail(
        "'{}' is kept for unit {} under {}, but this run protects unit {} under {}: they do not add up; run "
        "it for those, or create another data set",
        account.name, name(account.unit), name(account.relation), name(run.unit()), name(run.relation()));
  if (account.unit != Unit::user) return;
  if (account.mode.empty())
    fail(
        "'{}' does not say which mode its users are positions of; create an account that does, "
        "and grant it what '{}' has left",
        account.name, account.name);
  if (run.scope().mode.empty())
    fail("'{}' is kept for users of mode {}, but this run does not name its mode; set its scope",
         account.name, account.mode);
  if (in_utf8(run.scope().mode) != in_utf8(account.mode))  // JSON of a ledger is UTF-8
    fail(
        "'{}' is kept for users of mode {}, but this run protects users of mode {}: they do not add up; "
        "create another data set",
        account.name, account.mode, run.scope().mode);
}

void check_affordable(const Balance& balance, const std::string& account, const std::vector<Event>& events) {
  const Budget& granted = balance.granted();
  if (!(granted.epsilon > 0))
    fail("nothing was granted for '{}' yet; do so with: tulle budget grant {}", account, account);
  const double total = balance.spent(events);
  if (total > granted.epsilon)
    fail(
        "'{}' has epsilon {:g} at delta {:g}; with this run {} would be spent. Nothing was charged; "
        "grant more or release less",
        account, granted.epsilon, granted.delta, total);
}

}  // namespace

Ledger::Ledger(std::unique_ptr<LedgerStore> store) : store_(std::move(store)) {}
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger::~Ledger() = default;

Ledger Ledger::open(const std::string& where) {
  return Ledger(open_store(where, false));
}

Ledger Ledger::open_or_make(const std::string& where) {
  return Ledger(open_store(where, true));
}

void Ledger::create(const LedgerAccount& account) {
  if (account.name.empty()) fail_usage("a data set in the ledger needs a name");
  if ((account.unit == Unit::user) == account.mode.empty())
    fail_usage("unit user and the mode whose positions are the users go together");
  store_->append([&]() -> Rows {
    if (balance_of(*store_, account.name).exists())
      fail("the ledger has a data set '{}' already", account.name);
    return {next_row(last_row(*store_), account.name, "create", to_json(account))};
  });
}

void Ledger::grant(const std::string& account, const Budget& budget, const std::string& note) {
  if (!(budget.epsilon >= 0 && budget.delta >= 0 && budget.epsilon + budget.delta > 0) || budget.delta >= 1 ||
      !std::isfinite(budget.epsilon))
    fail_usage(
        "a grant of epsilon {} and delta {}: give a finite epsilon of 0 or more and 0 <= delta < 1, not both "
        "0",
        budget.epsilon, budget.delta);
  store_->append([&]() -> Rows {
    const Balance balance = balance_of(*store_, account);
    balance.account_named(account);
    if (balance.granted().delta + budget.delta >= 1)
      fail_usage("all grants together would have a delta of 1 or more");
    if (balance.granted().epsilon + budget.epsilon > kLargestEpsilon)
      fail_usage("all grants together would have an epsilon above {}; a larger one protects nothing",
                 kLargestEpsilon);
    const Json content = {{"epsilon", budget.epsilon}, {"delta", budget.delta}, {"note", note}};
    return {next_row(last_row(*store_), account, "grant", json_text(content))};
  });
}

namespace {

// As the system knows it: variables of the environment say what they were set to.
std::string user_name() {
  constexpr std::size_t kRoom = 1 << 16;  // for the texts of an entry
  std::vector<char> texts(kRoom);
  passwd entry{};
  passwd* user = nullptr;
  getpwuid_r(geteuid(), &entry, texts.data(), texts.size(), &user);
  return user ? user->pw_name : fmt::format("user {}", geteuid());
}

std::vector<Event> chargeable(const std::string& account, const Curator& run) {
  if (run.reproducible())
    fail(
        "a seeded run is reproducible, not private: whoever knows the seed can subtract its noise, and no "
        "charge to '{}' would be true; run it without a seed, or without the ledger",
        account);
  return run.dues();
}

void check_balance(const Balance& balance, const std::string& account, const Curator& run,
                   const std::vector<Event>& events, const std::string& fingerprint) {
  check_fingerprint(balance.account_named(account), fingerprint);
  check_terms(balance.account_named(account), run);
  check_affordable(balance, account, events);
}

}  // namespace

void Ledger::check_charge(const std::string& account, const Curator& run,
                          const std::string& fingerprint) const {
  check_balance(balance_of(*store_, account), account, run, chargeable(account, run), fingerprint);
}

std::uint64_t Ledger::charge(const std::string& account, const Curator& run, const std::string& what,
                             const std::string& fingerprint, const std::string& note) {
  const std::vector<Event> events = chargeable(account, run);
  std::uint64_t number = 0;
  store_->append([&] {
    const Balance balance = balance_of(*store_, account);
    check_balance(balance, account, run, events, fingerprint);
    Rows rows;
    std::optional<LedgerRow> last = last_row(*store_);
    const auto follow = [&](const char* kind, std::string content) {
      rows.push_back(next_row(last, account, kind, std::move(content)));
      last = rows.back();
    };
    if (balance.wants_checkpoint()) follow("checkpoint", balance.checkpoint());
    Json content = {{"what", what},
                    {"by", user_name()},
                    {"fingerprint", fingerprint},
                    {"releases", parse_json(to_json(events))}};
    if (!note.empty()) content["note"] = note;
    follow("charge", json_text(content));
    number = last->number;
    return rows;
  });
  return number;
}

void Ledger::deliver(std::uint64_t charge) {
  const auto number = static_cast<std::int64_t>(charge);
  store_->append([&]() -> Rows {
    const auto charged = one_of(store_->rows({.from = number, .to = number}));
    if (!charged || charged->kind != "charge") fail("the ledger has no charge number {}", charge);
    return {next_row(last_row(*store_), charged->account, "deliver", json_text(Json({{"charge", charge}})))};
  });
}

std::vector<std::string> Ledger::accounts() const {
  std::vector<std::string> names;
  for (const LedgerRow& row : store_->rows({.kind = "create"})) names.push_back(row.account);
  return names;
}

std::vector<LedgerAccount> Ledger::descriptions() const {
  std::vector<LedgerAccount> all;
  for (const LedgerRow& row : store_->rows({.kind = "create"})) {
    Balance balance;
    balance.add(row);
    all.push_back(balance.account_named(row.account));
  }
  return all;
}

LedgerStatement Ledger::statement(const std::string& account) const {
  LedgerStatement statement;
  Balance balance;
  std::unordered_map<std::uint64_t, std::size_t> place;  // index of a charge, by its number
  for (const LedgerRow& row : store_->rows({.account = account})) {
    balance.add(row);
    const Json json = parse_json(row.content);
    if (row.kind == "charge") {
      place[row.number] = statement.charges.size();
      statement.charges.push_back({row.number, row.time, json.at("what"),
                                   events_from_json(json_text(json.at("releases"))), false,
                                   json.value("by", ""), json.value("note", "")});
    } else if (row.kind == "deliver") {
      if (const auto charge = place.find(json.at("charge")); charge != place.end())
        statement.charges[charge->second].delivered = true;
    }
  }
  statement.account = balance.account_named(account);
  statement.granted = balance.granted();
  statement.spent = balance.spent();
  statement.head = head_of(one_of(store_->rows({.only_last = true})));
  return statement;
}

std::vector<LedgerRow> Ledger::history(const std::string& account) const {
  Rows rows = store_->rows({.account = account});
  if (!account.empty() && rows.empty()) Balance().account_named(account);
  return rows;
}

std::uint64_t Ledger::verify(const std::optional<std::string>& head) const {
  const Rows rows = store_->rows({});
  check_chain(rows);
  std::unordered_map<std::string, Balance> balances;
  for (const LedgerRow& row : rows) {
    Balance& balance = balances[row.account];
    if (row.kind == "checkpoint" && (!balance.exists() || row.content != balance.checkpoint()))
      fail("ledger: row {} (checkpoint of {}) is not what the rows before it add up to; it was forged",
           row.number, row.account);
    balance.add(row);
  }
  if (head && *head != head_of({}) &&
      std::none_of(rows.begin(), rows.end(), [&](const LedgerRow& row) { return row.hash == *head; }))
    fail("ledger: no row has the hash {:.12}.. that was noted down; rows were dropped or rewritten since",
         *head);
  return rows.size();
}

}  // namespace tulle
