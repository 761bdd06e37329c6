#include "topics/projected.hpp"

#include "method/topics/any_documents.hpp"
#include "method/topics/samples.hpp"
#include "topics/word_moments.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

using namespace testing;

TEST(Projected, ADocumentAddsATensorOfNormOneAtMost) {
  const ClippedRows clipped = clip_rows(3 * any_rows(30, 4, 3), 0.7);
  EXPECT_LE(clipped.rows.rowwise().norm().maxCoeff(), 1);
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    Documents one(30);
    std::vector<Index> words(3 + random.below(10));
    for (Index& word : words) word = static_cast<Index>(random.below(30));
    one.append(words, "");
    const Cube cube = symmetrised(projected_triples(one, clipped.rows, 1));
    EXPECT_LE(cube.norm(), 1 + 1e-12);
    const auto cells = isometric(cube);
    double norm = 0;
    for (double cell : cells) norm += cell * cell;
    EXPECT_NEAR(std::sqrt(norm), cube.norm(), 1e-12);
    EXPECT_TRUE(cube_of(cells, 4).isApprox(cube, 1e-12));
  }
}

TEST(Projected, TheBoundGrowsAsNoiseFalls) {
  const Matrix rows = any_rows(200, 4, 6);
  const Vector shares = Vector::Constant(200, 1.0 / 200);
  const double longest = rows.rowwise().norm().maxCoeff();
  EXPECT_NEAR(best_bound(rows, shares, 0), longest, 1e-12);
  EXPECT_LT(best_bound(rows, shares, 1), best_bound(rows, shares, 0.01));
}

TEST(Projected, RowsLongerThanTheBoundAreShortenedToIt) {
  Matrix rows(2, 2);
  rows << 3, 4, 0.3, 0.4;
  const ClippedRows clipped = clip_rows(rows, 2);
  EXPECT_NEAR(clipped.rows(0, 0), 0.6, 1e-10);
  EXPECT_NEAR(clipped.rows(1, 1), 0.2, 1e-10);
  EXPECT_EQ(clipped.bound, 2);
}

// Two tensors of norm 1 at a distance of 2, and rounding, which grows with the number of terms.
TEST(Projected, AReplacedUnitChangesTheSumByTwo) {
  TopicRequest request = words_request(made_up(true_topics(3, 1), 5, 3, 1), 1);
  EXPECT_NEAR(replaced_cube(request, 3), 2, 1e-6);
  EXPECT_GT(replaced_cube(request, 3), 2);
  const double threes = replaced_cube(request, 3);
  request.length = {};
  EXPECT_GT(replaced_cube(request, 3), threes);
}

}  // namespace
}  // namespace tulle
