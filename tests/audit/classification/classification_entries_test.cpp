#include "classification/classification_entries.hpp"

#include <tulle/method/method.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace tulle {
namespace {

TEST(ClassificationEntries, CoverEveryFormOfEveryClassifier) {
  const std::vector<AuditEntry> entries = attacks::classification_entries();
  for (const Method& method : methods(Job::classification)) {
    const auto has = [&](const Neighbours& pair, Calibration calibration) {
      return std::ranges::any_of(entries, [&](const AuditEntry& entry) {
        return entry.name == method.name && entry.neighbours == pair && entry.calibration == calibration;
      });
    };
    for (const Neighbours& pair : method.protects)
      EXPECT_TRUE(has(pair, Calibration::sound)) << method.name << " " << name(pair.relation);
    EXPECT_TRUE(
        !method.has(Calibration::published) ||
        std::ranges::any_of(method.protects,
                            [&](const Neighbours& pair) { return has(pair, Calibration::published); }))
        << method.name;
  }
}

TEST(ClassificationEntries, AreWithinTheirSensitivitiesAndCloseToThem) {
  for (const AuditEntry& entry : attacks::classification_entries()) {
    if (entry.calibration != Calibration::sound) continue;
    const Subject subject = std::get<Subject>(entry.subject({1, entry.delta}));
    const ExactFinding finding = audit_exactly(*subject.pair, 1);
    EXPECT_TRUE(finding.holds()) << entry.name << ", " << subject.canary << ": " << finding.differs;
    EXPECT_GT(finding.ratio(), 0.95) << entry.name << ", " << subject.canary;
  }
}

}  // namespace
}  // namespace tulle
