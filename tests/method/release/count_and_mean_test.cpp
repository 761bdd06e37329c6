#include "release/count_and_mean.hpp"

#include "method/private_request.hpp"

#include <tulle/data/coupling.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

using testing::private_request;

// Users (mode 1) of 3, 1 and 0 cells.
SparseTensor sample(float first = 0) {
  SparseTensor tensor(Shape{3, 4}, Unlisted::missing);
  tensor.append(std::array<Index, 2>{0, 0}, first);
  tensor.append(std::array<Index, 2>{0, 1}, 4);
  tensor.append(std::array<Index, 2>{0, 2}, 2);
  tensor.append(std::array<Index, 2>{1, 3}, 3);
  return tensor;
}

struct Case {
  Unit unit;
  Relation relation;
};

PrivateRequest request_for(const Case& at, SparseTensor data = sample()) {
  return private_request(std::move(data),
                         {.budget = {1, 1e-6}, .unit = at.unit, .relation = at.relation, .range = {0, 4}}, {},
                         at.relation);
}

CountAndMean exact(const Case& at, int entries_per_user = 2) {
  const PrivateRequest request = request_for(at);
  Curator curator = Curator::without_privacy();
  return CountAndMeanRelease(request, 1, entries_per_user).release(curator);
}

TEST(CountAndMean, OfEntriesIsTheirCountAndMean) {
  for (const Relation relation : {Relation::replace, Relation::add_remove}) {
    const CountAndMean found = exact({Unit::entry, relation});
    EXPECT_EQ(found.cells, 4);
    EXPECT_NEAR(found.mean, 9 / 4.0, 1e-12);
  }
}

// Two entries count of the user with three: her mean of 2 counts twice.
TEST(CountAndMean, OfUsersCountsAPartOfTheirCells) {
  const CountAndMean replaced = exact({Unit::user, Relation::replace});
  EXPECT_EQ(replaced.users, 3);
  EXPECT_EQ(replaced.cells, 4);
  EXPECT_NEAR(replaced.mean, (2 * 2 + 3) / 3.0, 1e-12);
  const CountAndMean hidden = exact({Unit::user, Relation::add_remove});
  EXPECT_EQ(hidden.users, 2);  // with a cell
  EXPECT_EQ(hidden.cells, 3);  // that count
  EXPECT_NEAR(hidden.mean, (2 * 2 + 3) / 3.0, 1e-12);
}

// In halves of the width, a unit adds from -most to most: replaced it changes the sum by twice that.
TEST(CountAndMean, SensitivityIsThatOfAUnit) {
  const auto largest = [](const Case& at) {
    const PrivateRequest request = request_for(at);
    Curator curator = Curator::with_budget({100, 1e-6}, at.unit, at.relation, RandomBits::seeded(1));
    const CountAndMeanRelease release(request, 2, 3);
    curator.plan({Event::gaussian(2).times(CountAndMeanRelease::releases(request))});
    release.release(curator);
    return curator.guarantee().releases.back().deviation / 2;
  };
  EXPECT_NEAR(largest({Unit::entry, Relation::replace}), 2, 1e-5);
  EXPECT_NEAR(largest({Unit::entry, Relation::add_remove}), 1, 1e-5);
  EXPECT_NEAR(largest({Unit::user, Relation::replace}), 6, 1e-5);
  EXPECT_NEAR(largest({Unit::user, Relation::add_remove}), 3, 1e-5);
}

TEST(CountAndMean, ReleasesCountsOnlyWherePositionsArePrivate) {
  const auto count = [](const Case& at) { return CountAndMeanRelease::releases(request_for(at)); };
  EXPECT_EQ(count({Unit::entry, Relation::replace}), 1u);
  EXPECT_EQ(count({Unit::entry, Relation::add_remove}), 2u);
  EXPECT_EQ(count({Unit::user, Relation::add_remove}), 3u);
}

// Noise of 1e6 times the sensitivity says nothing of the mean: it is shrunk to the middle of the range.
TEST(CountAndMean, AMeanThatIsLostInNoiseIsTheMiddle) {
  const PrivateRequest request = request_for({Unit::entry, Relation::replace});
  Curator curator = Curator::with_budget({1, 1e-6}, Unit::entry, Relation::replace, RandomBits::seeded(1));
  EXPECT_NEAR(CountAndMeanRelease(request, 1e6, 1).release(curator).mean, 2, 1e-4);
}

// Two users of two relations of items, of whom the first has 2 cells in each and the second one in the
// second.
PrivateRequest of_two_relations() {
  const auto coupling = std::make_shared<const Coupling>(
      Coupling{.sizes = {1, 2}, .relations = {{"first", {0, 1}}, {"second", {0, 1}}}});
  SparseTensor tensor(coupling->shape(0, 2), Unlisted::missing);
  for (Index item = 0; item < 2; ++item)
    for (Index relation = 0; relation < 2; ++relation)
      tensor.append(std::array<Index, 3>{0, item, relation}, relation == 0 ? 1.0F : 3.0F);
  tensor.append(std::array<Index, 3>{1, 0, 1}, 4);
  return private_request(
      std::move(tensor),
      {.budget = {1, 1e-6}, .unit = Unit::user, .relation = Relation::add_remove, .range = {0, 4}},
      {.coupling = coupling}, Relation::add_remove);
}

TEST(CountAndMean, EveryRelationHasItsOwn) {
  Curator curator = Curator::without_privacy();
  const CountAndMean found = CountAndMeanRelease(of_two_relations(), 1, 4).release(curator);
  ASSERT_EQ(found.relations.size(), 2u);
  EXPECT_EQ(found.relations[0].cells, 2);
  EXPECT_EQ(found.relations[1].cells, 3);
  EXPECT_EQ(found.cells, 5);
  EXPECT_EQ(found.users, 2);
  EXPECT_NEAR(found.relations[0].mean, 1, 1e-12);
  EXPECT_NEAR(found.relations[1].mean, 10 / 3.0, 1e-12);
  EXPECT_EQ(found.mean, found.relations[0].mean);
}

// Three cells of a user count: two of the first relation and one of the second, as its mean.
TEST(CountAndMean, CellsOfAUserCountOverAllRelationsTogether) {
  Curator curator = Curator::without_privacy();
  const CountAndMean found = CountAndMeanRelease(of_two_relations(), 1, 3).release(curator);
  EXPECT_EQ(found.relations[0].cells, 2);
  EXPECT_EQ(found.relations[1].cells, 2);
  EXPECT_NEAR(found.relations[1].mean, 3.5, 1e-12);
}

}  // namespace
}  // namespace tulle
