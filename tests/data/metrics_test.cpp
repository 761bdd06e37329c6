#include "expect_error.hpp"

#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/data/metrics.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <vector>

namespace tulle {
namespace {

using Values = std::vector<double>;

// Errors 1, -2, 2, 0: squares 9, absolute 5; truth squared 1 + 4 + 4 + 16 = 25.
const Values kTruth = {1, 2, -2, 4};
const Values kPrediction = {2, 0, 0, 4};

TEST(Metrics, ErrorsByHand) {
  EXPECT_DOUBLE_EQ(rmse(kTruth, kPrediction), 1.5);
  EXPECT_DOUBLE_EQ(mae(kTruth, kPrediction), 1.25);
  EXPECT_DOUBLE_EQ(rse(kTruth, kPrediction), 0.6);
}

TEST(Metrics, FloatTruthGivesTheSame) {
  const std::vector<float> truth(kTruth.begin(), kTruth.end());
  EXPECT_DOUBLE_EQ(rmse(truth, kPrediction), 1.5);
  EXPECT_DOUBLE_EQ(mae(truth, kPrediction), 1.25);
  EXPECT_DOUBLE_EQ(rse(truth, kPrediction), 0.6);
  EXPECT_DOUBLE_EQ(auc(truth, kPrediction), auc(kTruth, kPrediction));
}

TEST(Metrics, PiecesAddUp) {
  ErrorSums sums;
  sums.add(std::span(kTruth).first(1), std::span(kPrediction).first(1));
  sums.add(std::span(kTruth).subspan(1), std::span(kPrediction).subspan(1));
  EXPECT_EQ(sums.count, 4u);
  EXPECT_DOUBLE_EQ(sums.rmse(), 1.5);
  EXPECT_DOUBLE_EQ(sums.mae(), 1.25);
  EXPECT_DOUBLE_EQ(sums.rse(), 0.6);
}

// Long enough for many pieces: the same bits with any number of threads, and the sum that one loop gives.
TEST(Metrics, ThreadsDoNotMatter) {
  Random random(1);
  Values truth(100'001), prediction(truth.size());
  double squares = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    truth[i] = random.normal();
    prediction[i] = random.normal();
    squares += (truth[i] - prediction[i]) * (truth[i] - prediction[i]);
  }
  const int before = threads();
  set_threads(1);
  const double alone = rmse(truth, prediction);
  for (int count : {2, 3}) {
    set_threads(count);
    EXPECT_EQ(rmse(truth, prediction), alone);
  }
  set_threads(before);
  EXPECT_NEAR(alone, std::sqrt(squares / static_cast<double>(truth.size())), 1e-12);
}

// Held-out values of a private run must not decide how it ends, so no value is an Error.
TEST(Metrics, AreNoNumberWhereTheyHaveNoMeaning) {
  const Values none, two = {1, 2}, zeros = {0, 0}, nan = {std::nan(""), 1};
  for (const double error : {rmse(none, none), mae(none, none), rse(none, none), ErrorSums().rmse(),
                             rse(zeros, two), rmse(two, nan)})
    EXPECT_TRUE(std::isnan(error));
  EXPECT_EQ(rmse(two, Values{1, HUGE_VAL}), HUGE_VAL);
  EXPECT_EQ(rse(Values{0, 1}, zeros), 1);
}

TEST(Metrics, RefuseOtherNumbersOfCells) {
  expect_error([] { rmse(Values{1, 2}, Values{1}); }, "2 true values, but 1 predictions");
}

// Positives at 0.8 and 0.4, negatives at 0.6 and 0.4: wins 1 + 1 + 0 + 1/2 of 4 pairs.
TEST(Auc, ByHand) {
  EXPECT_DOUBLE_EQ(auc(Values{1, 0, 1, 0}, Values{0.8, 0.6, 0.4, 0.4}), 0.625);
}

TEST(Auc, PerfectWorstAndBlind) {
  const Values truth = {0, 0, 1};
  EXPECT_EQ(auc(truth, Values{1, 2, 3}), 1);
  EXPECT_EQ(auc(truth, Values{3, 2, 1}), 0);
  EXPECT_EQ(auc(truth, Values{5, 5, 5}), 0.5);
}

// Group 7 has an area of 1, group 3 of 0.5, group 5 has positives alone; over all cells it is 4 of 6 pairs.
TEST(Auc, WithinGroupsIsTheMeanOfThoseWithBothClasses) {
  const std::vector<Index> groups = {7, 7, 3, 3, 5};
  const std::vector<float> truth = {1, 0, 0, 1, 2};
  const std::vector<double> prediction = {2, 1, 5, 5, 5};
  EXPECT_DOUBLE_EQ(auc_within(groups, truth, prediction).value(), 0.75);
  EXPECT_DOUBLE_EQ(auc(std::span<const float>(truth), prediction), 4.0 / 6);
  EXPECT_FALSE(auc_within(std::vector<Index>{1, 2}, std::vector<float>{1, 0}, std::vector<double>{1, 2}));
}

TEST(Auc, OfOneClassOrOfNanIsNoNumber) {
  for (const double area : {auc(Values{1, 1}, Values{1, 2}), auc(Values{0, -1}, Values{1, 2}),
                            auc(Values{0, 1}, Values{1, std::nan("")}), auc(Values{}, Values{})})
    EXPECT_TRUE(std::isnan(area));
  EXPECT_EQ(auc(Values{0, 1}, Values{-HUGE_VAL, HUGE_VAL}), 1);
}

// Few distinct predictions, so that ties are common.
RC_GTEST_PROP(Auc, EqualsTheCountOverAllPairs, ()) {
  const auto labels =
      *rc::gen::suchThat(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 2)), [](const auto& l) {
        return std::count(l.begin(), l.end(), 0) > 0 && std::count(l.begin(), l.end(), 1) > 0;
      });
  const Values truth(labels.begin(), labels.end());
  const auto scores = *rc::gen::container<std::vector<int>>(truth.size(), rc::gen::inRange(-3, 4));
  const Values prediction(scores.begin(), scores.end());
  double won = 0, pairs = 0;
  for (std::size_t i = 0; i < truth.size(); ++i)
    for (std::size_t j = 0; j < truth.size(); ++j)
      if (truth[i] == 1 && truth[j] == 0) {
        ++pairs;
        won += prediction[i] > prediction[j] ? 1 : prediction[i] == prediction[j] ? 0.5 : 0;
      }
  RC_ASSERT(std::abs(auc(truth, prediction) - won / pairs) < 1e-12);
}

