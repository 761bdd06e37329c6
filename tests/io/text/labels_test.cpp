#include "text/labels.hpp"

#include "io/expect_error.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(Labels, NumberedAsTheyComeFirst) {
  Labels labels;
  EXPECT_EQ(labels.find("a"), Labels::kNone);
  for (std::size_t i = 0; i < 10'000; ++i) EXPECT_EQ(labels.find_or_add(std::to_string(i)), i);
  for (std::size_t i = 0; i < 10'000; ++i) EXPECT_EQ(labels.find_or_add(std::to_string(i)), i);
  EXPECT_EQ(labels.find("9999"), 9999);
  EXPECT_EQ(labels.find("10000"), Labels::kNone);
  EXPECT_EQ(labels[123], "123");
}

TEST(Labels, AnyTextIsALabel) {
  const std::vector<std::string> strings{"", std::string("\0", 1), "a", "aa", "\xff"};
  const Labels labels(strings);
  EXPECT_EQ(labels.strings(), strings);
  for (std::size_t i = 0; i < strings.size(); ++i) EXPECT_EQ(labels.find(strings[i]), i);
}

TEST(Labels, KnownOnesAreUnique) {
  EXPECT_MESSAGE(Labels({"a", "b", "a"}), "label 'a' is known twice; labels of a mode are unique");
}

}  // namespace
}  // namespace tulle
