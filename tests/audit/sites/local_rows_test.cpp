#include "sites/local_rows.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace tulle::attacks {
namespace {

// Users, two items, which the second relation lacks, and three places, which a public table is about.
CompletionJob job() {
  CompletionJob job{.method = "dp-sgld", .terms = {.unit = Unit::user, .user_mode = 0}};
  Coupling coupling{.sizes = {1, 2, 3}, .relations = {{"first", {0, 1, 2}}, {"second", {0, 2}}}};
  coupling.tables.push_back({"public", SparseTensor(Shape{3, 1}, Unlisted::missing), {2, PublicTable::kOwn}});
  job.fit.coupling = std::make_shared<const Coupling>(std::move(coupling));
  return job;
}

TEST(LocalRows, AreOfEntitiesThatNeitherUsersNorPublicTablesAre) {
  std::set<bool> shared;
  int drawn = 0;
  for (std::uint64_t number = 0; number < 40; ++number) {
    Random random(number);
    CompletionJob own = job();
    const auto couplings = draw_local_rows(own, own.fit.coupling->shape(0, 4), 3, random);
    if (couplings.empty()) continue;
    ++drawn;
    shared.insert(own.settings.get(setting::protection).has_value());
    ASSERT_EQ(couplings.size(), 3u);
    for (Index site = 0; site < 3; ++site) {
      EXPECT_EQ(couplings[site]->sizes, (std::vector<std::uint64_t>{1, 6, 3}));
      const Coupling::Local& local = couplings[site]->local.at(0);
      EXPECT_EQ(local.entity, 1);
      EXPECT_EQ(local.first, 2 * site);
      EXPECT_EQ(local.count, 2u);
    }
  }
  EXPECT_GT(drawn, 5);
  EXPECT_EQ(shared.size(), 2u) << "with local rows protected and not";
}

TEST(LocalRows, ASiteHasItsCellsInRowsOfItsOwn) {
  Coupling coupling = *job().fit.coupling;
  SparseTensor cells(coupling.shape(0, 4), Unlisted::missing);
  cells.append(std::array<Index, 4>{3, 1, 2, 0}, 5);
  cells.append(std::array<Index, 4>{3, 2, 2, 1}, 4);  // of the second relation
  coupling.sizes[1] = 6;
  coupling.local = {{1, 4, 2}};
  const SparseTensor moved = at_local_rows(cells, coupling, 0);
  EXPECT_EQ(moved.shape(), (Shape{4, 7, 3, 2}));
  ASSERT_EQ(moved.size(), 2u);
  EXPECT_EQ(moved.cells()(0, 1), 5u);
  EXPECT_EQ(moved.cells()(1, 1), 6u);
  for (int mode : {0, 2, 3})
    for (std::size_t entry : {0, 1}) EXPECT_EQ(moved.cells()(entry, mode), cells.cells()(entry, mode));
  EXPECT_EQ(moved.values()[0], 5);
}

}  // namespace
}  // namespace tulle::attacks
