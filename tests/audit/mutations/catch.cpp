// Exit 0 if the fault that was built in is caught: by the audit, or by the curator.
#include <tulle/audit/report.hpp>
#include <tulle/base/error.hpp>

#include <cstdio>
#include <functional>
#include <map>
#include <string>

namespace tulle {
namespace {

struct Look {
  std::string name;
  Neighbours neighbours{Unit::entry, Relation::replace};
  std::uint64_t trials = 20'000;
};

bool the_audit_says_violated(const Look& look) {
  for (const AuditEntry& entry : audit_entries()) {
    if (entry.name != look.name || entry.calibration != Calibration::sound ||
        !(entry.neighbours == look.neighbours))
      continue;
    const AuditRow row{entry, {1, entry.delta}, audit(entry, {1, entry.delta}, {.trials = look.trials})};
    fmt::print("{}\n", sentence(row));
    if (row.finding.verdict() == Verdict::violated) return true;
  }
  return false;
}

bool the_curator_refuses(const Look& look) {
  try {
    the_audit_says_violated(look);
  } catch (const Error& error) {
    fmt::print("{}\n", error.what());
    return std::string(error.what()).find("the plan costs epsilon") != std::string::npos;
  }
  return false;
}

const std::map<std::string, std::function<bool()>> kCaughtBy = {
    {"noise_halved", [] { return the_audit_says_violated({.name = "laplace"}); }},
    {"noise_in_floating_point", [] { return the_audit_says_violated({.name = "laplace"}); }},
    {"clipping_skipped", [] { return the_audit_says_violated({.name = "gradient", .trials = 8'000}); }},
    {"user_clipping_skipped",
     [] {
       return the_audit_says_violated({.name = "gradient", .neighbours = {Unit::user, Relation::add_remove}});
     }},
    {"split_forgotten", [] { return the_curator_refuses({.name = "output"}); }},
    {"composition_forgotten", [] { return the_audit_says_violated({.name = "planned-gaussian"}); }},
    {"poisson_by_fixed_batch",
     [] {
       return the_audit_says_violated(
           {.name = "sampled-gaussian", .neighbours = {Unit::entry, Relation::add_remove}, .trials = 5'000});
     }},
    {"factor_without_noise", [] { return the_audit_says_violated({.name = "output", .trials = 5'000}); }},
    {"release_not_recorded", [] { return the_audit_says_violated({.name = "adaptive", .trials = 10'000}); }},
};

}  // namespace
}  // namespace tulle

int main(int, char** arguments) {
  const bool caught = tulle::kCaughtBy.at(arguments[1])();
  fmt::print("{}: {}\n", arguments[1], caught ? "caught" : "NOT CAUGHT");
  return caught ? 0 : 1;
}
