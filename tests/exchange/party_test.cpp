#include <tulle/base/error.hpp>
#include <tulle/exchange/party.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// Colluders have 2 c of the 2 t shares that unmask a client, and the other n - c clients give one each.
TEST(Party, AThresholdLeavesNoTwoAnswersToDifferentQuestions) {
  EXPECT_EQ(least_threshold(4, 1), 3);
  EXPECT_EQ(least_threshold(2, 1), 2);
  for (int parties = 2; parties < 12; ++parties)
    for (int colluding = 0; colluding < parties; ++colluding) {
      const int least = least_threshold(parties, colluding);
      EXPECT_GT(2 * least, parties - colluding + 2 * colluding);
      EXPECT_LE(2 * (least - 1), parties + colluding);
      EXPECT_LE(least, parties);
      EXPECT_NO_THROW(check_sum_terms({parties, least, colluding}));
      EXPECT_THROW(check_sum_terms({parties, least - 1, colluding}), UsageError);
      EXPECT_THROW(check_sum_terms({parties, parties + 1, colluding}), UsageError);
    }
}

TEST(Party, RefusesTermsThatHideNothing) {
  EXPECT_THROW(check_sum_terms({1, 1, 0}), UsageError);
  EXPECT_THROW(check_sum_terms({256, 256, 0}), UsageError);
  EXPECT_THROW(check_sum_terms({3, 3, 3}), UsageError);
  EXPECT_THROW(check_sum_terms({3, 3, -1}), UsageError);
}

}  // namespace
}  // namespace tulle
