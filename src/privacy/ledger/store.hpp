// Where the rows of a ledger are kept.
#pragma once

#include <tulle/privacy/ledger/ledger.hpp>

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace tulle {

// Which rows to read. What is left as it is does not matter.
struct LedgerQuery {
  std::string account, kind;
  std::int64_t from = 1, to = std::numeric_limits<std::int64_t>::max();  // numbers
  bool only_last = false;
};

class LedgerStore {
 public:
  virtual ~LedgerStore() = default;

  virtual std::vector<LedgerRow> rows(const LedgerQuery& query) = 0;  // by number

  // Appends the rows that `decide` answers with, while no other process can append: what it reads with rows()
  // is how things are. The rows are on the disk when this returns; when `decide` throws, nothing happened.
  virtual void append(const std::function<std::vector<LedgerRow>()>& decide) = 0;
};

// An Error where there is no ledger and none is to be made.
std::unique_ptr<LedgerStore> open_store(const std::string& where, bool make);
std::unique_ptr<LedgerStore> open_sqlite_store(const std::string& path, bool make);
std::unique_ptr<LedgerStore> open_postgresql_store(const std::string& address, bool make);

// An address as it may be shown: what looks like a password in it (user:PASSWORD@host, password=..) is not.
std::string without_password(const std::string& where);

// For what is refused because there is no ledger.
[[noreturn]] void fail_no_ledger(const std::string& where);

// The query in the language of both stores: parameters are from, to, then the account and the kind where
// they are given.
std::string select_rows(const std::string& table, const LedgerQuery& query);

}  // namespace tulle
