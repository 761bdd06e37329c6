#include "coupled/table_matrix.hpp"

#include "../../data/small_study.hpp"
#include "../../tensor/samples.hpp"
#include "coupled/coupled_passes.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace tulle {
namespace {

RowsInMemory in_memory(const Matrix& matrix) {
  return {matrix.data(), matrix.rows(), matrix.cols()};
}

TEST(TableMatrix, HasTheEntriesAtTheirPlacesAndZerosElsewhere) {
  const Study study = matrix_study(small_counts(Unlisted::zero), 0, 1);
  const SparseTensor& data = study.tables[0].data;
  const TableMatrix turned(study.model, study.model.products[0], data, {{1, 0}, 1, true});
  RowsOf<float> expected = RowsOf<float>::Zero(4, 5);
  for (std::size_t entry = 0; entry < data.size(); ++entry)
    expected(data.column(1)[entry], data.column(0)[entry]) = data.values()[entry];
  EXPECT_EQ(turned.cells(), expected);
  const TableMatrix row(study.model, study.model.products[0], data, {{0, 1}, 0, true});
  EXPECT_EQ(row.cells().rows(), 1);
  EXPECT_EQ(row.cells().cols(), 20);
}

// Sums of 4 products of numbers up to 5: rounding stays far below 1e-12.
TEST(TableMatrix, ProductsFollowTheValues) {
  const Study study = matrix_study(small_counts(Unlisted::zero), 0, 1);
  const SparseTensor& data = study.tables[0].data;
  TableMatrix matrix(study.model, study.model.products[0], data, {{0, 1}, 1, true}),
      sparse(study.model, study.model.products[0], data, {{0, 1}, 1, false});
  EXPECT_EQ(sparse.size(), data.size());
  const Matrix first = samples::matrix(4, 3, 1), second = samples::matrix(4, 3, 2),
               narrow = samples::matrix(4, 2, 2);
  const Matrix cells = matrix.cells().cast<double>();
  for (const Matrix& others : {first, first, second, narrow, first}) {
    EXPECT_LT((matrix.times(in_memory(others)) - cells * others).norm(), 1e-12);
    EXPECT_LT((sparse.times(in_memory(others)) - cells * others).norm(), 1e-12);
  }
  const Matrix left = samples::matrix(5, 3, 3), other_left = samples::matrix(5, 3, 4);
  for (const Matrix& others : {left, left, other_left})
    EXPECT_LT((matrix.transposed_times(in_memory(others)) - cells.transpose() * others).norm(), 1e-12);
  EXPECT_LT((matrix.times(in_memory(first)) - cells * first).norm(), 1e-12);
}

// All cells in C order, but for two entries that have changed places.
SparseTensor all_cells(const Shape& shape, std::size_t first = 0, std::size_t second = 0) {
  std::vector<std::size_t> order(shape.cells());
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[first], order[second]);
  SparseTensor data(shape, Unlisted::missing);
  for (std::size_t offset : order) {
    const auto cell = samples::cell_at(shape, offset);
    data.append(std::span(cell.data(), shape.order()), static_cast<float>(offset));
  }
  return data;
}

TEST(TableMatrix, RefersToValuesThatStayAndAreAllCellsInOrder) {
  Coupled model;
  model.axes = {{"u", "user", 3}, {"p", "place", 4}, {"a", "activity", 2}};
  const Product product{"X", {0, 1, 2}, {}};
  const Shape shape{3, 4, 2};
  const SparseTensor in_order = all_cells(shape);
  for (std::size_t rows : {0, 1, 2, 3}) {
    const TableMatrix::Layout layout{{0, 1, 2}, rows, true};
    const TableMatrix view(model, product, in_order, layout, true), copy(model, product, in_order, layout);
    EXPECT_EQ(view.cells().data(), in_order.values().data());
    EXPECT_NE(copy.cells().data(), in_order.values().data());
    EXPECT_EQ(view.cells(), copy.cells());
    for (std::size_t second = 1; second < in_order.size(); ++second) {
      const SparseTensor swapped = all_cells(shape, second / 2, second);
      const TableMatrix sorted(model, product, swapped, layout, true);
      EXPECT_NE(sorted.cells().data(), swapped.values().data());
      EXPECT_EQ(sorted.cells(), view.cells());
    }
  }
  const TableMatrix turned(model, product, in_order, {{2, 0, 1}, 1, true}, true);
  EXPECT_NE(turned.cells().data(), in_order.values().data());
  EXPECT_EQ(turned.cells()(1, 5), in_order.values()[11]);  // activity 1, user 1, place 1
}

