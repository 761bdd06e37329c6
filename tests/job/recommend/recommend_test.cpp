#include <tulle/base/error.hpp>
#include <tulle/job/recommend.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// Users 2, items 4, weeks 2: value = item's factor times week's.
ModelFile sample_model(std::optional<ValueRange> range = {}) {
  Cp model{Vector::Ones(1), {Matrix::Ones(2, 1), Matrix(4, 1), Matrix(2, 1)}, {}};
  model.factors[1] << 3, 5, 1, 5;
  model.factors[2] << 1, -1;
  return {.model = model, .modes = unnamed_modes(3), .method = "plain", .range = range};
}

std::vector<Index> positions(const std::vector<Recommended>& found) {
  std::vector<Index> all;
  for (const Recommended& item : found) all.push_back(item.position);
  return all;
}

TEST(Recommend, IsTheLargestPredictionsBestFirst) {
  const auto found = recommend(sample_model(), {1, 0, 0}, 1, 3);
  EXPECT_EQ(positions(found), (std::vector<Index>{1, 3, 0}));
  EXPECT_EQ(found.front().value, 5);
}

TEST(Recommend, ValuesAreInTheRangeAndRankedAsPredicted) {
  const auto found = recommend(sample_model(ValueRange{1.5, 2}), {1, 0, 0}, 1, 4);
  EXPECT_EQ(positions(found), (std::vector<Index>{1, 3, 0, 2}));
  EXPECT_EQ(found[2].value, 2);
  EXPECT_EQ(found[3].value, 1.5);
}

TEST(Recommend, DependsOnTheOtherModes) {
  EXPECT_EQ(positions(recommend(sample_model(), {1, 0, 1}, 1, 1)), (std::vector<Index>{2}));
}

TEST(Recommend, LeavesOutWhatIsExcluded) {
  const std::vector<Index> seen{1, 3, 99};
  EXPECT_EQ(positions(recommend(sample_model(), {0, 0, 0}, 1, 10, seen)), (std::vector<Index>{0, 2}));
}

// Item 2 is the most popular; item 0 is predicted to be a little better than 2 within a range of 10.
TEST(Recommend, ByBothWeighsPopularityAndRating) {
  const ModelFile file = sample_model(ValueRange{0, 10});
  Interest interest{1, Vector(4), {}, Matrix(0, 0), Vector(0)};
  interest.popularity << 1, 2, 9, 1;
  const auto ranked = [&](std::optional<RankBy> by) {
    return positions(recommend(file, {0, 0, 0}, 1, 4, {}, {by, interest}));
  };
  EXPECT_EQ(ranked(RankBy::popularity), (std::vector<Index>{2, 1, 0, 3}));
  EXPECT_EQ(ranked(RankBy::both), (std::vector<Index>{2, 1, 3, 0}));
  EXPECT_EQ(ranked({}), ranked(RankBy::both));
  EXPECT_EQ(ranked(RankBy::rating), (std::vector<Index>{1, 3, 0, 2}));
}

TEST(Recommend, ByPopularityNeedsIt) {
  EXPECT_THROW(recommend(sample_model(), {0, 0, 0}, 1, 1, {}, {RankBy::popularity, {}}), Error);
  EXPECT_THROW(recommend_by(sample_model(), "taste", "by", 0, 1, nullptr), UsageError);
}

}  // namespace
}  // namespace tulle
