#include <tulle/base/error.hpp>
#include <tulle/io/memory.hpp>
#include <tulle/job/payment.hpp>
#include <tulle/privacy/ledger/fingerprint.hpp>

namespace tulle {

Payment::Payment(const AccountAddress& address, std::string purpose, std::string file)
    : account_(address.account), purpose_(std::move(purpose)), file_(std::move(file)) {
  if (!address.ledger.empty()) ledger_.emplace(Ledger::open(address.ledger));
}

Pay Payment::on_first_release() {
  if (!ledger_) return {};
  return [this](const Curator& curator) {
    charge_ = ledger_->charge(account_, curator, purpose_, fingerprint());
  };
}

void Payment::check(const Curator& curator) const {
  if (ledger_) ledger_->check_charge(account_, curator, fingerprint());
}

std::string Payment::fingerprint() const {
  return file_ == "-" || is_in_memory(file_) ? "" : fingerprint_of_file(file_);
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

}  // namespace tulle
