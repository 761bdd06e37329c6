#include "method/private_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tulle {
namespace {

using ::testing::HasSubstr;
using testing::PrivateRun;

// Users who like the first half of the items, or the second: counts of 8 and 1.
SparseTensor counts(Index users, Index items) {
  SparseTensor tensor(Shape{users, items}, Unlisted::missing);
  for (Index user = 0; user < users; ++user)
    for (Index item = 0; item < items; ++item)
      tensor.append(std::array<Index, 2>{user, item}, user % 2 == (item < items / 2 ? 0U : 1U) ? 8.0F : 1.0F);
  return tensor;
}

PrivateRun ldp1(double epsilon) {
  PrivateRun run{"ldp1"};
  run.terms.budget = {epsilon, 0};
  run.terms.range = {0, 10};
  return run;
}

TEST(Ldp1, FindsTheGroupsInNoisyCounts) {
  const Completion completion = ldp1(10)(counts(30, 20));
  EXPECT_EQ(completion.guarantee.status, Guarantee::Status::proven);
  EXPECT_LE(completion.guarantee.used.epsilon, 10);
  EXPECT_EQ(completion.guarantee.used.delta, 0);
  const DenseTensor got = reconstruct(completion.model);
  EXPECT_GT(got.values()[0], got.values()[19] + 3) << "user 1 likes item 1, not item 20";
}

TEST(Ldp1, FindsTheGroupsByVariationalBayes) {
  PrivateRun run = ldp1(10);
  run.settings.set(setting::posterior, CountPosterior::vb);
  const Completion completion = run(counts(30, 20));
  EXPECT_EQ(completion.solver, "vb");
  EXPECT_EQ(completion.guarantee.releases.size(), ldp1(10)(counts(30, 20)).guarantee.releases.size());
  const DenseTensor got = reconstruct(completion.model);
  EXPECT_GT(got.values()[0], got.values()[19] + 3);
  run.terms.range = {0, 1e9};
  EXPECT_THAT(run.refusal(counts(4, 4)), HasSubstr("take gibbs"));
  run.terms = ldp1(0.5).terms;
  run.terms.calibration = Calibration::published;
  EXPECT_THAT(run.refusal(counts(4, 4)), HasSubstr("omit the posterior"));
}

// alpha = exp(-epsilon / width): for a width of 4 and epsilon 1 a variance of 31.833853.
TEST(Ldp1, NoiseIsForTheWholeRange) {
  PrivateRun run = ldp1(1);
  run.terms.range = {1, 5};
  const double deviation = run(counts(4, 4)).guarantee.releases.front().deviation;
  EXPECT_NEAR(deviation * deviation, 31.833853, 1e-3);
}

// As printed, with epsilon for alpha: the smaller epsilon, the less noise, and none is defined from 1 on.
TEST(Ldp1, AsPublishedASmallerEpsilonHasLessNoise) {
  const auto deviation = [](double epsilon, Calibration calibration) {
    PrivateRun run = ldp1(epsilon);
    run.terms.calibration = calibration;
    return run(counts(4, 4)).guarantee.releases.front().deviation;
  };
  EXPECT_LT(deviation(0.05, Calibration::published), deviation(0.1, Calibration::published));
  EXPECT_GT(deviation(0.05, Calibration::sound), deviation(0.1, Calibration::sound));
  PrivateRun run = ldp1(1);
  run.terms.calibration = Calibration::published;
  EXPECT_THAT(run.refusal(counts(4, 4)), HasSubstr("not runnable as printed"));
}

TEST(Ldp1, TakesCountsAlone) {
  PrivateRun run = ldp1(1);
  run.terms.range = {0, 1.5};
  EXPECT_THAT(run.refusal(counts(4, 4)), HasSubstr("whole numbers"));
  run.terms.range = {-1, 1};
  EXPECT_THAT(run.refusal(counts(4, 4)), HasSubstr("whole numbers"));
  run.terms.range = {0x1p65, 0x1p65 + 0x1p52};
  EXPECT_THAT(run.refusal(counts(4, 4)), HasSubstr("up to 2^53"));
}

// Without other sites there is nobody to keep a model from.
TEST(Ldp2, InOnePlaceIsLdp1) {
  PrivateRun other = ldp1(1);
  other.method = "ldp2";
  const Completion one = ldp1(1)(counts(4, 4)), two = other(counts(4, 4));
  EXPECT_EQ(testing::cp(one).factors[1], testing::cp(two).factors[1]);
  EXPECT_FALSE(two.with_user_rows);
  other.terms.calibration = Calibration::published;
  EXPECT_THAT(other.refusal(counts(4, 4)), HasSubstr("not runnable as printed"));
}

}  // namespace
}  // namespace tulle
