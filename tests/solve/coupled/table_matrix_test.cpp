#include "coupled/table_matrix.hpp"

#include "../../data/small_study.hpp"
#include "../../tensor/samples.hpp"
#include "coupled/coupled_passes.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(TableMatrix, HasTheEntriesAtTheirPlacesAndZerosElsewhere) {
  const Study study = matrix_study(small_counts(Unlisted::zero), 0, 1);
  const SparseTensor& data = study.tables[0].data;
  const TableMatrix turned(study.model, study.model.products[0], data, {{1, 0}, 1, true});
  Matrix expected = Matrix::Zero(4, 5);
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
  for (const Matrix& others : {first, first, second, narrow, first}) {
    EXPECT_LT((matrix.times(others) - matrix.cells() * others).norm(), 1e-12);
    EXPECT_LT((sparse.times(others) - matrix.cells() * others).norm(), 1e-12);
  }
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
