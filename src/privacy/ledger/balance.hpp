// What a data set was granted and charged, as its rows add up.
//
// A charge must know the sum of all before it, but need not read them all: now and then a `checkpoint` row,
// chained like any other, states the balance so far, and only what came after it is read. `tulle budget
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
  void add(const LedgerRow& row);  // rows of one data set, in order; from its first, or from a checkpoint

  // An Error when the data set was never created.
  const LedgerAccount& account_named(const std::string& name) const;
  bool exists() const { return account_.has_value(); }
  const Budget& granted() const { return granted_; }

  // Epsilon of all charges, delivered or not, and of one more with further releases, at the granted delta.
  double spent(std::span<const Event> further = {}) const;

  std::string checkpoint() const;  // the content of a row that stands for all before it
  // Whether so many rows were read since the last checkpoint that the next reader should be spared them; as
  // many as there are kinds of releases, so that checkpoints take no more room than what they sum up.
  bool wants_checkpoint() const;

 private:
  std::optional<LedgerAccount> account_;
  Budget granted_;
  std::map<std::string, Event> releases_;  // the same ones joined, by their text
  std::size_t rows_ = 0;
  // With releases. A checkpoint of some, which a charge always follows, counts as one; a checkpoint may also
  // stand for grants alone.
  std::size_t charges_ = 0;
};

}  // namespace tulle
