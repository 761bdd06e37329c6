#include <tulle/base/error.hpp>
#include <tulle/privacy/curator.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace tulle {
namespace {

using Data = Protected<std::vector<double>>;

constexpr Unit kUnit = Unit::entry;
constexpr Relation kRelation = Relation::replace;

Sensitivity range(double value) {
  return Sensitivity::one_coordinate(value, kUnit, kRelation);
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

std::vector<double> identity(const std::vector<double>& values) {
  return values;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

Curator seeded(double epsilon, double delta = 0, std::uint64_t seed = 1) {
  return Curator::with_budget({epsilon, delta}, kUnit, kRelation, RandomBits::seeded(seed));
}

TEST(Curator, RecordsWhatItReleases) {
  Curator curator = seeded(1);
  const Data data({1, 2, 3});
  const auto noise = AdditiveNoise::laplace(range(1), 0.25, 1);
  const Noisy noisy =
      curator.release(data, noise, "the sum", [](const auto& v) { return std::vector{sum(v)}; });
  EXPECT_NEAR(noisy.deviation, std::sqrt(2.0) / 0.25, 1e-4);
  EXPECT_NE(noisy.values[0], 6);
  const Guarantee guarantee = curator.guarantee();
  EXPECT_EQ(guarantee.status, Guarantee::Status::proven);
  EXPECT_NEAR(guarantee.used.epsilon, 0.25, 1e-9);
  EXPECT_EQ(guarantee.used.delta, 0);
  ASSERT_EQ(guarantee.releases.size(), 1u);
  EXPECT_EQ(guarantee.releases[0].what, "the sum");
  EXPECT_TRUE(guarantee.reproducible);
  EXPECT_NE(sentence(guarantee).find("NOT PRIVATE"), std::string::npos);
}

TEST(Curator, ChecksTheBudgetBeforeItLooksAtTheData) {
  Curator curator = seeded(1);
  const Data data({1, 2, 3});
  bool looked = false;
  const auto query = [&](const auto& v) {
    looked = true;
    return std::vector{sum(v)};
  };
  EXPECT_NE(message_of([&] {
              curator.release(data, AdditiveNoise::laplace(range(1), 1.5, 1), "too much", query);
            }).find("too much: with it epsilon would be 1.5"),
            std::string::npos);
  EXPECT_FALSE(looked);
  EXPECT_TRUE(curator.guarantee().releases.empty());
}

TEST(Curator, SpendsTheBudgetToTheEndAndNoFurther) {
  Curator curator = seeded(1);
  const Data data({5});
  const auto noise = AdditiveNoise::laplace(range(1), 0.1, 1);
  for (int i = 0; i < 10; ++i) curator.release(data, noise, "a tenth", identity);
  EXPECT_NEAR(curator.left().epsilon, 0, 1e-6);
  EXPECT_THROW(curator.release(data, noise, "one more", identity), Error);
}

TEST(Curator, GaussiansComposeBetterThanTheySum) {
  Curator curator = seeded(1, 1e-5);
  const Data data({5});
  const auto noise = AdditiveNoise::gaussian(range(1), 12, 1);
  for (int i = 0; i < 4; ++i) curator.release(data, noise, "a value", identity);
  const double one = epsilon_upper(std::vector{noise.event()}, kRelation, 1e-5).value;
  EXPECT_LT(curator.guarantee().used.epsilon, 4 * one);
  EXPECT_GT(curator.guarantee().used.epsilon, one);
}

// A mix that only the loss distribution accounts for tightly; without a plan, Renyi divergence at one order
// must do.
TEST(Curator, PlannedReleasesAreAccountedTightly) {
  const auto gaussian = AdditiveNoise::gaussian(range(1), 10, 1),
             laplace = AdditiveNoise::laplace(range(1), 0.2, 1);
  const Data data({5});
  Curator planned = seeded(2, 1e-5), adaptive = seeded(2, 1e-5);
  planned.plan({gaussian.event(), laplace.event().times(3)});
  for (Curator* curator : {&planned, &adaptive}) {
    curator->release(data, gaussian, "a value", identity);
    for (int i = 0; i < 3; ++i) curator->release(data, laplace, "another", identity);
  }
  EXPECT_LT(planned.guarantee().used.epsilon, adaptive.guarantee().used.epsilon);
  EXPECT_NE(message_of([&] {
              planned.release(data, laplace, "a fourth", identity);
            }).find("the plan has 3 such releases"),
            std::string::npos);
}

TEST(Curator, RefusesAPlanBeyondTheBudget) {
  Curator curator = seeded(0.5);
  EXPECT_THROW(curator.plan({Event::pure(0.3).times(2)}), Error);
}

TEST(Curator, RefusesNoiseForAnotherUnitOrRelation) {
  Curator curator = seeded(1);
  const Data data({5});
  const auto for_users = AdditiveNoise::laplace(Sensitivity::l1(1, Unit::user, kRelation), 0.1, 1);
  EXPECT_NE(message_of([&] {
              curator.release(data, for_users, "a value", identity);
            }).find("unit user under replace"),
            std::string::npos);
}

TEST(Curator, RefusesAnswersThatDoNotFitTheNoise) {
  Curator curator = seeded(1);
  const Data data({1, 2});
  const auto noise = AdditiveNoise::laplace(range(1), 0.1, 1);
  EXPECT_THROW(curator.release(data, noise, "two numbers", identity), Error);
  EXPECT_THROW(
      curator.release(data, noise, "no number", [](const auto&) { return std::vector<double>{NAN}; }), Error);
}

// 100,000 coordinates: the sample variance of Laplace noise has relative deviation sqrt(5 / n) = 0.7 %; 6 of
// those are below 1e-8.
TEST(Curator, NoiseHasTheDeviationThatItSays) {
  const std::size_t n = 100'000;
  const Data data(std::vector<double>(n, 3.0));
  for (const AdditiveNoise& noise :
       {AdditiveNoise::laplace(range(2), 1, n), AdditiveNoise::staircase(range(2), 1, n),
        AdditiveNoise::gaussian(range(2), 1, n)}) {
    Curator curator = Curator::with_budget({50, 1e-6}, kUnit, kRelation, RandomBits::seeded(2));
    const Noisy noisy = curator.release(data, noise, "all", identity);
    double mean = 0, square = 0;
    for (double value : noisy.values) {
      mean += value - 3;
      square += (value - 3) * (value - 3);
    }
    EXPECT_NEAR(mean / n, 0, 6 * noisy.deviation / std::sqrt(n)) << noise.name();
    EXPECT_NEAR(square / n / (noisy.deviation * noisy.deviation), 1, 6 * std::sqrt(5.0 / n)) << noise.name();
  }
}

TEST(Curator, StaircaseNeedsOneMovingCoordinate) {
  EXPECT_THROW(AdditiveNoise::staircase(Sensitivity::l1(1, kUnit, kRelation), 1, 2), Error);
  EXPECT_LT(AdditiveNoise::staircase(range(1), 5, 2).deviation(),
            AdditiveNoise::laplace(range(1), 5, 2).deviation());
}

TEST(Curator, SamplesByItsOwnCoinsAndAccountsForThat) {
  const std::uint64_t units = 10'000;
  Curator curator = Curator::with_budget({1, 1e-6}, Unit::user, Relation::add_remove, RandomBits::seeded(3));
  const Protected<std::vector<double>> data(std::vector<double>(units, 1.0));
  const auto noise = AdditiveNoise::gaussian(Sensitivity::l2(1, Unit::user, Relation::add_remove), 2, 1);
  Batch batch = curator.sample(PoissonSampler(0.01), units);
  // 100 units are expected; 6 deviations of sqrt(99) are below 1e-8.
  EXPECT_NEAR(static_cast<double>(batch.units().size()), 100, 60);
  const auto size = static_cast<double>(batch.units().size());
  const Noisy noisy =
      curator.release(data, std::move(batch), noise, "a sampled sum", [](const auto& v, const auto& chosen) {
        double total = 0;
        for (auto unit : chosen) total += v[unit];
        return std::vector{total};
      });
  EXPECT_NEAR(noisy.values[0], size, 6 * 2);
  const double whole = epsilon_upper(std::vector{noise.event()}, Relation::add_remove, 1e-6).value;
  EXPECT_LT(curator.guarantee().used.epsilon, whole);
}

TEST(Curator, PlainRunsAreExactAndPromiseNothing) {
  Curator curator = Curator::without_privacy();
  const Data data({1, 2});
  const Noisy exact = curator.release(data, AdditiveNoise::laplace(range(1), 0.1, 2), "values", identity);
  EXPECT_EQ(exact.values, (std::vector<double>{1, 2}));
  EXPECT_EQ(exact.deviation, 0);
  EXPECT_EQ(curator.guarantee().status, Guarantee::Status::none);
}

TEST(Curator, PublishedRunsCarryTheClaimAndWhyItIsNotProven) {
  Curator curator = Curator::as_published({"a paper", {1, 0}, "the range is taken from the data"}, kUnit,
                                          kRelation, RandomBits::seeded(1));
  const Data data({1, 2});
  for (int i = 0; i < 5; ++i)
    curator.release(data, AdditiveNoise::laplace(range(1), 1, 2), "values", identity);
  const Guarantee guarantee = curator.guarantee();
  EXPECT_EQ(guarantee.status, Guarantee::Status::claimed);
  EXPECT_EQ(guarantee.used.epsilon, 1);
  EXPECT_NE(sentence(guarantee).find("NOT PROVEN"), std::string::npos);
  EXPECT_NE(to_json(guarantee).find("the range is taken from the data"), std::string::npos);
}

TEST(Curator, SecureNoiseIsNotReproducible) {
  Curator curator = Curator::with_budget({1, 0}, kUnit, kRelation);
  EXPECT_FALSE(curator.guarantee().reproducible);
}

}  // namespace
}  // namespace tulle
