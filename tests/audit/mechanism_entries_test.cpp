#include "mechanism_entries.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tulle {
namespace {

Finding audited(const std::string& name, double epsilon, std::uint64_t trials) {
  for (const AuditEntry& entry : attacks::mechanism_entries())
    if (entry.name == name) return audit(entry, {epsilon, entry.delta}, {.trials = trials});
  ADD_FAILURE() << "no entry " << name;
  return {};
}

TEST(MechanismEntries, BoundsAreTight) {
  EXPECT_GT(audited("laplace", 1, 30'000).epsilon(), 0.9);
  EXPECT_GT(audited("gaussian", 1, 40'000).epsilon(), 0.7);
  EXPECT_GT(audited("staircase", 4, 30'000).epsilon(), 3.4);
}

// Every kind of noise that a curator has, and every way in which releases compose.
TEST(MechanismEntries, CoverTheMechanisms) {
  std::set<std::string> names;
  for (const AuditEntry& entry : attacks::mechanism_entries()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_TRUE(entry.model.empty());
  }
  for (const char* name :
       {"laplace", "staircase", "gaussian", "duchi", "piecewise", "discrete-laplace", "gamma-norm",
        "planned-gaussian", "sampled-gaussian", "adaptive", "discrete-gaussian"})
    EXPECT_TRUE(names.contains(name)) << name;
}

// The two data sets of every entry are as far apart as the sensitivity says, and no farther: noise for half
// of it would be seen without any attack.
TEST(MechanismEntries, AreAsFarApartAsTheSensitivity) {
  for (const AuditEntry& entry : attacks::mechanism_entries()) {
    const Subject subject = std::get<Subject>(entry.subject({1, entry.delta}));
    if (!subject.pair) continue;
    const ExactFinding finding = audit_exactly(*subject.pair, 1);
    EXPECT_TRUE(finding.holds()) << entry.name << " " << finding.differs;
    EXPECT_GT(finding.ratio(), 0.999) << entry.name;
  }
}

}  // namespace
}  // namespace tulle
