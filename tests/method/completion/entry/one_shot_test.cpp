#include <tulle/base/error.hpp>
#include <tulle/data/generate.hpp>
#include <tulle/data/metrics.hpp>
#include <tulle/method/private_completion.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

Completion run(const SparseTensor& observed, double epsilon, const Settings& settings = {}, double delta = 0,
               std::vector<int> ranks = {}) {
  Terms terms;
  terms.budget = {epsilon, delta};
  terms.range = {0, 1};
  terms.seed = 1;
  FitOptions fit{.ranks = std::move(ranks)};
  fit.seed = 1;
  return complete_privately(find_method("one-shot"), observed, terms, settings, fit);
}

const Synthetic& sample() {
  static const Synthetic data = generate_cp(Shape{16, 15, 14}, 2, 2, 10);
  return data;
}

SparseTensor observed() {
  return observe(sample().noisy, 0.6, 2);
}

double error_of(const Completion& fit) {
  return rmse(sample().truth.values(), reconstruct(fit.model).values());
}

double error_of_mean() {
  const auto& values = sample().truth.values();
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  return rmse(values, std::vector<double>(values.size(), mean));
}

TEST(OneShot, IsNeverMuchWorseThanTheMean) {
  for (double epsilon : {0.5, 2.0}) EXPECT_LE(error_of(run(observed(), epsilon)), 1.02 * error_of_mean());
}

TEST(OneShot, FindsTheSignalWhenTheBudgetAllows) {
  EXPECT_LT(error_of(run(observed(), 12)), 0.5 * error_of_mean());
}

TEST(OneShot, SpendsAllAndNoMore) {
  for (double epsilon : {0.01, 0.5, 3.0, 12.0}) {
    const Guarantee guarantee = run(observed(), epsilon, {}, 0, {0}).guarantee;
    EXPECT_EQ(guarantee.status, Guarantee::Status::proven);
    EXPECT_NEAR(guarantee.used.epsilon, epsilon, 1e-9 * epsilon);
    EXPECT_EQ(guarantee.used.delta, 0);
  }
}

// The mean is released on its own where the entries' noise would drown it.
TEST(OneShot, TakesTheNoiseThatTheBudgetAsksFor) {
  const auto noises = [](double epsilon, double delta) {
    std::vector<std::string> names;
    for (const Record& record : run(observed(), epsilon, {}, delta, {0}).guarantee.releases)
      names.push_back(record.noise);
    return names;
  };
  EXPECT_EQ(noises(0.1, 0), (std::vector<std::string>{"Duchi", "Laplace"}));
  EXPECT_EQ(noises(6, 0), (std::vector<std::string>{"piecewise"}));
  EXPECT_EQ(noises(14, 0), (std::vector<std::string>{"staircase"}));
  EXPECT_EQ(noises(0.1, 1e-4).size(), 2u);
}

// At an epsilon at which entries drown, all 2016 of them are off by 0.2 together; their mean on its own is
// not.
TEST(OneShot, KnowsTheMeanBeforeAnythingElse) {
  const Completion fit = run(observed(), 0.1, {}, 0, {0});
  const auto& values = sample().truth.values();
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  EXPECT_NEAR(std::get<Cp>(fit.model).biases.global, mean, 0.1);
}

TEST(OneShot, TakesTheNoiseThatIsAskedFor) {
  EXPECT_EQ(run(observed(), 5, Settings().set(setting::noise, NoiseKind::laplace), 0, {0})
                .guarantee.releases[0]
                .noise,
            "Laplace");
  EXPECT_EQ(run(observed(), 5, Settings().set(setting::noise, NoiseKind::gaussian), 1e-5, {0})
                .guarantee.releases[0]
                .noise,
            "Gaussian");
  EXPECT_THROW(run(observed(), 5, Settings().set(setting::noise, NoiseKind::gaussian)), UsageError);
  EXPECT_THROW(run(observed(), 5, Settings().set(setting::noise, NoiseKind::discrete_laplace)), UsageError);
}

// Enough entries for the budget to measure windows: what is released is far less noisy than the range asks
// for, at no more than the budget.
TEST(OneShot, NarrowsTheWindowAroundWhatItKnows) {
  const Synthetic data = generate_cp(Shape{24, 24, 24}, 2, 3, 2);
  const SparseTensor observed = observe(data.noisy, 0.5, 3);
  const Completion fit = run(observed, 8, {}, 0, {2});
  EXPECT_NEAR(fit.guarantee.used.epsilon, 8, 8e-9);
  EXPECT_NE(fit.remarks.front().find("in 4 portions"), std::string::npos);
  EXPECT_EQ(fit.guarantee.releases[1].numbers, observed.size());  // after their mean
  const FitOptions two{.ranks = {2}, .biases = true, .seed = 1};
  const Model plain = complete_plainly({.data = observed, .fit = two}).model;
  const auto error = [&](const Model& model) {
    return rmse(data.truth.values(), reconstruct(model).values());
  };
  EXPECT_LT(error(fit.model), 1.3 * error(plain));
}

}  // namespace
}  // namespace tulle
