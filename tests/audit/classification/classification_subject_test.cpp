#include "subjects.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(ClassificationSubjects, AreWithinTheirSensitivitiesAndCloseToThem) {
  for (const AuditEntry& entry : audit_entries()) {
    if (entry.neighbours.unit != Unit::example || entry.calibration != Calibration::sound) continue;
    const Subject subject = std::get<Subject>(entry.subject({1, entry.delta}));
    const ExactFinding finding = audit_exactly(*subject.pair, 1);
    EXPECT_TRUE(finding.holds()) << entry.name << ", " << subject.canary << ": " << finding.differs;
    EXPECT_GT(finding.ratio(), 0.95) << entry.name << ", " << subject.canary;
  }
}

}  // namespace
}  // namespace tulle
