#include "seeded_curator.hpp"

#include <tulle/privacy/account/calibrate.hpp>
#include <tulle/privacy/account/gdp.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

using namespace testing;

const Target kTarget{1, 1e-6};

Curator for_users() {
  return Curator::with_budget({kTarget.epsilon, kTarget.delta}, Unit::user, Relation::add_remove,
                              RandomBits::seeded(5));
}

AdditiveNoise user_noise(double multiplier) {
  return AdditiveNoise::gaussian(Sensitivity::l2(1, Unit::user, Relation::add_remove), multiplier, 1);
}

TEST(Plans, SharesOfMuSquaredForGaussianReleases) {
  Curator curator = for_users();
  const auto noise = curator.plan({{.share = 0.1}, {.share = 0.3, .count = 3}});
  const double mu = gaussian_mu_lower(kTarget.epsilon, kTarget.delta);
  EXPECT_NEAR(1 / (noise[0] * noise[0]), 0.1 * mu * mu, 1e-10);
  EXPECT_NEAR(1 / (noise[1] * noise[1]), 0.3 * mu * mu, 1e-10);
  const Data data({5});
  curator.release(data, user_noise(noise[0]), "biases", identity);
  for (int i = 0; i < 3; ++i) curator.release(data, user_noise(noise[1]), "a sweep", identity);
  EXPECT_THROW(curator.release(data, user_noise(noise[1]), "a fourth sweep", identity), Error);
  EXPECT_LE(curator.guarantee().used.epsilon, kTarget.epsilon);
  EXPECT_GT(curator.guarantee().used.epsilon, kTarget.epsilon * (1 - 1e-9));
}

TEST(Plans, PoissonSampledSteps) {
  Curator curator = for_users();
  const double noise =
      curator.plan({{.share = 1.0 / 50, .count = 50, .sampling = PoissonSampling::what_if(0.02)}})[0];
  const Data data(std::vector<double>(1000, 1.0));
  const PoissonSampler sampler(0.02);
  for (int i = 0; i < 50; ++i)
    curator.release(data, curator.sample(sampler, 1000), user_noise(noise), "a step",
                    [](const auto& values, const auto& chosen) {
                      double total = 0;
                      for (auto unit : chosen) total += values[unit];
                      return std::vector{total};
                    });
  EXPECT_THROW(curator.release(data, curator.sample(sampler, 1000), user_noise(noise), "one more",
                               [](const auto&, const auto&) { return std::vector<double>{0}; }),
               Error);
  EXPECT_LE(curator.guarantee().used.epsilon, kTarget.epsilon);
  EXPECT_GT(curator.guarantee().used.epsilon, kTarget.epsilon * (1 - 1e-4));
  // The whole unit's data in every step would need far more.
  EXPECT_LT(noise, std::sqrt(50) / gaussian_mu_lower(kTarget.epsilon, kTarget.delta) / 5);
}

// Sampled and unsampled stages do not add up in mu^2: the accountant's total must meet the budget all the
// same.
TEST(Plans, MixedStagesUseUpTheBudgetTogether) {
  Curator curator = for_users();
  const std::vector<Stage> stages = {
      {.share = 0.15}, {.share = 0.85 / 200, .count = 200, .sampling = PoissonSampling::what_if(0.05)}};
  const auto noise = curator.plan(stages);
  const std::vector<Event> events = {
      Event::gaussian(noise[0]),
      Event::gaussian(noise[1]).sampled(PoissonSampling::what_if(0.05)).times(200)};
  const double delta = delta_upper(events, Relation::add_remove, kTarget.epsilon).value;
  EXPECT_LE(delta, kTarget.delta);
  EXPECT_GT(delta, kTarget.delta * (1 - 1e-3));
  EXPECT_EQ(curator.dues(), events);
}

TEST(Plans, PureEpsilonsInProportion) {
  Curator curator = seeded(1);
  const auto epsilons =
      curator.plan({{.loss = Loss::pure, .share = 0.25}, {.loss = Loss::laplace, .share = 0.75}});
  EXPECT_NEAR(epsilons[0], 0.25, 1e-9);
  EXPECT_NEAR(epsilons[1], 0.75, 1e-9);
  const Data data({5});
  curator.release(data, AdditiveNoise::laplace(range(1), epsilons[1], 1), "most", identity);
  curator.release(data, AdditiveNoise::staircase(range(1), epsilons[0], 1), "the rest", identity);
  EXPECT_THROW(curator.release(data, AdditiveNoise::laplace(range(1), epsilons[0], 1), "more", identity),
               Error);
  EXPECT_NEAR(curator.guarantee().used.epsilon, 1, 1e-12);
}

TEST(Plans, PureReleaseInPartsChosenOnTheWay) {
  Curator curator = seeded(1, 1e-6);
  curator.plan({Event::pure(0.4).times(2)});
  const Data data({5});
  const auto part = [&](double epsilon) {
    curator.release(data, AdditiveNoise::staircase(range(1), epsilon, 1), "a part", identity);
  };
  EXPECT_THROW(part(0.5), Error);  // more than a planned release
  part(0.3);
  part(0.1);
  part(0.25);
  EXPECT_THROW(part(0.2), Error);  // only 0.15 is left
  part(0.15);
  EXPECT_THROW(part(0.01), Error);
  EXPECT_EQ(curator.dues(), std::vector{Event::pure(0.4).times(2)});
}

