#include <tulle/base/error.hpp>
#include <tulle/method/warm_start.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

std::shared_ptr<const Model> a_model() {
  return std::make_shared<const Model>(Cp{Vector::Ones(1), {Matrix::Ones(2, 1), Matrix::Ones(3, 1)}, {}});
}

std::string guarantee(const char* status, const char* reproducible) {
  return fmt::format(R"({{"status": "{}", "reproducible": {}, "sentence": "epsilon 1"}})", status,
                     reproducible);
}

TEST(WarmStart, OnlyAGuaranteeThatHoldsIsASource) {
  EXPECT_EQ(source_with_guarantee(guarantee("proven", "false")),
            "a model with epsilon 1 (the costs add up if it was fitted to the same data)");
  EXPECT_FALSE(source_with_guarantee(guarantee("proven, except against whoever knows the seed", "true")));
  EXPECT_FALSE(source_with_guarantee(guarantee("claimed", "false")));
  EXPECT_FALSE(source_with_guarantee(""));
}

// Whoever asks what the new guarantee says of a model gets an answer or a refusal, never silence.
TEST(WarmStart, OfAModelOfWhichNothingIsKnownHasNoSource) {
  EXPECT_THROW(WarmStart(a_model()).source(), UsageError);
  EXPECT_THROW(WarmStart::with_guarantee(a_model(), guarantee("claimed", "false"), "m").source(), UsageError);
  EXPECT_EQ(WarmStart::stated_public(a_model()).source(), "a model that is public (the owner's word)");
  EXPECT_EQ(WarmStart().source(), "");
}

}  // namespace
}  // namespace tulle
