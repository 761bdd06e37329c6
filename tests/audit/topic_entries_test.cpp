#include "topic_entries.hpp"

#include <tulle/method/method.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace tulle {
namespace {

TEST(TopicEntries, CoverEveryFormOfEveryTopicMethod) {
  for (const Method& method : methods(Job::topics)) {
    const auto has = [&](std::string_view model, Calibration calibration) {
      return std::ranges::any_of(attacks::topic_entries(), [&](const AuditEntry& entry) {
        return entry.name == method.name && entry.model == model && entry.calibration == calibration;
      });
    };
    EXPECT_TRUE(!method.is_private() || has("topics", Calibration::sound)) << method.name;
    EXPECT_TRUE(!method.is_private() || has("mixture", Calibration::sound)) << method.name;
    EXPECT_TRUE(!method.has(Calibration::published) || has("topics", Calibration::published)) << method.name;
  }
}

TEST(TopicEntries, AreWithinTheirSensitivities) {
  for (const AuditEntry& entry : attacks::topic_entries()) {
    if (entry.calibration != Calibration::sound) continue;
    const Subject subject = std::get<Subject>(entry.subject({1, entry.delta}));
    const ExactFinding finding = audit_exactly(*subject.pair, 1);
    EXPECT_TRUE(finding.holds()) << entry.name << ", " << subject.canary << ": " << finding.differs;
    EXPECT_FALSE(finding.releases.empty()) << entry.name;
  }
}

// The order of words is in no release of a sound form.
TEST(TopicEntries, TheOrderOfWordsChangesNoExactAnswer) {
  int entries = 0;
  for (const AuditEntry& entry : attacks::topic_entries()) {
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
