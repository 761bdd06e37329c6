#include "recovery.hpp"

#include "uniform.hpp"

#include <tulle/audit/entries.hpp>
#include <tulle/audit/report.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// What `output` prints of a secret.
Subject prints(bool graded, std::function<std::vector<double>(double, RandomBits&)> output) {
  return {
      .canary = "made up",
      .graded = graded,
      .claimed_epsilon = 1,
      .account = [] { return Guarantee(); },
      .run = [output = std::move(output)](
                 double secret, RandomBits& bits) { return Observation{.output = output(secret, bits)}; }};
}

TEST(Recovery, FindsTheNumberThatHasNoNoise) {
  const Subject leaky = prints(true, [](double secret, RandomBits& bits) {
    return std::vector{uniform(bits), 3 * secret - 1};
  });
  const auto found = attacks::recover_values(leaky, 1);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->right, found->trials);
  EXPECT_EQ(found->values, 8);
}

TEST(Recovery, OfTwoSecretsTellsWhichOfTheTwo) {
  const auto found = attacks::recover_values(
      prints(false, [](double secret, RandomBits&) { return std::vector{secret}; }), 1);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->values, 2);
}

// A number that differs in every run determines nothing, and neither does one that is the same for all
// values.
TEST(Recovery, FindsNothingInNoiseOrInConstants) {
  const Subject noisy = prints(true, [](double secret, RandomBits& bits) {
    return std::vector{secret + uniform(bits), 7.0};
  });
  EXPECT_FALSE(attacks::recover_values(noisy, 1));
}

// Where nothing is published, the releases are what everybody sees.
TEST(Recovery, LooksAtReleasesWhereThereIsNoOutput) {
  Subject released = prints(true, {});
  released.run = [](double secret, RandomBits&) { return Observation{.releases = {secret}}; };
  EXPECT_TRUE(attacks::recover_values(released, 1));
}

TEST(Recovery, SucceedsOnPublishedForms) {
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

}  // namespace
}  // namespace tulle
