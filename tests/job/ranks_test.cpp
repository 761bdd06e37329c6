#include <tulle/base/error.hpp>
#include <tulle/job/ranks.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

FitOptions asked(ModelKind model, std::vector<int> ranks) {
  FitOptions fit;
  fit.model = model;
  fit.ranks = std::move(ranks);
  return fit;
}

const Shape kShape({20, 5, 3});

TEST(Ranks, UpToTheSizeOfTheTensorAreAccepted) {
  EXPECT_NO_THROW(check_ranks(asked(ModelKind::cp, {15}), kShape));
  EXPECT_NO_THROW(check_ranks(asked(ModelKind::tucker, {20, 5, 3}), kShape));
  EXPECT_NO_THROW(check_ranks(asked(ModelKind::tucker, {3}), kShape));
  EXPECT_NO_THROW(check_ranks(asked(ModelKind::tubal, {5}), kShape));
  EXPECT_NO_THROW(check_ranks(asked(ModelKind::cp, {}), kShape));
}

TEST(Ranks, BeyondTheTensorAreRefused) {
  EXPECT_THROW(check_ranks(asked(ModelKind::cp, {16}), kShape), UsageError);
  EXPECT_THROW(check_ranks(asked(ModelKind::tucker, {4}), kShape), UsageError);
  EXPECT_THROW(check_ranks(asked(ModelKind::tucker, {20, 6, 3}), kShape), UsageError);
  EXPECT_THROW(check_ranks(asked(ModelKind::tubal, {6}), kShape), UsageError);
}

// Otherwise a refusal would tell how many users there are.
TEST(Ranks, DoNotDependOnAPrivateSize) {
  for (std::uint64_t users : {1, 2, 1000}) {
    const Shape shape({users, 5, 3});
    EXPECT_NO_THROW(check_ranks(asked(ModelKind::cp, {15}), shape, 0));
    EXPECT_THROW(check_ranks(asked(ModelKind::cp, {16}), shape, 0), UsageError);
    EXPECT_NO_THROW(check_ranks(asked(ModelKind::tucker, {50, 5, 3}), shape, 0));
  }
}

}  // namespace
}  // namespace tulle
