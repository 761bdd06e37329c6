#include "seeded_curator.hpp"

#include <tulle/base/random.hpp>
#include <tulle/privacy/account/calibrate.hpp>
#include <tulle/privacy/account/filter.hpp>
#include <tulle/privacy/account/gdp.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace tulle {
namespace {

using namespace testing;

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
  EXPECT_NEAR(guarantee.spent->epsilon, 0.25, 1e-9);
  EXPECT_EQ(guarantee.spent->delta, 0);
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

// Another one at every call, and the same again with seeded bits alone.
TEST(Curator, SeedsOfNoiseThatIsNotReleasedAreDrawnBySecretBits) {
  const Data data({1, 2, 3});
  const auto seed_of = [&](Curator& curator) {
    return open_for_the_data_owner(
        curator.map_with_seed(data, [](const auto&, std::uint64_t seed) { return seed; }));
  };
  Curator one = seeded(1), same = seeded(1);
  const std::uint64_t first = seed_of(one);
  EXPECT_EQ(first, seed_of(same));
  EXPECT_NE(first, seed_of(one));
  EXPECT_TRUE(one.guarantee().releases.empty());
  Curator plain = Curator::without_privacy();
  EXPECT_EQ(message_of([&] { seed_of(plain); }), "a plain run has no secret seed; take that of the fit");
}

TEST(Curator, RefusesABudgetThatIsNone) {
  const auto message = [](const Budget& budget) {
    return message_of(
        [&] { Curator::with_budget(budget, Unit::entry, Relation::replace, RandomBits::seeded(1)); });
  };
  EXPECT_EQ(message({0, 0}), "a budget of epsilon 0: give a number above 0");
  EXPECT_EQ(message({NAN, 0}), "a budget of epsilon nan: give a number above 0");
  EXPECT_EQ(message({1e8, 0}),
            "a budget of epsilon 100000000: give at most 1000000; a larger epsilon protects nothing");
  EXPECT_EQ(message({1, 1}), "a budget of delta 1: give 0 <= delta < 1");
  EXPECT_EQ(message({1e6, 0}), "no error");
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
  EXPECT_LT(curator.guarantee().spent->epsilon, 4 * one);
  EXPECT_GT(curator.guarantee().spent->epsilon, one);
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
  EXPECT_LT(planned.guarantee().used.epsilon, adaptive.guarantee().spent->epsilon);
  EXPECT_NE(message_of([&] {
              planned.release(data, laplace, "a fourth", identity);
            }).find("the plan has 3 such releases"),
            std::string::npos);
}

// Sums of rounded shares are accounted for as they are: no guarantee is below them.
TEST(Curator, NoPlanCostsMoreThanTheBudgetByHoweverLittle) {
  Curator curator = seeded(0.3);
  EXPECT_THROW(curator.plan({Event::pure(0.1), Event::pure(0.2)}), Error);
  curator.plan({Event::pure(0.1), Event::pure(0.2 * (1 - 1e-15))});
  EXPECT_EQ(curator.guarantee().used.epsilon, 0.3);
  Curator adaptive = seeded(0.3);
  const Data data({5});
  adaptive.release(data, AdditiveNoise::staircase(range(1), 0.1, 1), "a value", identity);
  EXPECT_THROW(adaptive.release(data, AdditiveNoise::staircase(range(1), 0.2, 1), "a value", identity),
               Error);
  Curator in_parts = seeded(1);
  in_parts.plan({Event::pure(0.3)});
  in_parts.release(data, AdditiveNoise::staircase(range(1), 0.1, 1), "a part", identity);
  EXPECT_THROW(in_parts.release(data, AdditiveNoise::staircase(range(1), 0.2, 1), "a part", identity), Error);
}

// For any epsilon, shares and number of stages.
TEST(Curator, WhatItSharesOutFitsAndIsSaidToUseAllOfTheBudget) {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const double epsilon = std::exp(4 * random.uniform() - 2);
    std::vector<Stage> stages;
    double total = 0;
    for (std::uint64_t stage = 0; stage <= random.below(6); ++stage) {
      stages.push_back({.share = 0.01 + random.uniform(), .count = 1 + random.below(5)});
      total += stages.back().share * static_cast<double>(stages.back().count);
    }
    for (Stage& stage : stages) stage.share /= total;
    Curator pure = seeded(epsilon), gaussian = seeded(epsilon, 1e-6);
    gaussian.plan(stages);
    for (Stage& stage : stages) stage.loss = Loss::laplace;
    const std::vector<double> epsilons = pure.plan(stages);
    for (std::size_t stage = 0; stage < stages.size(); ++stage)
      for (std::uint64_t release = 0; release < stages[stage].count; ++release)
        pure.release(Data({5}), AdditiveNoise::laplace(range(1), epsilons[stage], 1), "a value", identity);
    EXPECT_EQ(pure.guarantee().used.epsilon, epsilon);
    EXPECT_EQ(gaussian.guarantee().used.epsilon, epsilon);
  }
}

