// Where the rows of a ledger are kept.
#pragma once

#include <tulle/privacy/ledger/ledger.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tulle {

class LedgerStore {
 public:
  virtual ~LedgerStore() = default;

  // All rows, by number.
  virtual std::vector<LedgerRow> rows() = 0;

  // Shows all rows to `decide` and appends the one it answers with, while no other process can append. The
  // row is on the disk when this returns; when `decide` throws, nothing happened.
  virtual void append(const std::function<LedgerRow(const std::vector<LedgerRow>&)>& decide) = 0;
};

std::unique_ptr<LedgerStore> open_sqlite_store(const std::string& path);
std::unique_ptr<LedgerStore> open_postgresql_store(const std::string& address);

}  // namespace tulle