TEST(Plans, PureReleasesGainFromADelta) {
  Curator curator = seeded(1, 1e-6);
  const double each = 1.5 / 50;  // 1.5 in all
  EXPECT_EQ(curator.plan({{.loss = Loss::pure, .count = 50, .epsilon = each}})[0], each);
}

// What accuracy asks for comes first; pure and Gaussian stages divide the epsilon that it leaves.
TEST(Plans, ReleasesWithAnEpsilonOfTheirOwnComeFirst) {
  const Stage pilot{.loss = Loss::laplace, .count = 2, .epsilon = 0.1};
  Curator curator = for_users();
  const auto noise = curator.plan({pilot, {.loss = Loss::pure, .share = 0.25}, {.share = 0.75}});
  EXPECT_EQ(noise[0], 0.1);
  EXPECT_NEAR(noise[1], 0.2, 1e-9);
  EXPECT_NEAR(noise[2], gaussian_noise_for({0.6, kTarget.delta}), 1e-8);
  EXPECT_LE(curator.guarantee().used.epsilon, kTarget.epsilon);
}

TEST(Plans, AnOfferIsWhatAPlanAnswersAndPlansNothing) {
  Curator curator = for_users();
  const std::vector<Stage> stages = {{.share = 0.2}, {.share = 0.4, .count = 2}};
  const auto offered = curator.offer(stages);
  EXPECT_EQ(curator.plan(stages), offered);
}

// For one release that takes what is left, or less where its noise cannot be drawn for more.
TEST(Plans, AnAllowanceIsWhatOtherStagesLeave) {
  const Stage beside{.loss = Loss::pure, .epsilon = 0.4};
  const Allowance left = for_users().allowance({beside});
  EXPECT_NEAR(left.epsilon, 0.6, 1e-9);
  EXPECT_NEAR(left.noise_multiplier.value(), gaussian_noise_for({0.6, kTarget.delta}), 1e-8);
  EXPECT_EQ(for_users().allowance({}, 0.5).epsilon, 0.5);
  EXPECT_NEAR(for_users().allowance({}, 0.5).noise_multiplier.value(),
              gaussian_noise_for({0.5, kTarget.delta}), 1e-12);
  EXPECT_FALSE(seeded(1).allowance().noise_multiplier);
}

// Rounded epsilons of parts may add up to more than what they are parts of.
TEST(Plans, LeaveRoomForTheRoundingOfParts) {
  Curator curator = seeded(0.3);
  const double all = curator.plan({{.loss = Loss::pure, .in_parts = true}})[0];
  for (int part = 0; part < 3; ++part)
    curator.release(Data({5}), AdditiveNoise::staircase(range(1), all / 3 * (1 + 1e-15), 1), "a part",
                    identity);
  EXPECT_EQ(curator.guarantee().used.epsilon, 0.3);
}

TEST(Plans, RefusesSharesOfNoUse) {
  const auto refused = [](const std::vector<Stage>& stages) {
    EXPECT_THROW(for_users().plan(stages), UsageError);
  };
  refused({{.share = 0}});
  const auto sampling = PoissonSampling::what_if(0.02);  // stages that are scaled together spend everything
  refused({{.share = 0.2}, {.share = 0.3, .sampling = sampling}});
  refused({{.share = 0.5}, {.share = 0.5, .sampling = sampling, .most_epsilon = 0.1}});
  refused({{.count = 0}});
  refused({{.share = 0.6}, {.loss = Loss::pure, .share = 0.5}});
  refused({{.loss = Loss::pure, .share = -1}});
  refused({{.loss = Loss::pure, .epsilon = 0}});
  refused({{.loss = Loss::pure, .epsilon = 1}, {.share = 0.1}});
  refused({{.epsilon = 0.5}});
  refused({{.loss = Loss::pure, .sampling = PoissonSampling::what_if(0.5)}});
  EXPECT_THROW(for_users().plan(std::vector<Stage>{}), Error);
  EXPECT_NE(message_of([] { seeded(1).plan({Stage{}}); }).find("needs a delta"), std::string::npos);
}

// With that delta no noise at all would be needed: whoever is sampled might be published.
TEST(Plans, RefusesSamplesSoSmallThatDeltaCoversThem) {
  const auto plan = [](double rate, std::uint64_t count) {
    return for_users().plan({{.share = 1.0 / static_cast<double>(count),
                              .count = count,
                              .sampling = PoissonSampling::what_if(rate)}});
  };
  EXPECT_THROW(plan(kTarget.delta / 20, 10), UsageError);
  EXPECT_GT(plan(kTarget.delta / 5, 10)[0], 0);
}

TEST(Plans, KnowTheLossOfANoise) {
  EXPECT_EQ(loss_of(AdditiveNoise::gaussian(range(1), 1, 1)), Loss::gaussian);
  EXPECT_EQ(loss_of(AdditiveNoise::laplace(range(1), 1, 1)), Loss::laplace);
  EXPECT_EQ(loss_of(AdditiveNoise::staircase(range(1), 1, 1)), Loss::pure);
}

TEST(Plans, PlainRunsPlanNothing) {
  Curator curator = Curator::without_privacy();
  EXPECT_EQ(curator.plan({Stage{}, Stage{}}), (std::vector<double>{1, 1}));
  EXPECT_THROW(curator.dues(), Error);
}

}  // namespace
}  // namespace tulle
