// Where the rows of a ledger are kept.
#pragma once

#include <tulle/privacy/ledger/ledger.hpp>

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace tulle {

// Which rows to read. Fields left at their defaults do not restrict the rows.
struct LedgerQuery {
  std::string account, kind;
  std::int64_t from = 1, to = std::numeric_limits<std::int64_t>::max();  // numbers
  bool only_last = false;
};

class LedgerStore {
 public:
  virtual ~LedgerStore() = default;

  virtual std::vector<LedgerRow> rows(const LedgerQuery& query) = 0;  // by number

  // Appends the rows that `decide` returns, while no other process can append: what it reads with rows()
  // stays current. The rows are on the disk when this returns; if `decide` throws, nothing was appended.
  virtual void append(const std::function<std::vector<LedgerRow>()>& decide) = 0;
};

// An Error if there is no ledger and `make` is false.
std::unique_ptr<LedgerStore> open_store(const std::string& where, bool make);
std::unique_ptr<LedgerStore> open_sqlite_store(const std::string& path, bool make);
std::unique_ptr<LedgerStore> open_postgresql_store(const std::string& address, bool make);

// An address as it may be shown: without what looks like a password in it (user:PASSWORD@host, password=..).
std::string without_password(const std::string& where);

// Throws the Error that there is no ledger.
[[noreturn]] void fail_no_ledger(const std::string& where);

// The query in SQL that both stores accept: its parameters are from, to, then the account and the kind if
// they are set.
std::string select_rows(const std::string& table, const LedgerQuery& query);

}  // namespace tulle
