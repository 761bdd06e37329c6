#include <tulle/audit/report.hpp>
#include <tulle/method/topics.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace tulle {
namespace {

bool has_entry(const Method& method, Calibration calibration, const std::optional<Neighbours>& neighbours) {
  return std::ranges::any_of(audit_entries(), [&](const AuditEntry& entry) {
    return entry.name == method.name && entry.calibration == calibration &&
           (!neighbours || entry.neighbours == *neighbours);
  });
}

TEST(AuditEntries, CoverEveryFormOfEveryMethod) {
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

TEST(AuditEntries, CoverEveryFormOfEveryTopicMethod) {
  for (const Method& method : methods(Job::topics)) {
    const auto has = [&](std::string_view model, Calibration calibration) {
      return std::ranges::any_of(audit_entries(), [&](const AuditEntry& entry) {
        return entry.name == method.name && entry.model == model && entry.calibration == calibration;
      });
    };
    EXPECT_TRUE(!method.is_private() || has("topics", Calibration::sound)) << method.name;
    EXPECT_TRUE(!method.is_private() || has("mixture", Calibration::sound)) << method.name;
    EXPECT_TRUE(!method.has(Calibration::published) || has("topics", Calibration::published)) << method.name;
  }
}

class QuickAudit : public ::testing::TestWithParam<std::size_t> {};

// Published forms that are listed as broken are caught, sound ones come out clean. Seeds are fixed; with
// others a sound one would come out as violated once in 1000 at most.
TEST_P(QuickAudit, TellsSoundFromBroken) {
  const AuditEntry& entry = audit_entries()[GetParam()];
  if (entry.slow) GTEST_SKIP() << "takes minutes: it is part of tulle audit --all";
  const Budget budget{1, entry.delta};
  const AuditRow row{entry, budget, audit(entry, budget, {.trials = entry.quick_trials})};
  const Verdict expected = entry.calibration == Calibration::published               ? Verdict::violated
                           : row.finding.guarantee.status == Guarantee::Status::none ? Verdict::no_claim
                                                                                     : Verdict::consistent;
  EXPECT_EQ(row.finding.verdict(), expected) << sentence(row);
}

std::string test_name(const ::testing::TestParamInfo<std::size_t>& info) {
  std::string name = fmt::format("{}_{}", info.param, what(audit_entries()[info.param]));
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, QuickAudit, ::testing::Range<std::size_t>(0, audit_entries().size()),
                         test_name);

Finding audited(const std::string& name, double epsilon, std::uint64_t trials) {
  for (const AuditEntry& entry : audit_entries())
    if (entry.name == name) return audit(entry, {epsilon, entry.delta}, {.trials = trials});
  ADD_FAILURE() << "no entry " << name;
  return {};
}

TEST(AuditOfMechanisms, IsTight) {
  EXPECT_GT(audited("laplace", 1, 30'000).epsilon(), 0.9);
  EXPECT_GT(audited("gaussian", 1, 40'000).epsilon(), 0.7);
  EXPECT_GT(audited("staircase", 4, 30'000).epsilon(), 3.4);
}

TEST(AuditOfPublishedForms, RecoversTheValue) {
  int recovered = 0;
  for (const AuditEntry& entry : audit_entries()) {
    if (entry.calibration != Calibration::published) continue;
    const Finding finding = audit(entry, {1, entry.delta}, {.trials = 200});
    if (entry.name == "gradient" || entry.name == "output" || entry.name == "factor" ||
        entry.name == "local") {
      EXPECT_TRUE(finding.recovery) << what(entry);
      ++recovered;
    }
  }
  EXPECT_GE(recovered, 4);
}

TEST(AuditReport, SaysWhatWasFound) {
  std::vector<AuditRow> rows;
  for (const AuditEntry& entry : audit_entries())
    if (entry.name == "factor" && rows.size() < 3)
      rows.push_back({entry, {1, entry.delta}, audit(entry, {1, entry.delta}, {.trials = 400})});
  const std::string markdown = to_markdown(rows), page = to_page(rows);
  EXPECT_NE(markdown.find("| factor cp | sound | entry, replace |"), std::string::npos) << markdown;
  EXPECT_NE(page.find("<svg"), std::string::npos);
  EXPECT_NE(page.find("value recovered"), std::string::npos);
  EXPECT_EQ(page.find("http://", page.find("</svg>")), page.find("http://www.w3.org", page.find("</svg>")));
  EXPECT_NEAR(false_alarm_rate(rows), 0.002, 1e-12);
}

}  // namespace
}  // namespace tulle
