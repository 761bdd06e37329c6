#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/solve/topics/refine_mixture.hpp>
#include <tulle/tensor/symmetric.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

std::vector<double> moments_of(const Topics& mixture) {
  const auto size = static_cast<std::size_t>(mixture.topics.rows());
  std::vector<double> result;
  const Vector mean = mixture.topics * mixture.weights;
  result.assign(mean.begin(), mean.end());
  const double s = mixture.variance;
  for_each_pair(size, [&](std::size_t, std::size_t a, std::size_t b) {
    double moment = a == b ? s : 0;
    for (int k = 0; k < mixture.count(); ++k)
      moment += mixture.weights[k] * mixture.topics(a, k) * mixture.topics(b, k);
    result.push_back(std::sqrt(orders_of(a, b)) * moment);
  });
  for_each_triple(size, [&](std::size_t, std::size_t a, std::size_t b, std::size_t c) {
    double moment = s * ((b == c ? mean[a] : 0) + (a == c ? mean[b] : 0) + (a == b ? mean[c] : 0));
    for (int k = 0; k < mixture.count(); ++k)
      moment += mixture.weights[k] * mixture.topics(a, k) * mixture.topics(b, k) * mixture.topics(c, k);
    result.push_back(std::sqrt(orders_of(a, b, c)) * moment);
  });
  return result;
}

TEST(RefineMixture, LeadsBackToTheTruth) {
  Random random(9);
  Topics truth{Matrix(5, 3), (Vector(3) << 0.5, 0.3, 0.2).finished(), 0.04};
  for (double& value : truth.topics.reshaped()) value = random.normal() / 2;
  const std::vector<double> moments = moments_of(truth);
  Topics start = truth;
  for (double& value : start.topics.reshaped()) value += 0.05 * random.normal();
  start.weights = Vector::Constant(3, 1.0 / 3);
  start.variance = 0.06;
  for (double third : {1.0, 0.3}) {
    const Topics got = refine(start, MixtureMoments{moments, {1, 1, third}});
    EXPECT_LT((got.topics - truth.topics).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_LT((got.weights - truth.weights).cwiseAbs().maxCoeff(), 1e-5);
    EXPECT_NEAR(got.variance, 0.04, 1e-6);
  }
  EXPECT_THROW(refine(start, MixtureMoments{std::span(moments).first(4)}), Error);
}

}  // namespace
}  // namespace tulle
