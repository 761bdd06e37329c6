#include "uniform.hpp"

#include <tulle/audit/audit.hpp>
#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/privacy/noise/continuous.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

double normal(RandomBits& bits) {
  double value = 0;
  Gaussian::with_sigma(1).fill({&value, 1}, bits);
  return value;
}

// A claim of (epsilon, 0) about what `output` prints of the secret.
Subject claims(double epsilon, std::function<std::vector<double>(double, RandomBits&)> output) {
  return {
      .canary = "made up",
      .graded = true,
      .claimed_epsilon = epsilon,
      .account =
          [epsilon] {
            Guarantee guarantee;
            guarantee.status = Guarantee::Status::proven;
            guarantee.used = {epsilon, 0};
            return guarantee;
          },
      .run = [output = std::move(output)](
                 double secret, RandomBits& bits) { return Observation{.output = output(secret, bits)}; }};
}

TEST(Audit, FindsNothingWhereThereIsNothing) {
  const Subject deaf = claims(0.1, [](double, RandomBits& bits) {
    return std::vector{normal(bits), uniform(bits)};
  });
  const Finding finding = audit(deaf, {.trials = 4000});
  EXPECT_EQ(finding.verdict(), Verdict::consistent);
  EXPECT_LT(finding.epsilon(), 0.05);
  EXPECT_FALSE(finding.recovery);
}

TEST(Audit, TheLinearAttackerFindsADirectionWithoutNoise) {
  const Subject mirrored = claims(1, [](double secret, RandomBits& bits) {
    const double noise = 1000 * normal(bits);
    return std::vector{noise + secret, noise, normal(bits)};
  });
  const Finding finding = audit(mirrored, {.trials = 2000});
  EXPECT_EQ(finding.verdict(), Verdict::violated);
  EXPECT_EQ(finding.black_box->attacker, "linear");
  EXPECT_EQ(finding.black_box->right, finding.black_box->guesses);
}

TEST(Audit, TheLearnedAttackerSeesSpreadsAndProducts) {
  const Subject wide =
      claims(1, [](double secret, RandomBits& bits) { return std::vector{(1 + 9 * secret) * normal(bits)}; });
  EXPECT_EQ(audit(wide, {.trials = 4000}).verdict(), Verdict::violated);
  const Subject correlated = claims(1, [](double secret, RandomBits& bits) {
    const double x = normal(bits), sign = secret >= 0.5 ? 1 : -1;
    return std::vector{x, sign * x + 0.1 * normal(bits)};
  });
  const Finding finding = audit(correlated, {.trials = 4000});
  EXPECT_EQ(finding.verdict(), Verdict::violated);
  EXPECT_EQ(finding.black_box->attacker, "learned");
}

// Textbook Laplace noise in floating point: a value of 0 leaves bits that a value of 1 cannot.
TEST(Audit, LowOrderBitsGiveFloatingPointNoiseAway) {
  const Subject textbook = claims(1, [](double secret, RandomBits& bits) {
    const double u = uniform(bits) - 0.5;
    const double noise = (u < 0 ? 1 : -1) * std::log1p(-2 * std::abs(u));
    return std::vector{secret + noise};
  });
  const Finding finding = audit(textbook, {.trials = 4000});
  EXPECT_EQ(finding.verdict(), Verdict::violated);
  EXPECT_EQ(finding.black_box->attacker, "low-order bits");
}

TEST(Audit, RecoversValuesThatComeOutWithoutNoise) {
  const Subject leaky = claims(1, [](double secret, RandomBits& bits) {
    return std::vector{normal(bits), 3 * secret + 7 + (bits.word() % 2 == 0 ? 0 : 100)};
  });
  const Finding finding = audit(leaky, {.trials = 1000});
  ASSERT_TRUE(finding.recovery);
  EXPECT_GE(finding.recovery->right, 58);
  EXPECT_EQ(finding.recovery->values, 8);
}

TEST(Audit, IsTheSameOnAnyNumberOfThreads) {
  const Subject noisy =
      claims(1, [](double secret, RandomBits& bits) { return std::vector{secret + normal(bits)}; });
  const int before = threads();
  std::vector<double> bounds;
  for (int count : {1, 4}) {
    set_threads(count);
    bounds.push_back(audit(noisy, {.trials = 3000}).epsilon());
  }
  set_threads(before);
  EXPECT_GT(bounds[0], 0);
  EXPECT_EQ(bounds[0], bounds[1]);
}

TEST(Audit, SaysNothingOfThoseWhoClaimNothing) {
  Subject open = claims(0, [](double secret, RandomBits&) { return std::vector{secret}; });
  open.account = [] { return Guarantee{}; };
  EXPECT_EQ(audit(open, {.trials = 1000}).verdict(), Verdict::no_claim);
}

// Randomised response on every canary: epsilon-private as a whole for each of them.
TEST(Audit, OneRunWithManyCanariesBoundsEpsilon) {
  const auto response = [](double truth) {
    return ManyCanaries{.canary = "bits",
                        .canaries = 4000,
                        .claimed_epsilon = 1,
                        .account =
                            [] {
                              Guarantee guarantee;
                              guarantee.status = Guarantee::Status::proven;
                              guarantee.used = {1, 0};
                              return guarantee;
                            },
                        .run =
                            [truth](const std::vector<bool>& secrets, std::uint64_t seed) {
                              RandomBits bits = RandomBits::seeded(seed);
                              std::vector<double> scores;
                              for (bool secret : secrets)
                                scores.push_back((uniform(bits) < truth) == secret ? 1 : -1);
                              return scores;
                            }};
  };
  const Finding honest = audit(response(std::exp(1) / (1 + std::exp(1))), {});
  EXPECT_EQ(honest.verdict(), Verdict::consistent);
  EXPECT_GT(honest.epsilon(), 0.8);
  EXPECT_EQ(audit(response(0.9), {}).verdict(), Verdict::violated);
}

TEST(Audit, RefusesWhatMakesNoSense) {
  const Subject deaf = claims(1, [](double, RandomBits& bits) { return std::vector{normal(bits)}; });
  EXPECT_THROW(audit(deaf, {.trials = 10}), UsageError);
  EXPECT_THROW(audit(deaf, {.confidence = 1}), UsageError);
}

}  // namespace
}  // namespace tulle
