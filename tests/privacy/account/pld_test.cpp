#include "sampled.hpp"

// Privacy loss distributions against exact values and against naive composition.
#include "account/grid.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/account/gdp.hpp>
#include <tulle/privacy/account/pld.hpp>
#include <tulle/privacy/account/rdp.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

// Epsilon by a Bromwich integral of the characteristic function through the saddle point, the larger of both
// directions; the last ones are cases where rare large losses decide.
struct Exact {
  double rate, noise;
  std::uint64_t steps;
  double delta;
  Relation relation;
  double epsilon;
};

const Exact kExact[] = {
    {0.00032199735253558647, 2.8104273691322224, 4029, 2.0681359888386733e-12, Relation::add_remove,
     0.04522659335738354},
    {0.0002129669156010528, 13.277164131950839, 1011, 4.213124564423222e-11, Relation::add_remove,
     0.002527506966604759},
    {0.08318119446100504, 0.856268190870175, 52, 3.822197996972176e-06, Relation::add_remove,
     6.45731894614612},
    {0.0003692365634835087, 2.2559143155114985, 17864, 0.006945055658060497, Relation::add_remove,
     0.004915348111669912},
    {0.0017582499494415006, 1.870492557962943, 49457, 1.8718201189903443e-11, Relation::add_remove,
     1.408193693291782},
    {0.045679145448758715, 3.028597352397449, 252, 0.059319495863594265, Relation::add_remove,
     0.09859522427417608},
    {0.1237711397856955, 2.298183878749654, 3021, 4.877548610217582e-12, Relation::add_remove,
     25.818371133814942},
    {0.00018487701574450632, 2.407979001176985, 81392, 3.0662381927155133e-12, Relation::add_remove,
     0.13879737019909633},
    {0.28553548019141356, 14.305238403839427, 599, 0.0057689828907289105, Relation::add_remove,
     1.0070547859513508},
    {0.00042743770615798383, 15.619849722424398, 1622, 4.483592892490294e-09, Relation::add_remove,
     0.004567903127387305},
    {0.006959746860826857, 6.612345541210565, 1061, 1.0126658385733357e-08, Relation::add_remove,
     0.16352267434019524},
    {0.09128272533323148, 16.891618083991858, 551, 1.6565019120715954e-05, Relation::add_remove,
     0.42684258458751534},
    {0.0016180133077037734, 3.9339323440779452, 379, 1.486732168275182e-08, Relation::add_remove,
     0.03610261890949865},
    {0.018909619178537257, 5.743513940831301, 704, 5.971472569302694e-09, Relation::add_remove,
     0.4471956998073143},
    {0.0016573089880258674, 1.3789238557662695, 64, 7.931687811607351e-11, Relation::add_remove,
     0.1281361300619313},
    {0.00023956251136685969, 1.4202678276932752, 2641, 2.0687365850218804e-12, Relation::add_remove,
     0.062441228373275225},
    {0.00044881303743838215, 0.9730178826552236, 582, 1.859562073919448e-11, Relation::add_remove,
     0.3417793392112897},
    {0.0009789412062982034, 16.1986940511481, 145, 9.380057801844388e-11, Relation::replace,
     0.007228008923606112},
    {0.004092502457012896, 0.9396430127510267, 18853, 1.8966149996194994e-05, Relation::replace,
     5.839952336396558},
    {0.0007546488216471708, 16.212349145413995, 63227, 1.7217432952137418e-07, Relation::replace,
     0.0937297003872969},
    {0.05555699234526968, 0.5199306373189172, 172, 1.1901778101140806e-10, Relation::replace,
     41.04728642225952},
    {0.11796617247845449, 5.729100406252035, 1764, 2.1912845535989486e-07, Relation::replace,
     9.750021066183471},
    {0.004134954137492496, 1.108038452098725, 294, 0.0005334019910536003, Relation::replace,
     0.3161142497213948},
    {0.00014109199391565888, 5.132742747917681, 8311, 2.581226751994309e-10, Relation::replace,
     0.02511008893609223},
    {0.041040817649004586, 19.407838946818504, 144, 0.0002621290136301253, Relation::replace,
     0.11165278327990505},
};

TEST(Pld, IsAboveTheExactEpsilonByLessThanAThousandth) {
  for (const Exact& exact : kExact) {
    const Event event = sampled_gaussian(exact.rate, exact.noise, exact.steps);
    const double epsilon = pld_epsilon_upper({&event, 1}, exact.relation, exact.delta);
    EXPECT_GE(epsilon, exact.epsilon * (1 - 1e-9)) << describe(event);
    EXPECT_LE(epsilon, exact.epsilon * (1 + 1e-3)) << describe(event);
    const double delta = pld_delta_upper({&event, 1}, exact.relation, exact.epsilon);
    EXPECT_GE(delta, exact.delta * (1 - 1e-7)) << describe(event);
    EXPECT_LE(delta, exact.delta * (1 + 1e-2)) << describe(event);
  }
}

TEST(Pld, AgreesWithGaussiansInClosedForm) {
  for (const auto& [noise, steps] : {std::pair{2.0, 2}, {7.0, 31}, {30.0, 1000}, {900.0, 1000000}}) {
    const Event event = Event::gaussian(noise).times(static_cast<std::uint64_t>(steps));
    for (double delta : {1e-3, 1e-9}) {
      const double exact = gaussian_epsilon_upper(std::sqrt(steps) / noise, delta);
      const double ours = pld_epsilon_upper({&event, 1}, Relation::add_remove, delta);
      EXPECT_GE(ours, exact * (1 - 1e-9));
      EXPECT_LE(ours, exact * (1 + 1e-6));
    }
  }
}

