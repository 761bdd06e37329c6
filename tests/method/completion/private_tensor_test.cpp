#include <tulle/base/error.hpp>
#include <tulle/method/private_completion.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace tulle {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

SparseTensor row_of(const std::vector<float>& values) {
  SparseTensor tensor(Shape{1, values.size()}, Unlisted::missing);
  for (Index i = 0; i < values.size(); ++i) tensor.append(std::array<Index, 2>{0, i}, values[i]);
  return tensor;
}

SparseTensor kept(const SparseTensor& observed, const Range& range, Relation relation = Relation::replace) {
  return open_for_the_data_owner(PrivateTensor(observed, range, {Unit::entry, relation}).observed());
}

// float32 has no 36.1, 42.3, 0.1 or 1e300: the nearest values lie outside.
TEST(PrivateTensor, NoValueLeavesTheRangeThatWasGiven) {
  const SparseTensor observed = row_of({-kInfinity, -1e30f, 0, 3, 40, 1e30f, kInfinity, kNan});
  for (const Range& range : {Range{36.1, 42.3}, Range{0.1, 0.7}, Range{-0.1, 1e300}, Range{-42.3, -36.1},
                             Range{1e-50, 1}, Range{1, 5}}) {
    const SparseTensor clamped = kept(observed, range);
    for (float value : clamped.values()) {
      EXPECT_GE(value, range.low);
      EXPECT_LE(value, range.high);
    }
  }
}

// What methods compute sensitivities from: bounds that are met, and a largest change, the width, that no two
// values exceed.
TEST(PrivateTensor, ItsRangeIsTheOneInForce) {
  for (const Range& given : {Range{36.1, 42.3}, Range{0.1, 0.7}, Range{-1e-30, 1}, Range{1, 5}}) {
    const PrivateTensor data(row_of({-1e30f, 1e30f, kNan}), given, {Unit::entry, Relation::replace});
    const auto values = open_for_the_data_owner(data.observed()).values();
    const Range& range = data.range();
    EXPECT_EQ(values[0], range.low);
    EXPECT_EQ(values[1], range.high);
    EXPECT_GE(static_cast<long double>(range.width()), static_cast<long double>(range.high) - range.low);
    EXPECT_EQ(data.largest_change(), range.width());
    for (float value : values) EXPECT_LE(std::abs(range.centred(value)), range.width() / 2);
  }
  EXPECT_EQ(PrivateTensor(row_of({2}), {1, 5}, {Unit::entry, Relation::replace}).range().width(), 4);
}

TEST(PrivateTensor, RefusesARangeOfWhichFloat32HoldsFewValues) {
  const auto refusal = [](const Range& range) -> std::string {
    try {
      PrivateTensor(row_of({0}), range, {Unit::entry, Relation::replace});
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal({1600000000, 1600000100}).find("subtract 1600000000"), std::string::npos);
  EXPECT_NE(refusal({0, 1e-300}).find("multiply"), std::string::npos);
  EXPECT_NE(refusal({-1600000100, -1600000000}), "");
  EXPECT_NE(refusal({16777216, 16778000}), "");
  EXPECT_EQ(refusal({0, 100}), "");
  EXPECT_EQ(refusal({1600000000, 1700000000}), "");
  EXPECT_EQ(refusal({0, 1e-30}), "");
}

TEST(PrivateTensor, CountsWhatIsNoNumberAsTheMiddleOfTheRange) {
  EXPECT_EQ(kept(row_of({kNan, 2}), {1, 5}).values()[0], 3);
}

// An entry is all that is listed of a cell, so one entry more or less is one cell more or less.
TEST(PrivateTensor, ListsEveryCellOnce) {
  SparseTensor twice(Shape{3, 4000, 2}, Unlisted::missing);
  for (float value : {1.0f, 2.0f, 3.0f})
    for (Index j : {7u, 3999u, 5u}) twice.append(std::array<Index, 3>{2, j, 1}, value);
  const SparseTensor once = kept(twice, {0, 5}, Relation::replace);
  ASSERT_EQ(once.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(once.cells()(i, 1), (std::array{5u, 7u, 3999u})[i]);
    EXPECT_EQ(once.values()[i], 1);  // the first one listed
  }
  EXPECT_EQ(PrivateTensor(twice, {0, 5}, {Unit::entry, Relation::replace}).positions().size(), 3u);
}

// The second entry of a cell does not take the place of the first: one row less is one entry less, or none.
TEST(PrivateTensor, CellsThatAreListedTwiceDoNotCountWhereEntriesComeAndGo) {
  SparseTensor cells(Shape{2, 3}, Unlisted::missing);
  for (Index j : {2u, 0u, 2u, 1u}) cells.append(std::array<Index, 2>{1, j}, 1);
  const SparseTensor counted = kept(cells, {0, 5}, Relation::add_remove);
  ASSERT_EQ(counted.size(), 2u);
  EXPECT_EQ(counted.cells()(0, 1), 0u);
  EXPECT_EQ(counted.cells()(1, 1), 1u);
}

// The order of a list may follow its values, and model files hold positions that are public.
TEST(PrivateTensor, PositionsThatArePublicAreInTheOrderOfTheirCells) {
  SparseTensor tensor(Shape{3, 3}, Unlisted::missing), sorted = tensor;
  for (Index i : {2u, 0u, 1u})
    for (Index j : {1u, 2u, 0u}) tensor.append(std::array<Index, 2>{i, j}, static_cast<float>(i + j));
  for (Index i : {0u, 1u, 2u})
    for (Index j : {0u, 1u, 2u}) sorted.append(std::array<Index, 2>{i, j}, static_cast<float>(i + j));
  EXPECT_EQ(kept(tensor, {0, 5}), sorted);
  EXPECT_EQ(kept(tensor, {0, 5}, Relation::add_remove), tensor);  // nobody sees them
}

TEST(PrivateTensor, BlanksTheEntriesThatAreNamedInWhateverOrderTheyAreListed) {
  SparseTensor tensor(Shape{1, 3}, Unlisted::missing);
  for (Index j : {2u, 0u, 1u}) tensor.append(std::array<Index, 2>{0, j}, static_cast<float>(j));
  const std::size_t blanked[] = {0};
  const PrivateTensor data(tensor, {0, 5}, {Unit::entry, Relation::zero_out}, 0, blanked);
  const SparseTensor& left = open_for_the_data_owner(data.observed());
  EXPECT_TRUE(std::ranges::equal(left.values(), std::array{0.0F, 1.0F}));
  EXPECT_EQ(data.positions().size(), 3u);
}

// Whatever is sized or scaled by the public shape cannot tell how many users there are.
TEST(PrivateTensor, HidesHowManyUsersThereAreWhereTheyComeAndGo) {
  const SparseTensor data(Shape{7, 5, 3}, Unlisted::missing);
  const PrivateTensor hidden(data, {0, 1}, {Unit::user, Relation::add_remove}, 1);
  EXPECT_EQ(hidden.shape().text(), "7x1x3");
  EXPECT_EQ(hidden.most_users(), PrivateTensor::kMostUsers);
  EXPECT_EQ(PrivateTensor(data, {0, 1}, {Unit::user, Relation::zero_out}, 1).shape().text(), "7x5x3");
  EXPECT_EQ(PrivateTensor(data, {0, 1}, {Unit::entry, Relation::add_remove}, 1).shape().text(), "7x5x3");
}

}  // namespace
}  // namespace tulle
