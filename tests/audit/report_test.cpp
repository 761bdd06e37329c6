#include <tulle/audit/report.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace tulle {
namespace {

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

// A claim of epsilon 1 at delta 1e-6 that an attack bounds from below by `epsilon`.
AuditRow row_of(double epsilon) {
  AuditRow row{.entry = {.name = "als", .model = "cp"}, .budget = {1, 1e-6}, .finding = {}};
  row.finding.guarantee.status = Guarantee::Status::proven;
  row.finding.guarantee.used = {1, 1e-6};
  row.finding.claimed_epsilon = 1;
  row.finding.confidence = 0.999;
  row.finding.black_box = Attack{.attacker = "linear",
                                 .bound = "error rates",
                                 .epsilon = epsilon,
                                 .trials = 90,
                                 .guesses = 60,
                                 .right = 40,
                                 .curve = {}};
  return row;
}

TEST(AuditReport, NamesTheFormAndTheNeighbours) {
  AuditEntry entry{.name = "gradient", .calibration = Calibration::published, .model = "cp"};
  EXPECT_EQ(what(entry), "gradient as published (cp), entry under replace");
  EXPECT_EQ(what(PairKind{"als", {Unit::user, Relation::add_remove}, ""}), "als, user under add-remove");
}

TEST(AuditReport, SentencesSayTheBoundAndTheVerdict) {
  EXPECT_EQ(sentence(row_of(0.25)),
            "als (cp), entry under replace: epsilon >= 0.25 (claimed 1, delta 1e-06): consistent");
  EXPECT_EQ(sentence(row_of(1.5)),
            "als (cp), entry under replace: epsilon >= 1.5 (claimed 1, delta 1e-06): VIOLATED by 0.5");
  EXPECT_EQ(how_measured(*row_of(1).finding.black_box),
            "linear: 40 of 60 guesses right in 90 trials, bounded by error rates");
}

TEST(AuditReport, SummariesOfPairsListViolations) {
  ExactSummary summary{.kind = {"als", {Unit::entry, Relation::replace}, "cp"}, .pairs = 10, .releases = 30};
  summary.ratio = 0.5;
  EXPECT_NE(sentence(summary).find("10 pairs, 30 releases"), std::string::npos);
  EXPECT_NE(sentence(summary).find(": holds"), std::string::npos);
  summary.violated = 1;
  summary.violations = {"pair 7"};
  EXPECT_NE(sentence(summary).find("VIOLATED by 1 pairs\n  pair 7"), std::string::npos);
}

TEST(AuditReport, WithoutAProvenGuaranteeThereIsNoFalseAlarmToSpeakOf) {
  std::vector<AuditRow> rows(2, row_of(1.5));
  EXPECT_NE(to_markdown(rows).find("Of the 2 rows here, 2 have a proven guarantee"), std::string::npos);
  for (AuditRow& row : rows) row.finding.guarantee.status = Guarantee::Status::claimed;
  const std::string page = to_markdown(rows);
  EXPECT_EQ(page.find("probability"), std::string::npos) << page;
  EXPECT_NE(page.find("None of the 2 rows here has a proven guarantee"), std::string::npos) << page;
  EXPECT_NE(page.find("| not proven |"), std::string::npos) << page;
  EXPECT_NE(page.find("its bound can be the lower one"), std::string::npos) << page;
}

// By a union bound over the rows with a proven guarantee.
TEST(AuditReport, FalseAlarmsAddUp) {
  std::vector<AuditRow> rows(3, row_of(0.5));
  EXPECT_NEAR(false_alarm_rate(rows), 0.003, 1e-12);
  rows[0].finding.guarantee.status = Guarantee::Status::none;
  EXPECT_NEAR(false_alarm_rate(rows), 0.002, 1e-12);
}

}  // namespace
}  // namespace tulle
