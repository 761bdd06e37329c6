// The lasting record of what was granted and what was spent, for each data set.
//
// The ledger is a list of rows that only grows. A run is charged before it releases anything and marked as
// delivered after: a crash in between leaves a charge without delivery, so what was spent can be over-counted
// but never under-counted. Each row carries the hash of the row before, so that no row can be changed, moved
// or dropped from the middle without being found; rows dropped from the end are found by whoever kept the
// hash of the last row (verify with `head`).
//
// A charge costs the same however long the ledger is: it reads what came after the last checkpoint, a row
// that states a data set's balance (src/privacy/ledger/balance.hpp), and composes equal releases together. Of
// what it reads it checks each row's own hash; the whole chain is for verify().
//
// Runs may depend on the results of earlier runs, so all of them are composed by the accountant for adaptive
// releases (see account/filter.hpp). The first one, which depends on none, may spend the whole grant.
#pragma once

#include <tulle/privacy/account/event.hpp>
#include <tulle/privacy/guarantee.hpp>
#include <tulle/privacy/unit.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct LedgerRow {
  std::uint64_t number = 0;  // 1, 2, ..
  std::string time;          // UTC
  std::string account;       // the data set's name
  std::string kind;          // create, grant, charge, deliver, checkpoint
  std::string content;       // JSON
  std::string previous;      // hash of the row before
  std::string hash;          // SHA-256 over all of the above

  bool operator==(const LedgerRow&) const = default;
};

// What is protected, and for whom. All spending on a data set is for one unit, one relation and, where the
// units are users, one mode whose positions they are: losses of different units do not add up.
//
// Accounts for users that were created before accounts had a mode have none, and are not charged any more:
// nobody knows which mode their charges were about.
struct LedgerAccount {
  std::string name;
  std::string fingerprint;  // of the data; empty: any
  Unit unit = Unit::entry;
  Relation relation = Relation::replace;
  std::string mode;  // unit user: as the guarantee of a run names it
};

struct LedgerCharge {
  std::uint64_t number = 0;  // its row
  std::string time, what;
  std::vector<Event> events;
  bool delivered = false;  // false: charged, not delivered
};

struct LedgerStatement {
  LedgerAccount account;
  Budget granted;
  double spent = 0;  // epsilon at the granted delta
  std::vector<LedgerCharge> charges;
  std::string head;  // hash of the last row of the ledger
};

class Curator;
class LedgerStore;

class Ledger {
 public:
  // A file (SQLite) or postgresql://.. . An Error where there is none; open_or_make makes it, a file for its
  // owner's eyes alone. No message shows a password that the address holds.
  static Ledger open(const std::string& where);
  static Ledger open_or_make(const std::string& where);

  void create(const LedgerAccount& account);
  void grant(const std::string& account, const Budget& budget, const std::string& note);

  // Records what a run is about to release, as its curator planned it (Curator::dues), and answers with the
  // number of the charge. An Error, in which case nothing is recorded, when that would exceed what was
  // granted, when the run protects another unit, mode or relation, or when its noise comes from a seed and so
  // protects nobody. Of several processes that ask at once, each sees the charges of those before.
  std::uint64_t charge(const std::string& account, const Curator& run, const std::string& what,
                       const std::string& fingerprint = "");
  // The Error that charge() would give now, where it would give one; nothing is recorded.
  void check_charge(const std::string& account, const Curator& run,
                    const std::string& fingerprint = "") const;
  void deliver(std::uint64_t charge);

  std::vector<std::string> accounts() const;
  std::vector<LedgerAccount> descriptions() const;  // of all accounts, as they were created
  LedgerStatement statement(const std::string& account) const;
  std::vector<LedgerRow> history(const std::string& account = "") const;  // of one data set, or all

  // Walks the whole chain and adds up every checkpoint again. An Error names the first row that was edited;
  // with `head`, also when that hash is no longer in the chain. Answers with the number of rows.
  std::uint64_t verify(const std::optional<std::string>& head = {}) const;

  Ledger(Ledger&&) noexcept;
  ~Ledger();

 private:
  explicit Ledger(std::unique_ptr<LedgerStore> store);
  std::unique_ptr<LedgerStore> store_;
};

}  // namespace tulle

#pragma GCC visibility pop
