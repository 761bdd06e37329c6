#include "charging.hpp"

#include "terminal/interrupt.hpp"
#include "terminal/terminal.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/job/spending.hpp>

namespace tulle::cli {
namespace {

thread_local const std::atomic<bool>* charging_stopped = nullptr;

}  // namespace

void charge_unless(const std::atomic<bool>* stopped) {
  charging_stopped = stopped;
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
