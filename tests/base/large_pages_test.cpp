#include <tulle/base/large_pages.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace tulle {
namespace {

std::uintptr_t address(const void* memory) {
  return reinterpret_cast<std::uintptr_t>(memory);
}

TEST(LargePages, SmallArraysStartOnACacheLine) {
  const PagedVector<double> few(3, 1.5);
  EXPECT_EQ(address(few.data()) % 64, 0u);
}

TEST(LargePages, LargeArraysStartOnALargePage) {
  const PagedVector<float> many(1 << 20, 2.5F);
  EXPECT_EQ(address(many.data()) % (1 << 21), 0u);
}

TEST(LargePages, ArraysGrowAndKeepTheirContents) {
  PagedVector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < 1'200'000; ++i)
    numbers.push_back(i);  // from a few bytes to more than two large pages
  for (std::uint32_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(numbers[i], i);
}

// Three large pages, of which the first begins somewhere inside.
TEST(LargePages, CanBeAskedForInMemoryThatIsInUse) {
  std::vector<std::uint32_t> numbers(3 << 19);
  for (std::uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
  ask_for_large_pages(numbers.data() + 1, (numbers.size() - 1) * sizeof(numbers[0]));
  ask_for_large_pages(numbers.data(), 4);
  for (std::uint32_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(numbers[i], i);
}

}  // namespace
}  // namespace tulle
