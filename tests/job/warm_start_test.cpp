#include <tulle/base/error.hpp>
#include <tulle/job/warm_start.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(WarmStart, ComparesLabelsInTheirOrderWherePositionsArePublic) {
  const std::vector<Mode> model = {{"user", {}, true}, {"film", {"Alien", "Brazil"}}};
  EXPECT_NO_THROW(check_same_positions("m.npz", model, {{"user", {}, true}, {"film", {"Alien", "Brazil"}}}));
  EXPECT_NO_THROW(
      check_same_positions("m.npz", model, {{"user", {"ann"}, true}, {"film", {"Alien", "Brazil"}}}));
  EXPECT_THROW(check_same_positions("m.npz", model, {{"user", {}, true}, {"film", {"Brazil", "Alien"}}}),
               Error);
}

TEST(WarmStart, OnlyAGuaranteeThatHoldsIsASource) {
  const auto source = [](const char* status, const char* reproducible) {
    return source_with_guarantee(fmt::format(
        R"({{"status": "{}", "reproducible": {}, "sentence": "epsilon 1"}})", status, reproducible));
  };
  EXPECT_EQ(source("proven", "false"),
            "a model with epsilon 1 (the costs add up if it was fitted to the same data)");
  EXPECT_FALSE(source("proven, except against whoever knows the seed", "true"));
  EXPECT_FALSE(source("claimed", "false"));
  EXPECT_FALSE(source_with_guarantee(""));
}

}  // namespace
}  // namespace tulle
