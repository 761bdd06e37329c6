#include "text/dialect.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(Dialect, FollowsFromAPublicFirstLine) {
  const Dialect found = dialect_of("user;film;stars", ',', {}, {}, true);
  EXPECT_EQ(found.separator, ';');
  EXPECT_TRUE(found.decimal_comma && found.guessed);
  for (const char* line : {"user,film;s,stars", "user,film,stars", "user", "\"a;b\"", "\";"}) {
    const Dialect plain = dialect_of(line, ',', {}, {}, true);
    EXPECT_EQ(plain.separator, ',') << line;
    EXPECT_FALSE(plain.decimal_comma || plain.guessed) << line;
  }
}

TEST(Dialect, DoesNotFollowFromALineThatMayBePrivate) {
  EXPECT_EQ(dialect_of("a;b;1", ',', {}, {}, false).separator, ',');
}

TEST(Dialect, IsWhatIsStated) {
  EXPECT_EQ(dialect_of("a;b", ',', '|', {}, true).separator, '|');
  EXPECT_FALSE(dialect_of("a;b", ',', ';', {}, true).guessed);
  EXPECT_TRUE(dialect_of("a;b", ',', ';', {}, true).decimal_comma);
  EXPECT_FALSE(dialect_of("a;b", ',', ';', '.', true).decimal_comma);
  EXPECT_TRUE(dialect_of("a\tb", '\t', {}, ',', true).decimal_comma);
  EXPECT_EQ(dialect_of("a;b", '\t', {}, {}, true).separator, '\t') << "the format has one";
}

TEST(DecimalText, HasAPointForTheComma) {
  DecimalText points(false), commas(true);
  EXPECT_EQ(points.of("3,5"), "3,5");
  EXPECT_EQ(commas.of("3,5"), "3.5");
  EXPECT_EQ(commas.of("3.5"), "3.5");
}

}  // namespace
}  // namespace tulle
