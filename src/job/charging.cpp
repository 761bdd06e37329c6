#include <tulle/base/json.hpp>
#include <tulle/job/charging.hpp>
#include <tulle/job/owner_notes.hpp>
#include <tulle/job/spending.hpp>
#include <tulle/privacy/protected.hpp>

namespace tulle {

BeforeCharge before_charge(Payment& payment, const LedgerOptions& ledger, bool is_private,
                           const std::vector<std::string>& data, const std::vector<LostData>& losses) {
  payment.begin();
  if (!is_private || ledger.silent) return {};
  BeforeCharge before;
  if (ledger.account.empty())
    if (const auto note = uncharged_note(default_ledger(), data)) before.notes.push_back(*note);
  before.told = before.notes;
  for (const LostData& loss : losses)
    if (loss.share > kLossToTell) before.told.push_back(told(loss));
  return before;
}

Pay watched_pay(const std::string& account, Pay pay, const BeforeCharge& before, const Watcher& watcher,
                bool& charged) {
  if (before.told.empty() && !pay) return pay;
  const auto say = [watcher](const std::string& what) {
    if (watcher.when_interrupted) watcher.when_interrupted(what);
  };
  return [account, say, watcher, told = before.told, pay = std::move(pay), &charged](const Curator& curator) {
    for (const std::string& note : told)
      if (watcher.tell_owner) watcher.tell_owner(fmt::format("{} ({})", note, kForTheOwner));
    if (!pay) return;
    say(fmt::format("nothing was written; whether '{}' was charged: tulle budget show {}", account, account));
    if (watcher.stopped && watcher.stopped()) fail("interrupted before '{}' was charged", account);
    pay(curator);
    charged = true;
    say(fmt::format("nothing was written, but '{}' was charged: releases had begun", account));
  };
}

Json with_balance(Json report, const Payment& payment) {
  if (const auto statement = payment.statement())
    report["budget"] = {{"name", statement->account.name},
                        {"epsilon", statement->granted.epsilon},
                        {"delta", statement->granted.delta},
                        {"spent", statement->spent},
                        {"fits", largest_epsilon(*statement)}};
  return report;
}

}  // namespace tulle