// Group 7: the two best are cells 0 (relevant) and 2 (not): 1/2. Group 3: one cell, relevant: 1.
TEST(PrecisionAtK, ByHand) {
  const std::vector<Index> groups = {7, 3, 7, 7};
  const Values truth = {5, 4, 1, 5}, prediction = {0.9, 0.1, 0.8, 0.7};
  EXPECT_DOUBLE_EQ(precision_at_k(groups, truth, prediction, 2, 4), 0.75);
  EXPECT_DOUBLE_EQ(precision_at_k(groups, truth, prediction, 1, 4), 1);
  EXPECT_DOUBLE_EQ(precision_at_k(groups, truth, prediction, 9, 4), (2.0 / 3 + 1) / 2);
}

// Two places; one is taken, three cells tie for the other and two of them are relevant: (0 + 2/3) / 2.
TEST(PrecisionAtK, TiesShareTheLastPlace) {
  const std::vector<Index> groups(4, 0);
  EXPECT_DOUBLE_EQ(precision_at_k(groups, Values{0, 1, 0, 1}, Values{3, 1, 1, 1}, 2, 1), 1.0 / 3);
}

TEST(PrecisionAtK, RefusesBadInput) {
  const std::vector<Index> groups = {0};
  expect_error<UsageError>([&] { precision_at_k(groups, Values{1}, Values{1}, 0, 1); }, "precision at 0");
  expect_error(
      [&] {
        precision_at_k(groups, Values{1, 2}, Values{1, 2}, 1, 1);
      },
      "1 groups were given for 2 cells");
}

TEST(PrecisionAtK, OfNanOrOfNothingIsNoNumber) {
  const std::vector<Index> one = {0}, none;
  EXPECT_TRUE(std::isnan(precision_at_k(one, Values{1}, Values{std::nan("")}, 1, 1)));
  EXPECT_TRUE(std::isnan(precision_at_k(none, Values{}, Values{}, 1, 1)));
}

// Against the mean over all orders of breaking ties, by the definition with a small random amount added to
// each prediction.
RC_GTEST_PROP(PrecisionAtK, OrderOfCellsPlaysNoRole, ()) {
  const auto labels = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 2)));
  const std::size_t n = labels.size();
  const auto scores = *rc::gen::container<std::vector<int>>(n, rc::gen::inRange(0, 3));
  const auto users = *rc::gen::container<std::vector<int>>(n, rc::gen::inRange(0, 3));
  const int k = *rc::gen::inRange(1, 5);
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  Random(*rc::gen::arbitrary<std::uint64_t>()).shuffle(std::span(order));
  Values truth, prediction, truth2, prediction2;
  std::vector<Index> groups, groups2;
  for (std::size_t i = 0; i < n; ++i) {
    truth.push_back(labels[i]), prediction.push_back(scores[i]), groups.push_back(users[i]);
    truth2.push_back(labels[order[i]]), prediction2.push_back(scores[order[i]]),
        groups2.push_back(users[order[i]]);
  }
  const double precision = precision_at_k(groups, truth, prediction, k, 1);
  RC_ASSERT(precision >= 0 && precision <= 1);
  RC_ASSERT(precision == precision_at_k(groups2, truth2, prediction2, k, 1));
}

// P(3; 2) = 8/6 e^-2, P(0; 0.5) = e^-0.5.
TEST(LogLikelihood, PoissonByHand) {
  EXPECT_NEAR(poisson_log_likelihood(Values{3, 0}, Values{2, 0.5}), std::log(8.0 / 6) - 2.5, 1e-14);
  EXPECT_EQ(poisson_log_likelihood(Values{0}, Values{0}), 0);
  EXPECT_EQ(poisson_log_likelihood(Values{1}, Values{0}), -std::numeric_limits<double>::infinity());
}

TEST(LogLikelihood, PoissonOfWhatIsNoCountIsNoNumber) {
  for (const double likelihood :
       {poisson_log_likelihood(Values{1, 0.5}, Values{1, 1}), poisson_log_likelihood(Values{-1}, Values{1}),
        poisson_log_likelihood(Values{1}, Values{-1}), poisson_log_likelihood(Values{HUGE_VAL}, Values{1}),
        poisson_log_likelihood(Values{1}, Values{HUGE_VAL})})
    EXPECT_TRUE(std::isnan(likelihood));
}

// Probabilities of all counts add up to one.
RC_GTEST_PROP(LogLikelihood, PoissonIsADistribution, ()) {
  const double rate = *rc::gen::inRange(1, 200) / 10.0;
  double sum = 0;
  for (int count = 0; count < 150; ++count)
    sum += std::exp(poisson_log_likelihood(Values{double(count)}, Values{rate}));
  RC_ASSERT(std::abs(sum - 1) < 1e-12);
}

}  // namespace
}  // namespace tulle
