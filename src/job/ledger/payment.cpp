#include <tulle/base/error.hpp>
#include <tulle/job/data_fingerprint.hpp>
#include <tulle/job/payment.hpp>
#include <tulle/privacy/ledger/fingerprint.hpp>

#include <fmt/ranges.h>

#include <utility>

namespace tulle {
namespace {

// Accounts that are kept for some of these data.
std::vector<std::string> accounts_of(const std::vector<LedgerAccount>& accounts,
                                     const std::vector<std::string>& data) {
  std::vector<std::string> names;
  std::string fingerprint;
  for (const LedgerAccount& account : accounts) {
    if (account.fingerprint.empty()) continue;
    if (fingerprint.empty()) fingerprint = fingerprint_of_data(data);
    if (!fingerprint.empty() && share_a_file(fingerprint, account.fingerprint))
      names.push_back(fmt::format("'{}'", account.name));
  }
  return names;
}

}  // namespace

Payment::Payment(const AccountAddress& address, std::string purpose, std::string file)
    : Payment(address, std::move(purpose), std::vector{std::move(file)}) {}

Payment::Payment(const AccountAddress& address, std::string purpose, std::vector<std::string> files)
    : account_(address.account), purpose_(std::move(purpose)), note_(address.note), files_(std::move(files)) {
  if (!address.ledger.empty()) ledger_.emplace(Ledger::open(address.ledger));
}

void Payment::begin() {
  if (std::exchange(begun_, true))
    fail_usage("a request runs or is planned once, since its data are gone then; make another request");
}

Pay Payment::on_first_release() {
  if (!ledger_) return {};
  return [this](const Curator& curator) {
    charge_ = ledger_->charge(account_, curator, purpose_, fingerprint(), note_);
  };
}

void Payment::check(const Curator& curator) const {
  if (ledger_) ledger_->check_charge(account_, curator, fingerprint());
}

std::string Payment::fingerprint() const {
  const std::string images = fingerprint_of_images(files_);
  if (!images.empty())
    for (const LedgerAccount& account : ledger_->descriptions())
      if (account.name == account_ && account.fingerprint == images) return images;
  return fingerprint_of_data(files_);
}

void Payment::delivered() {
  if (!ledger_) return;
  if (!charge_) fail("nothing was charged to '{}': the run made no release", account_);
  ledger_->deliver(*charge_);
}

std::optional<LedgerStatement> Payment::statement() const {
  if (!ledger_) return std::nullopt;
  return ledger_->statement(account_);
}

std::optional<std::string> uncharged_note(const std::string& ledger, const std::vector<std::string>& data) {
  try {
    const std::vector<std::string> names = accounts_of(Ledger::open(ledger).descriptions(), data);
    if (names.empty()) return std::nullopt;
    return fmt::format(
        "The ledger keeps the account {} for these data, and this run is not charged to it: what it releases "
        "adds up with what was charged. Name the account to charge it.",
        fmt::join(names, ", "));
  } catch (const std::exception&) {
    return std::nullopt;  // no readable ledger: nothing is known about these data
  }
}

}  // namespace tulle
