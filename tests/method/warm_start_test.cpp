#include <tulle/base/error.hpp>
#include <tulle/method/warm_start.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

std::shared_ptr<const Model> a_model() {
  return std::make_shared<const Model>(Cp{Vector::Ones(1), {Matrix::Ones(2, 1), Matrix::Ones(3, 1)}, {}});
}

constexpr Neighbours kEntries{Unit::entry, Relation::replace}, kUsers{Unit::user, Relation::add_remove};

std::string guarantee(const char* status, const char* reproducible) {
  return fmt::format(
      R"({{"status": "{}", "reproducible": {}, "sentence": "epsilon 1", "unit": "entry", "relation": "replace"}})",
      status, reproducible);
}

WarmStart with(const std::string& guarantee) {
  return WarmStart::with_guarantee(a_model(), guarantee, "m.npz");
}

TEST(WarmStart, OnlyAGuaranteeThatHoldsIsASource) {
  EXPECT_EQ(with(guarantee("proven", "false")).source(kEntries, ""),
            "a model with epsilon 1 (the costs add up if it was fitted to the same data)");
  for (const std::string& none :
       {guarantee("proven, except against whoever knows the seed", "true"), guarantee("claimed", "false"),
        std::string(), std::string(R"({"status": "proven", "reproducible": false})")})
    EXPECT_THROW(with(none).source(kEntries, ""), UsageError) << none;
}

// Ten entries of a user at epsilon 5 each are no guarantee of 5 for her.
TEST(WarmStart, AGuaranteeForAnotherUnitIsNoSource) {
  EXPECT_THROW(with(guarantee("proven", "false")).source(kUsers, "user"), UsageError);
  EXPECT_THROW(with(guarantee("proven", "false")).source({Unit::entry, Relation::add_remove}, ""),
               UsageError);
  const std::string users =
      R"({"status": "proven", "reproducible": false, "sentence": "s", "unit": "user", "relation": "add-remove", "mode": "user"})";
  EXPECT_NO_THROW(with(users).source(kUsers, "user"));
  EXPECT_THROW(with(users).source(kUsers, "film"), UsageError);
  EXPECT_THROW(with(users).source(kEntries, ""), UsageError);
}

// Whoever asks what the new guarantee says of a model gets an answer or a refusal, never silence.
TEST(WarmStart, OfAModelOfWhichNothingIsKnownHasNoSource) {
  EXPECT_THROW(WarmStart(a_model()).source(kEntries, ""), UsageError);
  EXPECT_EQ(WarmStart::stated_public(a_model()).source(kUsers, "user"),
            "a model that is public (the owner's word)");
  EXPECT_EQ(WarmStart().source(kEntries, ""), "");
}

}  // namespace
}  // namespace tulle
