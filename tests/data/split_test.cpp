#include "expect_error.hpp"

#include <tulle/data/generate.hpp>
#include <tulle/data/split.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

namespace tulle {
namespace {

// A column of entries whose values are their numbers.
SparseTensor numbered(std::size_t entries) {
  SparseTensor result(Shape{std::max<std::uint64_t>(entries, 1), 1}, Unlisted::missing);
  for (std::size_t entry = 0; entry < entries; ++entry)
    result.append(std::array<Index, 2>{static_cast<Index>(entry), 0}, static_cast<float>(entry));
  return result;
}

DenseTensor numbered_dense(const Shape& shape) {
  DenseTensor result(shape);
  std::iota(result.values().begin(), result.values().end(), 0.0);
  return result;
}

// Parts that hold every value 0 .. entries-1 once and keep their order, each value still in its cell.
bool is_partition(const Split& parts, std::size_t entries) {
  std::set<float> seen;
  for (const SparseTensor* part : {&parts.train, &parts.test}) {
    if (!std::is_sorted(part->values().begin(), part->values().end())) return false;
    for (std::size_t entry = 0; entry < part->size(); ++entry) {
      const auto cell = part->cells().cell(entry);
      if (part->shape().offset(std::span(cell).first(part->order())) != part->values()[entry]) return false;
    }
    seen.insert(part->values().begin(), part->values().end());
  }
  return parts.train.size() + parts.test.size() == entries && seen.size() == entries;
}

RC_GTEST_PROP(Split, PartitionsExactly, ()) {
  const auto entries = *rc::gen::inRange<std::size_t>(4, 200);
  const double fraction = *rc::gen::inRange(25, 76) / 100.0;
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const Split parts = split(numbered(entries), fraction, seed);
  RC_ASSERT(is_partition(parts, entries));
  RC_ASSERT(parts.test.size() ==
            static_cast<std::size_t>(std::lround(fraction * static_cast<double>(entries))));
  RC_ASSERT(split(numbered(entries), fraction, seed).test == parts.test);
}

RC_GTEST_PROP(Split, PartitionsDense, ()) {
  const Shape shape{*rc::gen::inRange<std::uint64_t>(2, 6), *rc::gen::inRange<std::uint64_t>(2, 6),
                    *rc::gen::inRange<std::uint64_t>(1, 6)};
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const Split parts = split(numbered_dense(shape), 0.25, seed);
  RC_ASSERT(is_partition(parts, shape.cells()));
  RC_ASSERT(parts.train.unlisted() == Unlisted::missing);
}

// 6 subsets of 2 out of 4, 6000 seeds: chi-square with 5 degrees of freedom is above 41 once in 1e7.
TEST(Split, EverySubsetIsEquallyLikely) {
  std::map<std::pair<float, float>, int> seen;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) {
    const Split parts = split(numbered(4), 0.5, seed);
    ++seen[{parts.test.values()[0], parts.test.values()[1]}];
  }
  ASSERT_EQ(seen.size(), 6u);
  double chi_square = 0;
  for (const auto& [subset, count] : seen) chi_square += (count - 1000.0) * (count - 1000.0) / 1000;
  EXPECT_LT(chi_square, 41);
}

TEST(Split, SeedsDiffer) {
  EXPECT_NE(split(numbered(100), 0.5, 1).test, split(numbered(100), 0.5, 2).test);
}

// Given the same seed, the cells that are observed and then held out must not be those that the first choice
// took anyway: a half of a half is a quarter of every part. Binomial(500, 1/2) is within 250 +- 60 but for
// 1e-7.
TEST(Split, SameSeedAsObserveIsIndependent) {
  const Shape shape{1000, 2};
  const Split parts = split(observe(numbered_dense(shape), 0.5, 9), 0.5, 9);
  const auto low =
      std::count_if(parts.test.values().begin(), parts.test.values().end(), [](float v) { return v < 1000; });
  EXPECT_EQ(parts.test.size(), 500u);
  EXPECT_NEAR(low, 250, 60);
  EXPECT_NE(split(numbered_dense(shape), 0.5, 9).test, observe(numbered_dense(shape), 0.5, 9));
}

TEST(Split, RefusesEmptyParts) {
  expect_error([] { split(numbered(3), 0.1, 0); }, "leaves none to test on");
  expect_error([] { split(numbered(3), 0.9, 0); }, "leaves none to learn from");
  expect_error([] { split(numbered(0), 0.5, 0); }, "leaves none to test on");
  for (double fraction : {0.0, 1.0, -0.5, std::nan("")})
    expect_error<UsageError>([&] { split(numbered(3), fraction, 0); }, "between 0 and 1");
}

TEST(Split, RefusesZerosSemantics) {
  SparseTensor counts(Shape{2, 2}, Unlisted::zero);
  counts.append(std::array<Index, 2>{0, 0}, 1);
  counts.append(std::array<Index, 2>{1, 0}, 1);
  expect_error([&] { split(counts, 0.5, 0); }, "learned as zeros");
  expect_error([&] { fold(counts, {{0}, {1}}, 0); }, "learned as zeros");
}

RC_GTEST_PROP(KFolds, CoverEveryEntryOnce, ()) {
  const int k = *rc::gen::inRange(2, 8);
  const auto entries = *rc::gen::inRange<std::size_t>(k, 100);
  const Folds folds = k_folds(entries, k, *rc::gen::arbitrary<std::uint64_t>());
  std::vector<std::size_t> all;
  for (const auto& group : folds) {
    RC_ASSERT(group.size() == entries / k || group.size() == entries / k + 1);
    RC_ASSERT(std::is_sorted(group.begin(), group.end()));
    all.insert(all.end(), group.begin(), group.end());
  }
  std::sort(all.begin(), all.end());
  std::vector<std::size_t> expected(entries);
  std::iota(expected.begin(), expected.end(), std::size_t{0});
  RC_ASSERT(all == expected);
  const int held_out = *rc::gen::inRange(0, k);
  const Split parts = fold(numbered(entries), folds, held_out);
  RC_ASSERT(is_partition(parts, entries));
  RC_ASSERT(parts.test == numbered(entries).select(folds[held_out]));
}

TEST(KFolds, AreShuffled) {
  EXPECT_NE(k_folds(100, 2, 1)[0], k_folds(100, 2, 2)[0]);
}

TEST(KFolds, RefuseBadNumbers) {
  expect_error<UsageError>([] { k_folds(10, 1, 0); }, "1 folds");
  expect_error([] { k_folds(2, 3, 0); }, "2 entries cannot be put into 3 folds");
  expect_error<UsageError>([] { fold(numbered(4), k_folds(4, 2, 0), 2); }, "fold 2 of 2");
  expect_error([] { fold(numbered(5), k_folds(4, 2, 0), 0); },
               "the folds are of 4 entries, the tensor has 5");
}

// The users and films of a made-up file, with labels in the order of their appearance.
Dataset labelled(const std::vector<std::pair<int, int>>& entries) {
  std::vector<Mode> modes = {{"user", {}}, {"film", {}}};
  std::vector<std::array<Index, 2>> cells;
  const auto number_of = [](std::vector<std::string>& labels, const std::string& label) {
    const auto found = std::find(labels.begin(), labels.end(), label);
    if (found != labels.end()) return static_cast<Index>(found - labels.begin());
    labels.push_back(label);
    return static_cast<Index>(labels.size() - 1);
  };
  for (const auto& [user, film] : entries)
    cells.push_back({number_of(modes[0].labels, fmt::format("u{}", user)),
                     number_of(modes[1].labels, fmt::format("f{}", film))});
  SparseTensor tensor(Shape{modes[0].labels.size(), modes[1].labels.size()}, Unlisted::missing);
  for (std::size_t i = 0; i < cells.size(); ++i)
    tensor.append(cells[i], static_cast<float>(100 * entries[i].first + entries[i].second));
  return {modes, std::move(tensor)};
}

std::set<float> values_of(const SparseTensor& tensor) {
  return {tensor.values().begin(), tensor.values().end()};
}

TEST(SplitByPosition, AUserMoreMovesNoOtherEntryToTheOtherPart) {
  std::vector<std::pair<int, int>> entries;
  for (int user = 1; user < 40; ++user)
    for (int film = user % 3; film < 50; film += 3) entries.emplace_back(user, film);
  const Split without = split_by_position(labelled(entries), 0.3, 7);
  std::vector<std::pair<int, int>> more = {{0, 49}, {0, 3}, {0, 20}};
  more.insert(more.end(), entries.begin(), entries.end());
  const Split with = split_by_position(labelled(more), 0.3, 7);
  for (const auto& [larger, smaller] : {std::pair(values_of(with.train), values_of(without.train)),
                                        std::pair(values_of(with.test), values_of(without.test))}) {
    EXPECT_TRUE(std::includes(larger.begin(), larger.end(), smaller.begin(), smaller.end()));
    for (float value : larger)
      EXPECT_TRUE(value < 100 || smaller.contains(value));  // user 0 alone has values below 100
  }
}

// 10,000 fair coins of probability 0.3: 6 standard deviations are 275, so a false alarm has probability 2e-9.
TEST(SplitByPosition, HoldsOutTheFractionThatWasAskedFor) {
  std::vector<std::pair<int, int>> entries;
  for (int user = 0; user < 100; ++user)
    for (int film = 0; film < 100; ++film) entries.emplace_back(user, film);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Split parts = split_by_position(labelled(entries), 0.3, seed);
    EXPECT_NEAR(static_cast<double>(parts.test.size()), 3000, 275);
    EXPECT_EQ(parts.test.size() + parts.train.size(), 10'000u);
  }
}

TEST(SplitByPosition, OtherSeedsHoldOutOtherEntries) {
  std::vector<std::pair<int, int>> entries;
  for (int film = 0; film < 100; ++film) entries.emplace_back(1, film);
  EXPECT_NE(values_of(split_by_position(labelled(entries), 0.5, 1).test),
            values_of(split_by_position(labelled(entries), 0.5, 2).test));
}

TEST(SplitByPosition, MayLeaveAPartEmpty) {
  const Split parts = split_by_position(labelled({{1, 1}}), 0.5, 1);
  EXPECT_EQ(parts.train.size() + parts.test.size(), 1u);
}

}  // namespace
}  // namespace tulle
