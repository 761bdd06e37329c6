#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>

#include <gtest/gtest.h>

#include <type_traits>

namespace tulle {
namespace {

// The command tells wrong use (exit 2) from failure (exit 1) by type, and a caller who catches Error gets
// both.
static_assert(std::is_base_of_v<std::runtime_error, Error>);
static_assert(std::is_base_of_v<Error, UsageError>);

TEST(Error, SaysWhatWasFormatted) {
  try {
    fail("{}:{}: {} columns, but the lines before have {}", "ratings.tns", 17, 3, 4);
  } catch (const UsageError&) {
    ADD_FAILURE() << "a failure is not wrong use";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "ratings.tns:17: 3 columns, but the lines before have 4");
  }
}

TEST(Error, UsageIsItsOwnKind) {
  try {
    fail_usage("rank {}: give 1 or more", 0);
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "rank 0: give 1 or more");
  }
}

TEST(Error, DoesNotShowTheNamesOfTheJsonLibrary) {
  try {
    static_cast<void>(parse_json("{}").at("documents"));
  } catch (const std::exception& error) {
    EXPECT_EQ(text_of(error), "key 'documents' not found");
  }
  EXPECT_EQ(text_of(std::runtime_error("[0, 1] is no range")), "[0, 1] is no range");
}

TEST(Error, NeverReturns) {
  EXPECT_THROW(fail("no"), Error);
  EXPECT_THROW(fail_usage("no"), UsageError);
}

}  // namespace
}  // namespace tulle
