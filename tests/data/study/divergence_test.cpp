#include <tulle/base/error.hpp>
#include <tulle/data/divergence.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

constexpr double kPowers[] = {0, 0.5, 1, 1.5, 2, 2.5, 3};

std::vector<Divergence> all_divergences() {
  std::vector<Divergence> all = {Bernoulli{}, Huber{}};
  for (double p : kPowers) all.push_back(beta_divergence(p));
  return all;
}

// check(divergence, x, m) for data that it is defined for, 0 and 1 among them where they are.
template <class Check>
void for_each_pair(const Check& check) {
  for (const Divergence& divergence : all_divergences())
    std::visit(
        [&](const auto& of) {
          for (double x : {-2.0, 0.0, 0.2, 1.0, 7.0})
            for (double m : {-3.0, -0.3, 0.3, 2.0, 9.0})
              if (x >= of.least_data() && x <= of.most_data() && m >= of.least()) check(of, x, m);
        },
        divergence);
}

TEST(Divergence, HasTheDerivativeOfItsValue) {
  for_each_pair([](const auto& divergence, double x, double m) {
    const double step = 1e-6 * std::abs(m);
    const double slope = (value(divergence, x, m + step) - value(divergence, x, m - step)) / (2 * step);
    EXPECT_NEAR(derivative(divergence, x, m), slope, 1e-6 * (1 + std::abs(slope)))
        << divergence_name(divergence);
  });
}

TEST(Divergence, BendsNoMoreThanItSays) {
  for_each_pair([](const auto& divergence, double x, double m) {
    const double step = 1e-3;
    const double bend =
        (derivative(divergence, x, m + step) - derivative(divergence, x, m - step)) / (2 * step);
    EXPECT_LE(bend, divergence.bend() + 1e-6) << divergence_name(divergence);
  });
}

TEST(Divergence, OfAZeroIsThePartOfTheModel) {
  for_each_pair([](const auto& divergence, double x, double m) {
    if (x == 0) EXPECT_EQ(value(divergence, 0, m), divergence.of_model(m)) << divergence_name(divergence);
  });
}

TEST(BetaDivergence, IsZeroWhereTheModelIsTheDataAndPositiveElsewhere) {
  for (double p : kPowers)
    std::visit(
        [&](const auto& divergence) {
          EXPECT_EQ(power_of(divergence), p);
          for (double x : {0.2, 1.0, 7.0}) {
            EXPECT_NEAR(value(divergence, x, x), 0, 1e-13) << p;
            for (double m : {0.1, 0.9, 3.0, 20.0}) EXPECT_GT(value(divergence, x, m), 1e-4) << p;
          }
        },
        beta_divergence(p));
}

TEST(BetaDivergence, NamedOnesAreTheLimitsOfTheOthers) {
  const double x = 3, m = 2, near = 1e-6;
  EXPECT_NEAR(value(Euclidean{}, x, m), value(BetaDivergence{near}, x, m), 1e-5);
  EXPECT_NEAR(value(KullbackLeibler{}, x, m), value(BetaDivergence{1 + near}, x, m), 1e-5);
  EXPECT_NEAR(value(ItakuraSaito{}, x, m), value(BetaDivergence{2 - near}, x, m), 1e-5);
}

TEST(Bernoulli, IsTheLogLikelihoodOfLogOdds) {
  for (double m : {-800.0, -2.0, 0.0, 0.7, 800.0}) {
    const double p = Bernoulli::probability(m);
    EXPECT_NEAR(value(Bernoulli{}, 1, m), p > 0 ? -std::log(p) : -m, 1e-12) << m;
    EXPECT_NEAR(value(Bernoulli{}, 0, m), p < 1 ? -std::log(1 - p) : m, 1e-12) << m;
  }
}

TEST(Huber, IsSquaredUpToOneAndLinearBeyond) {
  EXPECT_NEAR(value(Huber{}, 3, 2.5), 0.125, 1e-15);
  EXPECT_NEAR(value(Huber{}, 3, 8), 4.5, 1e-15);
  EXPECT_NEAR(value(Huber{}, 3, -2), 4.5, 1e-15);
}

TEST(Divergence, GoesByItsNameOrPower) {
  for (const Divergence& divergence : all_divergences())
    if (!is<BetaDivergence>(divergence)) EXPECT_EQ(divergence_of(divergence_name(divergence)), divergence);
  EXPECT_EQ(divergence_of("1.5"), beta_divergence(1.5));
  EXPECT_EQ(divergence_of("0"), Divergence(Euclidean{}));
  EXPECT_EQ(divergence_name(beta_divergence(0.5)), "p = 0.5");
  EXPECT_THROW(divergence_of("3.5"), UsageError);
  EXPECT_THROW(divergence_of("kullback"), UsageError);
}

}  // namespace
}  // namespace tulle