TEST(Pld, MixedReleasesLieBetweenTheirPartsAndTheirRenyiBound) {
  const Event events[] = {Event::gaussian(3),
                          Event::laplace(8).times(4),
                          Event::discrete_gaussian(20, 3).times(5),
                          Event::discrete_laplace(30, 4).times(3),
                          sampled_gaussian(0.05, 1.3, 50),
                          Event::pure(0.05)};
  const double all = pld_epsilon_upper(events, Relation::add_remove, 1e-6);
  for (std::size_t i = 0; i < std::size(events); ++i)
    EXPECT_LT(pld_epsilon_upper({&events[i], 1}, Relation::add_remove, 1e-6), all);
  EXPECT_LE(all, rdp_epsilon_upper(events, Relation::add_remove, 1e-6));
}

// The sum over all pairs of points, for two releases on one grid.
TEST(Pld, TwoReleasesAgreeWithTheDoubleSum) {
  const double width = 1e-3;
  for (auto direction : {account::Direction::remove, account::Direction::add}) {
    const auto a = discretise(account::GaussianPair{1.5, 0.2, false}, direction, width, 1e-14);
    const auto b = discretise(account::LaplacePair{3, 0.5}, direction, width, 1e-14);
    double sum = 0;
    for (std::size_t i = 0; i < a.mass.size(); ++i)
      for (std::size_t j = 0; j < b.mass.size(); ++j) {
        const double loss = static_cast<double>(a.index[i] + b.index[j]) * width;
        if (loss > 0.3) sum += a.mass[i] * b.mass[j] * -std::expm1(0.3 - loss);
      }
    const Event events[] = {sampled_gaussian(0.2, 1.5, 1),
                            Event::laplace(3).sampled(PoissonSampling::what_if(0.5))};
    const double ours = pld_delta_upper(events, Relation::add_remove, 0.3);
    EXPECT_GE(ours, sum * (1 - 1e-5));
    if (direction == account::Direction::remove) {
      EXPECT_NEAR(ours, sum, 1e-5 * sum);
    }
  }
}

// Integer noise on a sample: few large losses far apart, where a window that is a little too short takes in
// what lies beyond its end. Delta of two releases by the sum over all pairs of points.
TEST(Pld, TwoSampledIntegerReleasesAgreeWithTheDoubleSum) {
  using namespace account;
  struct Question {
    double sigma, sensitivity, rate, delta;
  };
  for (const Question& ask : {Question{1.5325969847933232, 1, 0.002332997892006643, 6.428182480064154e-10},
                              {0.7589950983231739, 1, 0.0013781386345290663, 1.05586566406174e-08},
                              {1.941538930850897, 2, 0.0013669022729668454, 6.5284979198390755e-09},
                              {1.620693042327657, 1, 0.03183360111675302, 2.8274955664617548e-05}}) {
    const Event event =
        Event::discrete_gaussian(ask.sigma, ask.sensitivity).sampled(PoissonSampling::what_if(ask.rate));
    const auto exact_delta = [&](double epsilon) {
      double worst = 0;
      for (auto direction : {Direction::remove, Direction::add}) {
        const auto points =
            loss_points(loss_analysis(event, Relation::add_remove)->pair, direction, 0).points;
        double sum = 0;
        for (const LossPoint& a : points)
          for (const LossPoint& b : points)
            if (a.loss + b.loss > epsilon)
              sum -= std::exp(a.log_p + b.log_p) * std::expm1(epsilon - a.loss - b.loss);
        worst = std::max(worst, sum);
      }
      return worst;
    };
    const Event twice = event.times(2);
    const double epsilon = pld_epsilon_upper({&twice, 1}, Relation::add_remove, ask.delta);
    EXPECT_LE(exact_delta(epsilon), ask.delta * (1 + 1e-9)) << describe(twice);
    EXPECT_GT(exact_delta(epsilon * (1 - 1e-5)), ask.delta) << describe(twice);
    const double delta = pld_delta_upper({&twice, 1}, Relation::add_remove, 0.8 * epsilon);
    EXPECT_GE(delta, exact_delta(0.8 * epsilon) * (1 - 1e-9)) << describe(twice);
    EXPECT_LE(delta, exact_delta(0.8 * epsilon) * (1 + 1e-4)) << describe(twice);
  }
}

// One loss of 0.0239 in ten million releases decides; transforms of all the others would drown it.
TEST(Pld, ARareLossIsNotDrowned) {
  const Event event =
      Event::discrete_gaussian(0.38355, 1).sampled(PoissonSampling::what_if(1e-9)).times(2'636'086);
  const double epsilon = pld_epsilon_upper({&event, 1}, Relation::add_remove, 8.6e-15);
  EXPECT_GT(epsilon, 0.0238);
  EXPECT_LT(epsilon, 0.04);
}

TEST(Pld, AFinerGridIsTighter) {
  const Event event = sampled_gaussian(0.01, 1, 1000);
  const auto at = [&](double interval) {
    return pld_epsilon_upper({&event, 1}, Relation::add_remove, 1e-5, {interval});
  };
  EXPECT_GT(at(1e-3), at(1e-4));
  EXPECT_GT(at(1e-4), at(1e-5));
  EXPECT_NEAR(at(1e-4), 1.8282366665, 2e-5);
}

TEST(Pld, RefusesAGridOfNoUse) {
  const Event event = sampled_gaussian(0.01, 1, 10);
  EXPECT_THROW(pld_epsilon_upper({&event, 1}, Relation::add_remove, 1e-5, {-1}), UsageError);
  EXPECT_THROW(pld_epsilon_upper({&event, 1}, Relation::add_remove, 0), UsageError);
  EXPECT_THROW(pld_delta_upper({&event, 1}, Relation::add_remove, -1), UsageError);
}

}  // namespace
}  // namespace tulle
