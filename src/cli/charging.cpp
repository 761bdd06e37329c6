#include "charging.hpp"

#include "terminal/interrupt.hpp"
#include "terminal/terminal.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/job/spending.hpp>
#include <tulle/privacy/protected.hpp>

namespace tulle::cli {

void tell_owner(const std::string& note) {
  say(fmt::format("{} ({})", note, kForTheOwner));
}

Watcher on_terminal(Observer observer) {
  return {.observer = std::move(observer),
          .tell_owner = [](const std::string& note) { say(note); },
          .when_interrupted = say_when_interrupted,
          .stopped = {}};
}

void write_outputs(const std::string& account, const std::function<void()>& write) {
  const std::string written = "the outputs may have been written, or some of them";
  say_when_interrupted(account.empty() ? written : fmt::format("'{}' was charged, and {}", account, written));
  try {
    write();
  } catch (const Error& error) {
    if (account.empty()) throw;
    fail("{}; '{}' was charged all the same: releases had been made", error.text(), account);
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

void print_json(Json report, const Payment& payment) {
  fmt::print("{}\n", json_text(with_balance(std::move(report), payment), 2));
}

}  // namespace tulle::cli
