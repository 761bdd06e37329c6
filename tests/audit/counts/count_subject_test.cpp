#include <tulle/audit/entries.hpp>
#include <tulle/privacy/noise/random_bits.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(CountSubject, EveryWorstCaseIsWithinItsSensitivity) {
  int cases = 0;
  for (const AuditEntry& entry : audit_entries()) {
    if (entry.model != "counts") continue;
    const auto subject = std::get<Subject>(entry.subject({1, entry.delta}));
    const ExactFinding finding = audit_exactly(*subject.pair, 1);
    EXPECT_TRUE(finding.holds()) << entry.name << ": " << finding.differs;
    EXPECT_FALSE(finding.releases.empty()) << entry.name;
    EXPECT_LE(subject.account().used.epsilon, 1) << entry.name;
    RandomBits bits = RandomBits::seeded(2);
    EXPECT_FALSE(subject.run(1, bits).output.empty()) << entry.name;
    ++cases;
  }
  EXPECT_EQ(cases, 20);
}

}  // namespace
}  // namespace tulle