TEST(Curator, RefusesAPlanBeyondTheBudget) {
  Curator curator = seeded(0.5);
  EXPECT_THROW(curator.plan({Event::pure(0.3).times(2)}), Error);
}

// ---- Adaptive releases.

TEST(Odometer, StartsAtNothingAndGrowsWithEveryRelease) {
  Curator curator = seeded(5, 1e-5);
  EXPECT_EQ(curator.odometer().epsilon, 0);
  const Data data({5});
  curator.release(data, AdditiveNoise::laplace(range(1), 0.1, 1), "a tenth", identity);
  EXPECT_NEAR(curator.odometer().epsilon, 0.1, 1e-9);
  EXPECT_EQ(curator.odometer().delta, 0);
  double last = 0.1;
  for (int i = 0; i < 5; ++i) {
    curator.release(data, AdditiveNoise::gaussian(range(1), 10, 1), "a value", identity);
    const Budget spent = curator.odometer();
    EXPECT_GT(spent.epsilon, last);
    EXPECT_EQ(spent.delta, 1e-5);
    last = spent.epsilon;
  }
}

// Probability 1 - delta of a bound on the loss implies (epsilon, delta)-privacy: no odometer is below that.
TEST(Odometer, CostsMoreThanKnowingAllInAdvance) {
  for (double noise : {0.5, 2.0, 30.0})
    for (std::uint64_t steps : {1u, 100u}) {
      const Event event = Event::gaussian(noise).times(steps);
      const double exact = epsilon_upper({&event, 1}, kRelation, 1e-6).value;
      const double odometer = odometer_epsilon_upper({&event, 1}, kRelation, 1e-6);
      EXPECT_GT(odometer, exact);
      EXPECT_LT(odometer, 1.8 * exact);
    }
}

// A run that chooses its noise by what it saw, and stops the moment its loss is above the odometer: that may
// happen in a share of delta of the runs. 4,000 runs, delta = 0.1: 5.2 deviations more are seen with
// probability 1e-7. Against the epsilon of releases known in advance it would win more often than that.
TEST(Odometer, HoldsAtAllMomentsAtOnce) {
  Random random(8);
  const double delta = 0.1;
  const int runs = 4000;
  int caught = 0, fooled = 0;
  std::vector<double> odometer(41), in_advance(41);
  for (std::uint64_t n = 1; n <= 40; ++n) {
    const Event event = Event::gaussian(2).times(n);
    odometer[n] = odometer_epsilon_upper({&event, 1}, kRelation, delta);
    in_advance[n] = epsilon_upper({&event, 1}, kRelation, delta).value;
  }
  for (int run = 0; run < runs; ++run) {
    double loss = 0;
    bool above = false, above_in_advance = false;
    for (std::size_t n = 1; n <= 40; ++n) {
      loss += 0.5 * random.normal() + 0.125;  // of a Gaussian with mu = 1/2
      above = above || loss > odometer[n];
      above_in_advance = above_in_advance || loss > in_advance[n];
    }
    caught += above;
    fooled += above_in_advance;
  }
  const double allowed = runs * delta + 5.2 * std::sqrt(runs * delta * (1 - delta));
  EXPECT_LT(caught, allowed);
  EXPECT_GT(fooled, allowed);
}

// The two filters that need a delta share it: which of them binds may depend on outcomes.
TEST(Filter, HalvesDeltaBetweenItsMeasures) {
  const Event event = Event::gaussian(5).times(3);
  const Bound bound = adaptive_epsilon_upper({&event, 1}, kRelation, 1, 1e-6);
  EXPECT_EQ(bound.how, Accounting::gdp);
  EXPECT_DOUBLE_EQ(bound.value, gaussian_epsilon_upper(std::sqrt(3) / 5, 0.5e-6));
}

