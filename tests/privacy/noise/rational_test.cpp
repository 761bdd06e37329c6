#include <tulle/base/error.hpp>
#include <tulle/privacy/noise/rational.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace tulle {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

RC_GTEST_PROP(Rational, RoundsTheWayItsNameSays, ()) {
  const double value = std::ldexp(1 + *rc::gen::inRange(0, 1 << 30) * 0x1p-30, *rc::gen::inRange(-40, 51)) *
                       (1 + *rc::gen::inRange(0, 1 << 20) * 0x1p-51);
  const double up = Rational::at_least(value).value(), down = Rational::at_most(value).value();
  RC_ASSERT(down <= value && value <= up);
  RC_ASSERT(up - down <= std::max(value * 0x1p-38, 0x1p-51));
}

TEST(Rational, IsInLowestTerms) {
  EXPECT_EQ(Rational(6, 4), Rational(3, 2));
  EXPECT_EQ(Rational::at_least(2.5), Rational(5, 2));
  EXPECT_EQ(Rational::at_most(1.0), Rational(1));
  EXPECT_EQ(Rational::at_least(1e-30), Rational(1, Rational::kLimit));
}

TEST(Rational, RefusesWhatItCannotHold) {
  const auto refuses = [](auto make, const char* message) {
    EXPECT_THAT(make, ThrowsMessage<UsageError>(HasSubstr(message)));
  };
  refuses([] { Rational(0, 1); }, "rational: 0/1 must have a positive numerator and denominator");
  refuses([] { Rational(1, 0); }, "rational: 1/0 must have a positive numerator and denominator");
  refuses([] { Rational(Rational::kLimit + 1); },
          "rational: numerator 4503599627370497 must be between 1 and");
  refuses([] { Rational::at_least(-1); }, "rational: value -1 must be positive and finite");
  refuses([] { Rational::at_least(NAN); }, "rational: value nan must be positive and finite");
  refuses([] { Rational::at_least(1e16); }, "rational: value 1e+16 must be between 0 and 4503599627370496");
  refuses([] { Rational::at_most(1e-30); },
          "rational: value 1e-30 is below 2^-52 and cannot be rounded down");
}

}  // namespace
}  // namespace tulle
