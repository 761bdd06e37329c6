#include "completion/user/user_row.hpp"

#include <tulle/base/random.hpp>
#include <tulle/tensor/decompositions.hpp>

#include <gtest/gtest.h>

#include <array>

namespace tulle {
namespace {

// Three users of a 3 x 4 x 2 tensor; the second has no cells.
SparseTensor some_cells() {
  SparseTensor tensor(Shape{3, 4, 2}, Unlisted::missing);
  const auto add = [&](Index user, Index i, Index j, float value) {
    tensor.append(std::array<Index, 3>{user, i, j}, value);
  };
  add(2, 1, 0, 0.5f), add(0, 3, 1, 1.5f), add(2, 0, 1, -1.0f), add(0, 3, 0, 0.25f), add(2, 2, 1, 2.0f);
  return tensor;
}

SharedModes some_releases(int rank) {
  Random random(5);
  SharedModes shared{.level = 0.1, .rank = rank, .positions = {}};
  for (std::size_t size : {4, 2}) {
    Panel& positions = shared.positions.emplace_back(size, SharedModes::kComponents + rank);
    for (std::size_t j = 0; j < size; ++j)
      for (int k = 0; k < SharedModes::kComponents + rank; ++k) positions.row(j)[k] = random.normal();
  }
  return shared;
}

TEST(UserCells, AreContiguousAndInTheOrderOfTheList) {
  const UserCells cells(some_cells(), 0);
  ASSERT_EQ(cells.users(), 3u);
  EXPECT_EQ(cells.count(0), 2u);
  EXPECT_EQ(cells.count(1), 0u);
  EXPECT_EQ(cells.count(2), 3u);
  const float values[] = {1.5f, 0.25f, 0.5f, -1.0f, 2.0f};
  const Index first[] = {3, 3, 1, 0, 2}, second[] = {1, 0, 0, 1, 1};
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    EXPECT_EQ(cells.value(cell), values[cell]);
    EXPECT_EQ(cells.positions(cell)[0], first[cell]);
    EXPECT_EQ(cells.positions(cell)[1], second[cell]);
  }
}

// Ridge 6 on the level and 20 on the rest, solved by Eigen from features that are written down one by one.
TEST(UserRow, IsTheRidgeRegressionOfTheUsersCells) {
  const UserCells cells(some_cells(), 0);
  const Range range{-2, 2};  // one unit is 1
  for (int rank : {0, 1, 3}) {
    const SharedModes shared = some_releases(rank);
    UserRow regression(cells, shared, range);
    for (std::size_t user : {0, 2}) {
      Matrix features(static_cast<Eigen::Index>(cells.count(user)), shared.row_size());
      Vector values(features.rows());
      for (Eigen::Index e = 0; e < features.rows(); ++e) {
        const std::size_t cell = cells.begin(user) + static_cast<std::size_t>(e);
        const double* const i = shared.positions[0].row(cells.positions(cell)[0]);
        const double* const j = shared.positions[1].row(cells.positions(cell)[1]);
        features.row(e).head(5) << 1, i[1], i[2], j[1], j[2];
        for (int r = 0; r < rank; ++r) features(e, 5 + r) = i[4 + r] * j[4 + r];
        values[e] = cells.value(cell) - shared.level - i[0] - j[0];
      }
      Matrix left = features.transpose() * features;
      left.diagonal().array() += 20;
      left(0, 0) -= 14;
      const Vector expected = solve_symmetric(left, features.transpose() * values);
      const std::span<const double> row = regression.solve(user);
      for (Eigen::Index k = 0; k < expected.size(); ++k) EXPECT_NEAR(row[k], expected[k], 1e-12);
      const Vector rest = values - features.leftCols(5) * expected.head(5);
      std::vector<double> rests(cells.count(user));
      regression.without_components(rests.data());
      for (std::size_t e = 0; e < rests.size(); ++e)
        EXPECT_NEAR(rests[e], rest[static_cast<Eigen::Index>(e)], 1e-12);
    }
  }
}

}  // namespace
}  // namespace tulle