// A run that stops, or goes on, by what it saw: the epsilon that it happened to spend is no guarantee, the
// budget that it was held to is.
TEST(Curator, WithoutAPlanTheGuaranteeIsTheBudget) {
  for (const double delta : {0.0, 1e-6}) {
    Curator curator = seeded(1, delta);
    EXPECT_EQ(curator.guarantee().used.epsilon, 1);
    curator.release(Data({5}), AdditiveNoise::laplace(range(1), 0.1, 1), "a tenth", identity);
    const Guarantee guarantee = curator.guarantee();
    EXPECT_EQ(guarantee.used.epsilon, 1);
    EXPECT_EQ(guarantee.used.delta, delta);
    ASSERT_TRUE(guarantee.spent);
    EXPECT_NEAR(guarantee.spent->epsilon, 0.1, 1e-9);
    EXPECT_NE(to_json(guarantee).find("\"spent\""), std::string::npos);
  }
  Curator planned = seeded(1);
  planned.plan({Event::pure(0.5)});
  EXPECT_EQ(planned.guarantee().used.epsilon, 0.5);
  EXPECT_FALSE(planned.guarantee().spent);
}

// Who composes the record again must know whether epsilon is that of the record.
TEST(Curator, SaysWhetherAllThatWasPlannedWasReleased) {
  const AdditiveNoise noise = AdditiveNoise::laplace(range(1), 0.1, 1);
  Curator curator = seeded(1);
  curator.plan({noise.event().times(2)});
  for (const char* accounting : {"pure, planned for more than was released",
                                 "pure, planned for more than was released", "pure, planned"}) {
    EXPECT_EQ(curator.guarantee().accounting, accounting);
    if (curator.guarantee().releases.size() < 2) curator.release(Data({5}), noise, "a tenth", identity);
  }
  const auto record = nlohmann::json::parse(to_json(curator.guarantee()))["releases"][0]["accounted"];
  EXPECT_EQ(record["mechanism"], "laplace");
  EXPECT_EQ(record["count"], 1);
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

using Query = std::function<std::vector<double>(const std::vector<double>&)>;

// Each fails in a way that tells the data: by a message, by a length, by which number is not finite.
const std::vector<Query> kFailingQueries = {
    [](const auto& values) -> std::vector<double> { fail("the first value is {}", values[0]); },
    [](const auto&) -> std::vector<double> { throw 42; },
    [](const auto& values) { return std::vector<double>(static_cast<std::size_t>(values[0])); },
    [](const auto&) { return std::vector<double>{NAN}; },
    [](const auto&) { return std::vector<double>{INFINITY}; }};

TEST(Curator, AQueryThatFailsIsPaidForAndTellsNothingOfTheData) {
  for (const Query& query : kFailingQueries) {
    Curator curator = seeded(1);
    int paid = 0;
    curator.before_first_release([&](const Curator&) { ++paid; });
    const auto noise = AdditiveNoise::laplace(range(1), 0.6, 1);
    EXPECT_EQ(
        message_of([&] { curator.release(Data({7}), noise, "a value", query); }),
        "a value: its query did not give 1 finite numbers. It was counted as released; how it failed is "
        "withheld, since that could tell the data. Run it on public data without privacy to see");
    EXPECT_EQ(paid, 1);
    EXPECT_NEAR(curator.guarantee().spent->epsilon, 0.6, 1e-9);
    EXPECT_EQ(curator.guarantee().releases.size(), 1u);
    EXPECT_THROW(curator.release(Data({7}), noise, "again", identity), Error) << "beyond the budget";
  }
}

TEST(Curator, APortionWhoseQueryFailsIsTaken) {
  Curator curator = seeded(1);
  const auto noise = AdditiveNoise::laplace(range(1), 1, 1);
  Portions portions = curator.in_portions(noise, 2, "every entry");
  const std::vector<std::uint64_t> first{0};
  EXPECT_EQ(message_of([&] {
              curator.release(Data({7, 8}), portions, first, noise,
                              [](const auto& all, auto unit) -> double { fail("it is {}", all[unit]); });
            }).find('7'),
            std::string::npos);
  EXPECT_THROW(curator.release(Data({7, 8}), portions, first, noise,
                               [](const auto& all, auto unit) { return all[unit]; }),
               Error);
}

// There nothing is promised, and the author of a method needs to know.
TEST(Curator, APlainRunPassesOnWhyAQueryFailed) {
  Curator plain = Curator::without_privacy();
  const auto noise = AdditiveNoise::laplace(range(1), 1, 1);
  EXPECT_EQ(message_of([&] { plain.release(Data({7}), noise, "a value", kFailingQueries[0]); }),
            "the first value is 7");
  EXPECT_NE(message_of([&] {
              plain.release(Data({7}), noise, "a value", kFailingQueries[2]);
            }).find("gave 7 numbers"),
            std::string::npos);
}

TEST(Curator, WhatTheLedgerRefusesStaysRefused) {
  Curator curator = seeded(1);
  int asked = 0;
  curator.before_first_release([&](const Curator&) {
    if (++asked < 3) fail("nothing was granted");
  });
  bool looked = false;
  const auto release = [&] {
    curator.release(Data({5}), AdditiveNoise::laplace(range(1), 0.1, 1), "a value", [&](const auto& values) {
      looked = true;
      return values;
    });
  };
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(message_of(release), "nothing was granted");
    EXPECT_FALSE(looked);
  }
  release();
  release();
  EXPECT_EQ(asked, 3) << "paid once, when it was granted";
}

