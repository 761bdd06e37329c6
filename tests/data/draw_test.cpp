#include "draw.hpp"

#include <tulle/base/threads.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace tulle {
namespace {

TEST(Draw, EveryUseOfASeedHasItsOwnNumbers) {
  std::set<std::uint64_t> first = {Random(7).bits()};
  for (Use use : {Use::signal, Use::noise, Use::positions, Use::values, Use::observe, Use::split, Use::folds})
    for (std::uint64_t piece : {0, 1}) first.insert(random_for(use, 7, piece).bits());
  EXPECT_EQ(first.size(), 1u + 7u * 2u);
}

RC_GTEST_PROP(Draw, ExactlyAsManyAreSelectedAsAsked, ()) {
  const auto items = *rc::gen::inRange<std::size_t>(0, 50),
             count = *rc::gen::inRange<std::size_t>(0, items + 1);
  std::size_t next = 0, chosen = 0;
  select_in_order(items, count, Random(*rc::gen::arbitrary<std::uint64_t>()), [&](std::size_t item, bool is) {
    RC_ASSERT(item == next++);
    chosen += is;
  });
  RC_ASSERT(next == items);
  RC_ASSERT(chosen == count);
}

TEST(Draw, AShareIsTheNearestCount) {
  EXPECT_EQ(share(0.5, 5), 3u);
  EXPECT_EQ(share(0.1, 14), 1u);
  EXPECT_EQ(share(0, 9), 0u);
  EXPECT_EQ(share(1, 9), 9u);
}

// More than two pieces of 2^16 values.
TEST(Draw, NoiseDoesNotDependOnTheThreadsAndIsAddedInProportion) {
  const auto noisy = [](int thread_count, double deviation) {
    const int before = threads();
    set_threads(thread_count);
    std::vector<double> values(140'000, 1.0);
    add_noise(values, deviation, 3);
    set_threads(before);
    return values;
  };
  const std::vector<double> one = noisy(1, 1), four = noisy(3, 4);
  EXPECT_EQ(one, noisy(3, 1));
  for (std::size_t i = 0; i < one.size(); i += 1000) EXPECT_NEAR(four[i] - 1, 4 * (one[i] - 1), 1e-12);
  EXPECT_NE(one[0], one[1 << 16]) << "pieces have streams of their own";
}

TEST(Draw, CellsAreListedByTheirNumberInCOrder) {
  DenseTensor tensor(Shape{2, 3, 4});
  for (std::size_t i = 0; i < tensor.size(); ++i) tensor.values()[i] = static_cast<double>(i);
  Lister lister(tensor, 2);
  lister.list(23);
  lister.list(6);
  EXPECT_EQ(lister.finish(),
            SparseTensor(Cells(tensor.shape(), {{1, 0}, {2, 1}, {3, 2}}), {23, 6}, Unlisted::missing));
}

}  // namespace
}  // namespace tulle
