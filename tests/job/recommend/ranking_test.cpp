#include <tulle/base/error.hpp>
#include <tulle/job/ranking.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

// One row for any user: items 4, predicted 4 > 3 > 2 > 1.
ModelFile four_items() {
  Cp model{Vector::Ones(1), {Matrix::Ones(1, 1), Matrix(4, 1)}, {}};
  model.factors[1] << 4, 3, 2, 1;
  return {.model = model, .modes = unnamed_modes(2), .method = "plain", .range = ValueRange{0, 4}};
}

TEST(Ranking, CountsWhatIsFoundAmongTheBest) {
  // The first user's best two are 1 and 2, of which she wants 2 and 3; the second wants the best of all.
  const std::vector<UserToRank> users{{0, {0}, {2, 3}}, {0, {}, {0}}, {0, {1}, {}}};
  const RankingScores scores = score_ranking(four_items(), 0, 1, users, 2, {});
  EXPECT_EQ(scores.users, 2u);
  EXPECT_NEAR(scores.recall, (0.5 + 1) / 2, 1e-12);
  const double second = 1 / std::log2(3.0);
  EXPECT_NEAR(scores.ndcg, (second / (1 + second) + 1) / 2, 1e-12);
  EXPECT_NEAR(scores.hit_rate, 1, 1e-12);
  EXPECT_NEAR(scores.coverage, 0.75, 1e-12);
}

TEST(Ranking, GoesByPopularityWhereThatIsAskedFor) {
  const std::vector<UserToRank> users{{0, {}, {3}}};
  Interest interest{1, Vector(4), {}, Matrix(0, 0), Vector(0)};
  interest.popularity << 1, 2, 3, 4;
  EXPECT_EQ(score_ranking(four_items(), 0, 1, users, 1, {RankBy::rating, interest}).recall, 0);
  EXPECT_EQ(score_ranking(four_items(), 0, 1, users, 1, {RankBy::popularity, interest}).recall, 1);
}

}  // namespace
}  // namespace tulle
