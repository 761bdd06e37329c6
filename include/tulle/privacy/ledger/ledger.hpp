// The lasting record of what was granted and what was spent, for each data set.
//
// The ledger is a list of rows that only grows. A run is charged before it releases anything and marked as
// delivered after: a crash in between leaves a charge without delivery, so spending can be over-counted but
// never under-counted. Each row carries the hash of the row before, so a row that is changed, moved or
// dropped from the middle is found; whoever kept the hash of the last row finds rows dropped from the end
// (verify with `head`).
//
// The cost of a charge does not grow with the ledger: it reads the rows after the last checkpoint, a row that
// states a data set's balance (src/privacy/ledger/balance.hpp), and composes equal releases together. It
// checks the own hash of each row it reads; verify() checks the whole chain.
//
// Runs may depend on the results of earlier runs, so the accountant for adaptive releases composes them
// (account/filter.hpp). The first run, which depends on none, may spend the whole grant.
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

// What is protected, and for whom. All spending on a data set is for one unit, one relation and, if the units
// are users, one mode whose positions they are: losses of different units do not add up.
//
// User accounts created before accounts had a mode have none and cannot be charged any more: nobody knows
// which mode their charges were about.
struct LedgerAccount {
  std::string name;
  std::string fingerprint;  // of the data; empty: any
  Unit unit = Unit::entry;
  Relation relation = Relation::replace;
  std::string mode;  // unit user: the mode, as the guarantee of a run names it
};

struct LedgerCharge {
  std::uint64_t number = 0;  // its row
  std::string time, what;
  std::vector<Event> events;
  bool delivered = false;          // false: charged, not delivered
  std::string by = {}, note = {};  // the user of the machine that charged it, and what they say of it
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
  // A file (SQLite) or postgresql://.. . An Error if it does not exist; open_or_make creates it, a file
  // readable by its owner alone. No message shows a password in the address.
  static Ledger open(const std::string& where);
  static Ledger open_or_make(const std::string& where);

  void create(const LedgerAccount& account);
  void grant(const std::string& account, const Budget& budget, const std::string& note);

  // Records what a run is about to release, as its curator planned it (Curator::dues), and who charges it,
  // and returns the number of the charge. An Error, with nothing recorded, if that would exceed the grant, if
  // the run protects another unit, relation or mode, or if its noise comes from a seed and so protects
  // nobody. If several processes charge at once, each sees the charges before its own.
  std::uint64_t charge(const std::string& account, const Curator& run, const std::string& what,
                       const std::string& fingerprint = "", const std::string& note = "");
  // Throws the Error that charge() would throw now, if any; records nothing.
  void check_charge(const std::string& account, const Curator& run,
                    const std::string& fingerprint = "") const;
  void deliver(std::uint64_t charge);

  std::vector<std::string> accounts() const;
  std::vector<LedgerAccount> descriptions() const;  // of all accounts, as they were created
  LedgerStatement statement(const std::string& account) const;
  std::vector<LedgerRow> history(const std::string& account = "") const;  // of one data set, or all

  // Walks the whole chain and recomputes every checkpoint; returns the number of rows. An Error names the
  // first row that was edited or, with `head`, reports that this hash is not in the chain.
  std::uint64_t verify(const std::optional<std::string>& head = {}) const;

  Ledger(Ledger&&) noexcept;
  ~Ledger();

 private:
  explicit Ledger(std::unique_ptr<LedgerStore> store);
  std::unique_ptr<LedgerStore> store_;
};

}  // namespace tulle

#pragma GCC visibility pop
