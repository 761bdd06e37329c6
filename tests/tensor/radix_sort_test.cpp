#include "radix_sort.hpp"

#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace tulle {
namespace {

using Pairs = std::vector<std::pair<Index, std::uint32_t>>;

Pairs sorted(const std::vector<Index>& keys) {
  RadixSort radix(keys.size());
  for (std::uint32_t entry = 0; entry < keys.size(); ++entry) radix.items[entry] = {keys[entry], entry};
  radix.sort(keys.empty() ? 0 : *std::ranges::max_element(keys));
  Pairs pairs;
  for (const Keyed& item : radix.items) pairs.emplace_back(item.key, item.entry);
  return pairs;
}

Pairs sorted_by_the_library(const std::vector<Index>& keys) {
  Pairs pairs;
  for (std::uint32_t entry = 0; entry < keys.size(); ++entry) pairs.emplace_back(keys[entry], entry);
  std::ranges::stable_sort(pairs, {}, &Pairs::value_type::first);
  return pairs;
}

// Keys of 1 to 32 bits take 1 to 3 passes.
RC_GTEST_PROP(RadixSort, IsAStableSort, ()) {
  const int bits = *rc::gen::inRange(0, 33);
  const Index mask = static_cast<Index>((std::uint64_t{1} << bits) - 1);
  auto keys = *rc::gen::arbitrary<std::vector<Index>>();
  for (Index& key : keys) key &= mask;
  RC_ASSERT(sorted(keys) == sorted_by_the_library(keys));
}

TEST(RadixSort, HoldsTheLargestKeys) {
  EXPECT_EQ(sorted({0xffff'ffff, 0, 0xffff'fffe, 0x8000'0000}),
            (Pairs{{0, 1}, {0x8000'0000, 3}, {0xffff'fffe, 2}, {0xffff'ffff, 0}}));
}

TEST(RadixSort, InChunksIsTheSameSort) {
  Random random(1);
  std::vector<Index> keys(kWorthThreadsToSort + 1);
  for (Index& key : keys) key = static_cast<Index>(random.below(3000));  // two passes
  const int before = threads();
  set_threads(3);
  const Pairs found = sorted(keys);
  set_threads(before);
  EXPECT_TRUE(found == sorted_by_the_library(keys));
}

}  // namespace
}  // namespace tulle
