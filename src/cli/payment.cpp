#include "payment.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/ledger/fingerprint.hpp>

namespace tulle::cli {

void LedgerOptions::declare(CLI::App& verb) {
  verb.add_option("--ledger", ledger, "Spend from a ledger: a file, or postgresql://..")->group("Privacy");
  verb.add_option("--account", account, "The ledger's account for these data (see: tulle budget)")
      ->group("Privacy");
}

void LedgerOptions::check(bool is_private) const {
  if (account.empty() != ledger.empty()) fail_usage("--ledger WHERE and --account NAME go together");
  if (!is_private && !ledger.empty())
    fail_usage("--method plain promises nothing that a ledger could keep; leave --ledger out");
}

Payment::Payment(const LedgerOptions& options, std::string purpose, std::string file)
    : account_(options.account), purpose_(std::move(purpose)), file_(std::move(file)) {
  if (!options.ledger.empty()) ledger_.emplace(Ledger::open(options.ledger));
}

std::function<void(const Curator&)> Payment::on_first_release() {
  if (!ledger_) return {};
  return [this](const Curator& curator) {
    charge_ = ledger_->charge(account_, curator, purpose_, file_ == "-" ? "" : fingerprint_of_file(file_));
  };
}

void Payment::delivered() {
  if (charge_) ledger_->deliver(*charge_);
}

}  // namespace tulle::cli
