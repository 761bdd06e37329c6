#include <tulle/base/rounding.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// Not known to the compiler.
double little_less_than_one() {
  volatile double one = 1, little = 0x1p-60;
  return one - little;
}

TEST(Rounding, LastsAsLongAsTheObject) {
  EXPECT_EQ(little_less_than_one(), 1);
  {
    const Rounding rounding = Rounding::down();
    EXPECT_LT(little_less_than_one(), 1);
    {
      const Rounding inner = Rounding::to_nearest();
      EXPECT_EQ(little_less_than_one(), 1);
    }
    EXPECT_LT(little_less_than_one(), 1);
  }
  EXPECT_EQ(little_less_than_one(), 1);
}

}  // namespace
}  // namespace tulle