// Both factors of X[u,p] = U[u,k] P[p,k] A[k] that are in the rows u share a matrix; P has the transposed
// one.
TEST(TableMatrix, PassesOfATableShareMatricesOfOneLayout) {
  Study study = matrix_study(small_counts(Unlisted::zero), 0, 2);
  study.model.factors.push_back({"A", {2}, {}});
  study.model.products[0].factors.push_back(2);
  study.priors.resize(3);
  TableMatrices matrices;
  const PassLayout layout{.zeros_add_nothing = true, .matrices = &matrices};
  for (int factor : {0, 1, 2}) {
    const EntryPass pass(study.model, study.model.products[0], study.tables[0].data, factor, layout);
    EXPECT_TRUE(pass.is_matrix());
  }
  EXPECT_EQ(matrices.size(), 2u);
}

// Sums that are linear in the data are taken from one matrix both ways, whichever factor comes first: it is
// the one that the values are in order of.
TEST(TableMatrix, LinearPassesShareOneMatrixBothWays) {
  const SparseTensor whole = all_cells(Shape{5, 4});
  const Study study = matrix_study(whole, 0, 2);
  const std::vector<Matrix> factors = {samples::matrix(5, 2, 1), samples::matrix(4, 2, 2)};
  const std::vector<const double*> values = {factors[0].data(), factors[1].data()};
  for (const std::vector<int>& order : {std::vector{0, 1}, std::vector{1, 0}}) {
    TableMatrices matrices;
    const SparseTensor& data = study.tables[0].data;
    const PassLayout layout{
        .zeros_add_nothing = true, .is_linear = true, .entries_stay = true, .matrices = &matrices};
    for (int target : order) {
      const EntryPass pass(study.model, study.model.products[0], data, target, layout),
          one_by_one(study.model, study.model.products[0], data, target);
      EXPECT_TRUE(pass.is_matrix());
      std::vector<double> expected(10, 1.0), sums(10, 1.0);
      one_by_one.add_linear(values, 0.5, expected.data());
      pass.add_linear(values, 0.5, sums.data());
      for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_NEAR(sums[i], expected[i], 1e-11);
    }
    ASSERT_EQ(matrices.size(), 1u);
    EXPECT_EQ(matrices[0]->cells().data(), data.values().data());
  }
}

// Two entities of 300 positions with 100 entries: far too few for a matrix of all cells.
TEST(TableMatrix, EntriesAloneMakeOneWhereSumsAreLinear) {
  SparseTensor few(Shape{300, 300}, Unlisted::zero);
  for (Index i = 0; i < 100; ++i)
    few.append(std::array<Index, 2>{3 * i, (7 * i) % 300}, static_cast<float>(i + 1));
  Study study = matrix_study(few, 0, 2);
  const std::vector<Matrix> factors = {samples::matrix(300, 2, 1), samples::matrix(300, 2, 2)};
  const std::vector<const double*> values = {factors[0].data(), factors[1].data()};
  for (int target : {0, 1}) {
    const EntryPass one_by_one(study.model, study.model.products[0], few, target),
        as_matrix(study.model, study.model.products[0], few, target, {.is_linear = true});
    EXPECT_FALSE(one_by_one.is_matrix());
    EXPECT_TRUE(as_matrix.is_matrix());
    std::vector<double> expected(600, 1.0), sums(600, 1.0);
    one_by_one.add_linear(values, 0.5, expected.data());
    as_matrix.add_linear(values, 0.5, sums.data());
    for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_NEAR(sums[i], expected[i], 1e-11);
  }
}

}  // namespace
}  // namespace tulle