TEST(Curator, RecordsTheSensitivityThatItsNoiseIsFor) {
  Curator curator = seeded(10);
  const auto two = Sensitivity::coordinates(4, 2, kUnit, kRelation);
  curator.release(Data({1, 2, 3}), AdditiveNoise::staircase(two, 1, 3), "for users", identity);
  curator.release(Data({1}), AdditiveNoise::duchi({0, 2}, kUnit, kRelation, 1, 1, 1), "one", identity);
  curator.release(Data({1, 2}), AdditiveNoise::piecewise({0, 2}, kUnit, kRelation, 1, 2, 2), "two", identity);
  curator.release(Data({1, 2}), AdditiveNoise::laplace(Sensitivity::l1(3, kUnit, kRelation), 1, 2), "sums",
                  identity);
  const auto releases = nlohmann::json::parse(to_json(curator.guarantee()))["releases"];
  EXPECT_EQ(releases[0]["sensitivity"],
            nlohmann::json::parse(R"({"value": 4.0, "norm": "each coordinate", "changing": 2})"));
  EXPECT_EQ(releases[1]["sensitivity"], nlohmann::json::parse(R"({"value": 2.0, "norm": "one coordinate"})"));
  EXPECT_EQ(releases[2]["sensitivity"],
            nlohmann::json::parse(R"({"value": 2.0, "norm": "each coordinate", "changing": 2})"));
  EXPECT_EQ(releases[3]["sensitivity"], nlohmann::json::parse(R"({"value": 3.0, "norm": "L1"})"));
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

// What is spent when a unit changes several numbers is what each of them costs, times their number.
TEST(Curator, NumbersThatChangeTogetherShareEpsilon) {
  const Bounds bounds{0, 2};
  const auto four = AdditiveNoise::piecewise(bounds, kUnit, kRelation, 4, 100, 4);
  EXPECT_EQ(four.event(), Event::pure(4));
  EXPECT_NEAR(four.deviation(), AdditiveNoise::piecewise(bounds, kUnit, kRelation, 1, 100).deviation(), 1e-9);
  EXPECT_NEAR(AdditiveNoise::staircase(Sensitivity::coordinates(2, 4, kUnit, kRelation), 4, 100).deviation(),
              AdditiveNoise::staircase(range(2), 1, 100).deviation(), 1e-9);
  EXPECT_LT(AdditiveNoise::duchi(bounds, kUnit, kRelation, 0.1, 100).deviation(),
            AdditiveNoise::staircase(range(2), 0.1, 100).deviation());
}

TEST(Curator, DiscreteLaplaceKeepsWholeNumbersWhole) {
  const auto noise = AdditiveNoise::discrete_laplace(range(4), 1, 1000);
  EXPECT_NEAR(noise.deviation() * noise.deviation(), 31.833853, 1e-5);
  const Data data(std::vector<double>(1000, 3.0));
  Curator curator = seeded(1);
  for (double value : curator.release(data, noise, "ratings", identity).values)
    EXPECT_EQ(value, std::floor(value));
  EXPECT_EQ(curator.guarantee().used.epsilon, 1);
  EXPECT_NE(message_of([] { AdditiveNoise::discrete_laplace(range(0.5), 1, 1); }).find("whole numbers"),
            std::string::npos);
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
  double size = 0;
  const Noisy noisy = curator.release(data, curator.sample(PoissonSampler(0.01), units), noise,
                                      "a sampled sum", [&](const auto& v, const auto& chosen) {
                                        size = static_cast<double>(chosen.size());
                                        double total = 0;
                                        for (auto unit : chosen) total += v[unit];
                                        return std::vector{total};
                                      });
  // 100 units are expected; 6 deviations of sqrt(99) are below 1e-8.
  EXPECT_NEAR(size, 100, 60);
  EXPECT_NEAR(noisy.values[0], size, 6 * 2);
  const double whole = epsilon_upper(std::vector{noise.event()}, Relation::add_remove, 1e-6).value;
  EXPECT_LT(curator.guarantee().spent->epsilon, whole);
}

TEST(Curator, PlainRunsAreExactAndPromiseNothing) {
  Curator curator = Curator::without_privacy();
  const Data data({1, 2});
  const Noisy exact = curator.release(data, AdditiveNoise::laplace(range(1), 0.1, 2), "values", identity);
  EXPECT_EQ(exact.values, (std::vector<double>{1, 2}));
  EXPECT_EQ(exact.deviation, 0);
  EXPECT_EQ(curator.guarantee().status, Guarantee::Status::none);
}

TEST(Curator, RefusesClaimsThatNoRunCanMake) {
  for (const Budget& claim :
       {Budget{0, 0}, Budget{-1, 0}, Budget{std::nan(""), 0}, Budget{1, -0.5}, Budget{1, 1}})
    EXPECT_THROW(
        Curator::as_published({"a paper", claim, "no proof"}, kUnit, kRelation, RandomBits::seeded(1)),
        UsageError)
        << claim.epsilon << " " << claim.delta;
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

// ---- whom it is about ----

TEST(Scope, IsInTheSentenceAndTheJson) {
  Curator curator = Curator::with_budget({1, 0}, Unit::user, Relation::add_remove);
  curator.set_scope({.mode = "viewer",
                     .public_facts = {"the labels of mode film (the owner's word)", "the shape"},
                     .adversary = "anybody and any one site",
                     .assumption = "AES-256 is a pseudorandom function",
                     .source = "a model without a guarantee"});
  curator.set_joint();
  const Guarantee guarantee = curator.guarantee();
  EXPECT_EQ(
      sentence(guarantee),
      "epsilon 1 (pure) for any one user of mode viewer under add-remove, jointly (each user's own row is "
      "for that user alone); public: the labels of mode film (the owner's word), the shape; against "
      "anybody and any one site; assumes AES-256 is a pseudorandom function; warm start from a model "
      "without a guarantee");
  const auto json = nlohmann::json::parse(to_json(guarantee));
  EXPECT_EQ(json["mode"], "viewer");
  EXPECT_EQ(json["joint"], true);
  EXPECT_EQ(json["public"].size(), 2u);
  EXPECT_EQ(json["adversary"], "anybody and any one site");
  EXPECT_EQ(json["assumption"], "AES-256 is a pseudorandom function");
  EXPECT_EQ(json["source"], "a model without a guarantee");
}

TEST(Scope, WithoutOneAnybodyIsTheAdversary) {
  const Guarantee guarantee = Curator::with_budget({1, 1e-6}, kUnit, kRelation).guarantee();
  EXPECT_EQ(sentence(guarantee), "epsilon 1, delta 1e-06 for any one entry under replace");
  EXPECT_EQ(nlohmann::json::parse(to_json(guarantee))["adversary"], "anybody who sees the releases");
}

TEST(Scope, IsSetOnceBeforeTheFirstRelease) {
  Curator curator = seeded(1);
  curator.set_scope({.public_facts = {"which cells are observed"}});
  EXPECT_THROW(curator.set_scope({}), Error);
  Curator late = seeded(1);
  late.release(Data({1}), AdditiveNoise::laplace(range(1), 1, 1), "a value", identity);
  EXPECT_THROW(late.set_scope({}), Error);
  EXPECT_THROW(late.set_joint(), Error);
  EXPECT_THROW(seeded(1).set_scope({.mode = "film"}), UsageError) << "entries are positions of no mode";
}

TEST(Curator, SecureNoiseIsNotReproducible) {
  Curator curator = Curator::with_budget({1, 0}, kUnit, kRelation);
  EXPECT_FALSE(curator.guarantee().reproducible);
}

}  // namespace
}  // namespace tulle
