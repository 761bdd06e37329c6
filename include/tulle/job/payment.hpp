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

// The account that pays for a run. Both are empty if none does.
struct AccountAddress {
  std::string ledger, account;
  std::string note = {};  // for the ledger's history
};

// The ledger is charged before the first release and marked as delivered once everything is written: a crash
// in between over-counts, never under-counts.
class Payment {
 public:
  // `purpose` appears in the ledger's history; `file` holds the data, or is their folder, or "-" for standard
  // input. It includes the labels beside images.
  Payment(const AccountAddress& address, std::string purpose, std::string file);
  // Data in several files, such as images and their labels: an account that is restricted to files must
  // include all of these.
  Payment(const AccountAddress& address, std::string purpose, std::vector<std::string> files);

  // Called by every run and plan of a request, since the first one takes its data. A UsageError for a second
  // one, before anything is charged.
  void begin();
  Pay on_first_release();  // empty without a ledger
  // Throws the Error that a charge would throw, and charges nothing.
  void check(const Curator& curator) const;
  void delivered();
  std::optional<LedgerStatement> statement() const;  // current; none without a ledger

 private:
  std::string fingerprint() const;

  std::string account_, purpose_, note_;
  std::vector<std::string> files_;
  std::optional<Ledger> ledger_;
  std::optional<std::uint64_t> charge_;
  bool begun_ = false;
};

// For the owner of a private run that is charged to no account: the accounts of a ledger that are kept for
// its data. Nothing if there are none, or the ledger cannot be read; the data are read only if some account
// is kept for data at all.
std::optional<std::string> uncharged_note(const std::string& ledger, const std::vector<std::string>& data);

}  // namespace tulle

#pragma GCC visibility pop
