// Spending from a ledger.
#pragma once

#include <tulle/job/jobs.hpp>
#include <tulle/privacy/ledger/ledger.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// Where a run is paid for. Both are empty where it is not.
struct AccountAddress {
  std::string ledger, account;
};

// The ledger is charged before the first release and told of the delivery after all is written: a crash in
// between over-counts, never under-counts.
class Payment {
 public:
  // `purpose` is what the ledger's history says; `file` holds the data, or is their folder, "-" for standard
  // input. Labels beside images are a part of them.
  Payment(const AccountAddress& address, std::string purpose, std::string file);
  // Data in several files, such as images and their labels: an account that is kept for files must be kept
  // for all of these.
  Payment(const AccountAddress& address, std::string purpose, std::vector<std::string> files);

  Pay on_first_release();  // empty without a ledger
  // The Error that a charge would give, and no charge.
  void check(const Curator& curator) const;
  void delivered();
  std::optional<LedgerStatement> statement() const;  // of the account as it is now; none without a ledger

 private:
  std::string fingerprint() const;

  std::string account_, purpose_;
  std::vector<std::string> files_;
  std::optional<Ledger> ledger_;
  std::optional<std::uint64_t> charge_;
};

// For the owner, of a private run that is charged to nobody: which accounts of a ledger are kept for its
// data. Nothing where there are none, or the ledger cannot be read; the data are read only where accounts are
// kept for data at all.
std::optional<std::string> uncharged_note(const std::string& ledger, const std::vector<std::string>& data);

}  // namespace tulle

#pragma GCC visibility pop
