#include <tulle/solve/loss/beta_divergence.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

constexpr double kPowers[] = {0, 0.5, 1, 1.5, 2, 2.5, 3};

TEST(BetaDivergence, IsZeroWhereTheModelIsTheDataAndPositiveElsewhere) {
  for (double p : kPowers)
    with_divergence(p, [&](auto divergence) {
      EXPECT_EQ(divergence.power(), p);
      for (double x : {0.2, 1.0, 7.0}) {
        EXPECT_NEAR(value(divergence, x, x), 0, 1e-13) << p;
        for (double m : {0.1, 0.9, 3.0, 20.0}) EXPECT_GT(value(divergence, x, m), 1e-4) << p;
      }
    });
}

TEST(BetaDivergence, HasTheDerivativeOfItsValue) {
  for (double p : kPowers)
    with_divergence(p, [&](auto divergence) {
      for (double x : {0.2, 1.0, 7.0})
        for (double m : {0.3, 2.0, 9.0}) {
          const double step = 1e-6 * m;
          const double slope = (value(divergence, x, m + step) - value(divergence, x, m - step)) / (2 * step);
          EXPECT_NEAR(derivative(divergence, x, m), slope, 1e-6 * (1 + std::abs(slope))) << p;
        }
    });
}

TEST(BetaDivergence, NamedOnesAreTheLimitsOfTheOthers) {
  const double x = 3, m = 2, near = 1e-6;
  EXPECT_NEAR(value(Euclidean{}, x, m), value(BetaDivergence{near}, x, m), 1e-5);
  EXPECT_NEAR(value(KullbackLeibler{}, x, m), value(BetaDivergence{1 + near}, x, m), 1e-5);
  EXPECT_NEAR(value(ItakuraSaito{}, x, m), value(BetaDivergence{2 - near}, x, m), 1e-5);
}

TEST(BetaDivergence, OfAZeroIsThePartOfTheModel) {
  for (double p : {0.0, 0.5, 1.0, 1.5})
    with_divergence(p,
                    [&](auto divergence) { EXPECT_EQ(value(divergence, 0, 2.5), divergence.of_model(2.5)); });
}

}  // namespace
}  // namespace tulle
