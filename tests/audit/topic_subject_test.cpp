#include "subjects.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tulle {
namespace {

// The worst cases of all methods for topics.
std::vector<AuditEntry> topic_entries() {
  std::vector<AuditEntry> entries;
  for (const Method& method : methods(Job::topics))
    for (const WorstCase& worst : method.worst_cases) entries.push_back(attacks::entry_of(method, worst));
  return entries;
}

TEST(TopicSubjects, AreWithinTheirSensitivities) {
  for (const AuditEntry& entry : topic_entries()) {
    if (entry.calibration != Calibration::sound) continue;
    const Subject subject = std::get<Subject>(entry.subject({1, entry.delta}));
    const ExactFinding finding = audit_exactly(*subject.pair, 1);
    EXPECT_TRUE(finding.holds()) << entry.name << ", " << subject.canary << ": " << finding.differs;
    EXPECT_FALSE(finding.releases.empty()) << entry.name;
  }
}

// The order of words is in no release of a sound form.
TEST(TopicSubjects, TheOrderOfWordsChangesNoExactAnswer) {
  int entries = 0;
  for (const AuditEntry& entry : topic_entries()) {
    const Subject subject = std::get<Subject>(entry.subject({1, entry.delta}));
    if (entry.calibration != Calibration::sound || subject.canary != "the order of a document's words")
      continue;
    EXPECT_EQ(audit_exactly(*subject.pair, 1).ratio(), 0) << entry.name;
    ++entries;
  }
  EXPECT_GE(entries, 3);
}

}  // namespace
}  // namespace tulle
