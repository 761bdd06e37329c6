#include "completion_entries.hpp"

#include <tulle/method/method.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace tulle {
namespace {

bool has_entry(const Method& method, Calibration calibration, const std::optional<Neighbours>& neighbours) {
  return std::ranges::any_of(attacks::completion_entries(), [&](const AuditEntry& entry) {
    return entry.name == method.name && entry.calibration == calibration &&
           (!neighbours || entry.neighbours == *neighbours);
  });
}

TEST(CompletionEntries, CoverEveryFormOfEveryMethod) {
  for (const Method& method : methods(Job::completion)) {
    for (const Neighbours& neighbours : method.protects) {
      if (method.guarantee == "none is proven") continue;
      EXPECT_TRUE(has_entry(method, Calibration::sound, neighbours))
          << "method " << method.name << " has no audit entry for unit " << name(neighbours.unit) << " under "
          << name(neighbours.relation) << "; add one in src/audit";
    }
    EXPECT_TRUE(!method.has(Calibration::published) || has_entry(method, Calibration::published, {}))
        << "method " << method.name << " has no audit entry as published; add one in src/audit";
  }
}

// The canary's two data sets meet the bound of some release: on them a sensitivity that is too small by a
// tenth would show without any attack.
TEST(CompletionEntries, ReachTheirSensitivities) {
  for (const char* method : {"one-shot", "input", "als"}) {
    double largest = 0;
    for (const AuditEntry& entry : attacks::completion_entries()) {
      if (entry.name != method || entry.calibration != Calibration::sound) continue;
      const auto made = entry.subject({1, entry.delta});
      const auto* const subject = std::get_if<Subject>(&made);
      if (!subject || !subject->pair) continue;
      const ExactFinding finding = audit_exactly(*subject->pair, 1);
      EXPECT_TRUE(finding.holds()) << method << " " << finding.differs;
      largest = std::max(largest, finding.ratio());
    }
    EXPECT_GT(largest, 0.9) << method;
  }
}

}  // namespace
}  // namespace tulle
