#include "charging.hpp"

#include "terminal/interrupt.hpp"
#include "terminal/terminal.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/job/owner_notes.hpp>
#include <tulle/job/spending.hpp>
#include <tulle/privacy/protected.hpp>

namespace tulle::cli {
namespace {

thread_local const std::atomic<bool>* charging_stopped = nullptr;
thread_local std::function<void(const std::string&)> tell_instead;

}  // namespace

void charge_unless(const std::atomic<bool>* stopped) {
  charging_stopped = stopped;
}

void tell_owner(const std::string& note) {
  const std::string marked = fmt::format("{} ({})", note, kForTheOwner);
  if (tell_instead) return tell_instead(marked);
  say(marked);
}

void tell_owner_through(std::function<void(const std::string&)> tell) {
  tell_instead = std::move(tell);
}

BeforeCharge before_charge(const LedgerOptions& ledger, bool is_private, const std::vector<std::string>& data,
                           const std::vector<LostData>& losses) {
  if (!is_private || ledger.silent) return {};
  BeforeCharge before;
  if (ledger.account.empty())
    if (const auto note = uncharged_note(default_ledger(), data)) before.notes.push_back(*note);
  before.told = before.notes;
  for (const LostData& loss : losses)
    if (loss.share > kLossToTell) before.told.push_back(loss.what);
  return before;
}

Pay told_first(const BeforeCharge& before, Pay pay) {
  if (before.told.empty()) return pay;
  return [told = before.told, pay = std::move(pay)](const Curator& curator) {
    for (const std::string& note : told) tell_owner(note);
    if (pay) pay(curator);
  };
}

Pay announced(const std::string& account, Pay pay, bool& charged) {
  if (!pay) return pay;
  return [account, pay = std::move(pay), &charged](const Curator& curator) {
    say_when_interrupted(
        fmt::format("nothing was written; whether '{}' was charged: tulle budget show {}", account, account));
    if (charging_stopped && *charging_stopped) fail("interrupted before '{}' was charged", account);
    pay(curator);
    charged = true;
    say_when_interrupted(
        fmt::format("nothing was written, but '{}' was charged: releases had begun", account));
  };
}

void write_outputs(const std::string& account, const std::function<void()>& write) {
  const std::string written = "the outputs may have been written, or some of them";
  say_when_interrupted(account.empty() ? written : fmt::format("'{}' was charged, and {}", account, written));
  try {
    write();
  } catch (const Error& error) {
    if (account.empty()) throw;
    fail("{}; '{}' was charged all the same: releases had been made", error.what(), account);
  }
  say_when_interrupted("the outputs were written");
}

void print_balance(const Payment& payment) {
  const auto statement = payment.statement();
  if (!statement) return;
  fmt::print("{} '{}' has spent epsilon {:.6g} of {:.6g}; a run of epsilon {:.6g} still fits\n",
             bold("Budget:"), statement->account.name, statement->spent, statement->granted.epsilon,
             largest_epsilon(*statement));
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

void print_json(Json report, const Payment& payment) {
  fmt::print("{}\n", json_text(with_balance(std::move(report), payment), 2));
}

}  // namespace tulle::cli
