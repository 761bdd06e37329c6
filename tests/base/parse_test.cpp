#include <tulle/base/parse.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace tulle {
namespace {

TEST(ParseNumber, ReadsTheWholeText) {
  EXPECT_EQ(parse_number<int>("-12"), -12);
  EXPECT_EQ(parse_number<double>("1e-3"), 1e-3);
  EXPECT_EQ(parse_number<std::uint64_t>("18446744073709551615"), ~std::uint64_t{0});
}

TEST(ParseNumber, IsEmptyForAnythingElse) {
  EXPECT_FALSE(parse_number<int>(""));
  EXPECT_FALSE(parse_number<int>("12 "));
  EXPECT_FALSE(parse_number<int>(" 12"));
  EXPECT_FALSE(parse_number<int>("1.5"));
  EXPECT_FALSE(parse_number<int>("2147483648"));
  EXPECT_FALSE(parse_number<std::uint64_t>("-1"));
  EXPECT_FALSE(parse_number<double>("1,5"));
}

}  // namespace
}  // namespace tulle
