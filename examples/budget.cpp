// Keeps a budget over several runs: a ledger is charged before each of them, and refuses what would exceed
// the grant.
//
//   budget ratings.csv ledger.db
#include <tulle/tulle.hpp>

#include <fmt/core.h>

int main(int argc, char** argv) try {
  if (argc != 3) tulle::fail_usage("usage: budget ratings.csv ledger.db");
  const std::string data = argv[1], place = argv[2];

  // Once for a data set: who is protected, and how much may be spent on it in all.
  tulle::Ledger ledger = tulle::Ledger::open_or_make(place);
  ledger.create({.name = "ratings", .unit = tulle::Unit::entry, .relation = tulle::Relation::replace});
  ledger.grant("ratings", {.epsilon = 1}, "for the season");

  const tulle::CompletionJob job{.method = "auto", .terms = {.budget = {.epsilon = 0.4}, .range = {0, 1}}};
  const tulle::Dataset ratings = tulle::read(data);
  for (int run = 1; run <= 2; ++run) {
    tulle::Payment payment({.ledger = place, .account = "ratings"}, fmt::format("run {}", run), data);
    job.run(ratings, payment.on_first_release());
    payment.delivered();  // once everything is saved: a crash before counts as spent
    fmt::print("run {}: spent {:g} of 1\n", run, ledger.statement("ratings").spent);
  }

  // 0.2 are left; a third run is refused before it looks at the data.
  tulle::Payment payment({.ledger = place, .account = "ratings"}, "run 3", data);
  try {
    job.run(ratings, payment.on_first_release());
  } catch (const tulle::Error& refusal) {
    fmt::print("run 3: {}\n", refusal.what());
    return 0;
  }
  return 1;
} catch (const tulle::Error& error) {
  fmt::print(stderr, "budget: {}\n", error.what());
  return 1;
}
