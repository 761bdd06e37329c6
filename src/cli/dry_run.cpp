#include "dry_run.hpp"

#include "terminal/terminal.hpp"

#include <tulle/base/json.hpp>
#include <tulle/job/spending.hpp>
#include <tulle/privacy/protected.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace tulle::cli {
namespace {

// Steps of a method repeat the same release; nothing but its name may differ.
bool same_noise(const Record& one, const Record& other) {
  return one.noise == other.noise && one.deviation == other.deviation && one.numbers == other.numbers;
}

void print_releases(const std::vector<Record>& records) {
  fmt::print("{} (where later noise follows from earlier outcomes, as if these were zero)\n",
             bold("Releases:"));
  for (auto first = records.begin(); first != records.end();) {
    const auto end =
        std::find_if_not(first, records.end(), [&](const Record& each) { return same_noise(*first, each); });
    const auto count = end - first;
    fmt::print("  {}: {} {}, {}, standard deviation {:.4g}\n",
               count > 1 ? fmt::format("{} to {}, {} releases", first->what, std::prev(end)->what, count)
                         : first->what,
               first->numbers, first->numbers == 1 ? "value" : "values", first->noise, first->deviation);
    first = end;
  }
}

}  // namespace

void declare_dry_run(Verb& verb, bool& dry_run) {
  verb.add_flag("--dry-run", dry_run,
                "Print what the run would release and cost; nothing is charged, released or written");
}

void print_plan(const RunPlan& plan, bool json) {
  if (json) {
    fmt::print("{}\n", json_text(to_json(plan), 2));
    return;
  }
  fmt::print("{} nothing was charged, released or written\n{} {}\n", bold("Dry run:"), bold("Method:"),
             plan.method);
  print_releases(plan.guarantee.releases);
  for (const std::string& note : plan.owner_notes)
    fmt::print("{} {} ({})\n", bold("Note:"), note, kForTheOwner);
  fmt::print("{} {}\n", bold("Guarantee:"), sentence(plan.guarantee));
  if (!plan.account) return;
  const LedgerStatement& before = plan.account->before;
  fmt::print(
      "{} '{}' has spent epsilon {:.6g} of {:.6g}; a run of epsilon {:.6g} still fits, and one of {:.6g} "
      "after this run\n",
      bold("Budget:"), before.account.name, before.spent, before.granted.epsilon, largest_epsilon(before),
      plan.account->fits_after);
}

}  // namespace tulle::cli
