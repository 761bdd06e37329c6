// What a data set was granted and charged, summed over its rows.
//
// A charge needs the sum of all before it, but need not read them all: now and then a `checkpoint` row,
// chained like any other, states the balance so far, and only the rows after it are read. `tulle budget
// verify` adds everything up again and compares.
#pragma once

#include <tulle/privacy/ledger/ledger.hpp>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tulle {

std::string to_json(const LedgerAccount& account);  // the content of a `create` row

class Balance {
 public:
  void add(const LedgerRow& row);  // rows of one data set, in order, from its first row or from a checkpoint

  // An Error if the data set was never created.
  const LedgerAccount& account_named(const std::string& name) const;
  bool exists() const { return account_.has_value(); }
  const Budget& granted() const { return granted_; }

  // Epsilon of all charges, delivered or not, and of one more charge with `further` releases, at the granted
  // delta.
  double spent(std::span<const Event> further = {}) const;

  std::string checkpoint() const;  // the content of a row that replaces all rows before it
  // Whether more rows than 64, and than there are kinds of releases, were read since the last checkpoint: the
  // next reader should be spared them, and checkpoints take no more room than what they sum up.
  bool wants_checkpoint() const;

 private:
  std::optional<LedgerAccount> account_;
  Budget granted_;
  std::map<std::string, Event> releases_;  // equal releases joined, by their text
  std::size_t rows_ = 0;
  // Number of charges with releases. A checkpoint with some, which always follows a charge, counts as one; a
  // checkpoint may also sum up grants alone.
  std::size_t charges_ = 0;
};

}  // namespace tulle
