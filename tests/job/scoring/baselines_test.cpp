#include <tulle/job/baselines.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>

namespace tulle {
namespace {

SparseTensor listed(const Shape& shape, std::vector<std::array<Index, 2>> cells, std::vector<float> values) {
  SparseTensor tensor(shape, Unlisted::missing);
  for (std::size_t i = 0; i < cells.size(); ++i) tensor.append(cells[i], values[i]);
  return tensor;
}

// 3 i + j; of all cells but the last of each row, which are the test.
std::pair<SparseTensor, SparseTensor> additive() {
  SparseTensor train(Shape{4, 5}, Unlisted::missing), test(Shape{4, 5}, Unlisted::missing);
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 5; ++j)
      ((i + j) % 5 == 4 ? test : train).append(std::array<Index, 2>{i, j}, static_cast<float>(3 * i + j));
  return {train, test};
}

// Rows of 2 cells with means of -1 and 1: offsets are halved
// (Offsets.AreShrunkByTheVarianceWithinOverThatBetween). Of values -2 and 3 the mean, 0, misses by 2 and 3,
// and the offsets -1/2 and 1/2 leave 3/2 and 5/2.
TEST(Baselines, AreTheErrorsOfTheMeanAndOfShrunkMainEffects) {
  const Shape shape{2, 1};
  const SparseTensor train = listed(shape, {{0, 0}, {0, 0}, {1, 0}, {1, 0}}, {-2, 0, 0, 2}),
                     test = listed(shape, {{0, 0}, {1, 0}}, {-2, 3});
  const auto found = baselines(train, test);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->mean, std::sqrt((4 + 9) / 2.0), 1e-12);
  EXPECT_NEAR(found->main_effects, std::sqrt((2.25 + 6.25) / 2), 1e-12);
}

TEST(Baselines, ExplainValuesThatAreSumsOfEffects) {
  const auto [train, test] = additive();
  const auto found = baselines(train, test);
  EXPECT_GT(found->mean, 2);
  EXPECT_LT(found->main_effects, 0.1);
}

// A range from 0 to 1: the training values count as 0 and 1, and their mean is 1/2.
TEST(Baselines, AreOfValuesAndPredictionsInTheRange) {
  const Shape shape{1, 3};
  const SparseTensor train = listed(shape, {{0, 0}, {0, 1}}, {-100, 1000}),
                     test = listed(shape, {{0, 2}}, {1});
  EXPECT_NEAR(baselines(train, test, Range{0, 1})->mean, 0.5, 1e-12);
  EXPECT_NEAR(baselines(train, test)->mean, 449, 1e-9);
}

TEST(Baselines, OfADenseTensorAreThoseOfItsCells) {
  const DenseTensor dense(Shape{2, 2}, {1, 2, 3, 5});
  const SparseTensor sparse = listed(Shape{2, 2}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, {1, 2, 3, 5}),
                     some = listed(Shape{2, 2}, {{1, 0}}, {4});
  const auto of_dense = baselines(std::variant<DenseTensor, SparseTensor>(dense), some),
             of_sparse = baselines(std::variant<DenseTensor, SparseTensor>(sparse), some);
  EXPECT_EQ(of_dense->mean, of_sparse->mean);
  EXPECT_EQ(of_dense->main_effects, of_sparse->main_effects);
}

TEST(Baselines, NeedMissingCells) {
  SparseTensor zeros(Shape{1, 2}, Unlisted::zero);
  EXPECT_FALSE(baselines(zeros, listed(Shape{1, 2}, {{0, 0}}, {1})));
}

// Whether there is a cell is private under add-remove.
TEST(Baselines, InAReportAreTheOwnersAndNullWithoutCells) {
  const SparseTensor none(Shape{1, 2}, Unlisted::missing), one = listed(Shape{1, 2}, {{0, 0}}, {1});
  for (const std::optional<Baselines>& found : {baselines(none, one), baselines(one, none), {}}) {
    nlohmann::ordered_json report;
    OwnerFields owner;
    add(found, report, owner);
    EXPECT_EQ(report.dump(), R"({"baseline_mean_rmse":null,"baseline_main_effects_rmse":null})");
    owner.mark(report);
    EXPECT_EQ(report["owner_only"]["fields"].size(), 2u);
  }
}

TEST(Baselines, AsTextAreDashesWhereTheyAreNoNumbers) {
  EXPECT_EQ(text(Baselines{0.5, std::nan("")}),
            "RMSE 0.5 of the mean of the training values, - of mean and main effects (no noise)");
}

TEST(Baselines, OfClassesCountTheMostFrequentOneOfTheTrainingData) {
  const std::vector<int> train = {2, 0, 2, 1, 0, 2}, test = {2, 2, 0, 1}, tied = {1, 0};
  EXPECT_DOUBLE_EQ(majority_accuracy(train, test), 0.5);
  EXPECT_DOUBLE_EQ(majority_accuracy(tied, test), 0.25);  // class 0
  EXPECT_TRUE(std::isnan(majority_accuracy({}, test)));
  EXPECT_TRUE(std::isnan(majority_accuracy(train, {})));
}

// Counts of 2 1/2, 1 1/2 and 1/2 of 4 1/2: the probability of the two words is 5/9 times 1/9.
TEST(Baselines, OfDocumentsAreTheSharesOfWordsEachCountedHalfATimeMore) {
  const Documents train(3, {0, 0, 1}, 3), test(3, {0, 2}, 1), none(3);
  EXPECT_NEAR(unigram_perplexity(train, test), std::sqrt(81 / 5.0), 1e-12);
  EXPECT_NEAR(unigram_perplexity(none, test), 3, 1e-12);
  EXPECT_TRUE(std::isnan(unigram_perplexity(train, none)));
  EXPECT_TRUE(no_better_topics_note(4, 4, true)
                  ->starts_with("The model is no better than the shares of words in the training documents "
                                "(perplexity 4) on these"));
  EXPECT_FALSE(no_better_topics_note(3.9, 4, true));
}

TEST(Baselines, AreMentionedWhereAModelIsNoBetterThanTheBetterOfThem) {
  const Baselines mean_is_better{1, 1.5}, effects_are_better{1, 0.5};
  EXPECT_FALSE(no_better_note(0.9, mean_is_better, true));
  EXPECT_TRUE(
      no_better_note(1, mean_is_better, true)
          ->starts_with(
              "The model is no better than the mean of the training values (RMSE 1) on these cells: "));
  EXPECT_TRUE(no_better_note(0.6, effects_are_better, false)
                  ->starts_with("The model is no better than mean and main effects of the training values"));
  EXPECT_FALSE(no_better_note(2, std::nullopt, true));
  EXPECT_FALSE(no_better_note(std::nan(""), mean_is_better, true));
  EXPECT_FALSE(no_better_note(1, Baselines{std::nan(""), std::nan("")}, true));
  EXPECT_TRUE(
      no_better_classes_note(0.6, 0.6, true)
          ->starts_with(
              "The model is no better than the most frequent class of the training data (accuracy 0.6000)"));
  EXPECT_FALSE(no_better_classes_note(0.61, 0.6, true));
  EXPECT_FALSE(no_better_classes_note(0.1, std::nan(""), true));
}

TEST(Baselines, OfAPrivateRunSuggestABudgetAndOfAnotherOneNone) {
  const Baselines best{0.1, 0.1};
  EXPECT_NE(no_better_note(1, best, true)->find("epsilon"), std::string::npos);
  EXPECT_EQ(no_better_note(1, best, false)->find("epsilon"), std::string::npos);
}

}  // namespace
}  // namespace tulle
