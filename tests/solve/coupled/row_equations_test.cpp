#include "coupled/row_equations.hpp"

#include "../../tensor/samples.hpp"

#include <tulle/base/threads.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// 1, t, t^2, .. at 400 points: a Gram matrix as ill-conditioned as the least ridge allows.
Matrix powers(Eigen::Index unknowns) {
  Matrix basis(400, unknowns);
  for (Eigen::Index i = 0; i < basis.rows(); ++i)
    for (Eigen::Index k = 0; k < unknowns; ++k)
      basis(i, k) =
          std::pow(static_cast<double>(i) / static_cast<double>(basis.rows()), static_cast<double>(k));
  return basis;
}

RowEquations equations_for(const Matrix& basis, const Matrix& data) {
  const Matrix gram = basis.transpose() * basis, right = data * basis;
  return {static_cast<std::size_t>(basis.cols()),
          {gram.data(), gram.data() + gram.size()},
          {right.data(), right.data() + right.size()}};
}

// Rows that are few for their unknowns are solved for one by one, and many by the inverse of the triangle: in
// the norm of the matrix, which is that of the fitted data, both find the same. The condition of the triangle
// is at most 1e6 times the number of unknowns, so that rounding is below 1e-8 of the change.
TEST(RowEquations, ManyRowsAreSolvedForAsWellAsFew) {
  for (Eigen::Index unknowns : {2, 10, 20, 40}) {
    const Matrix basis = powers(unknowns), data = samples::matrix(4 * unknowns + 5, 400, 1);
    std::vector<double> many(static_cast<std::size_t>(data.rows() * unknowns), 0.0);
    const double precision = 0;
    solve_rows(equations_for(basis, data), {&precision, 1}, nullptr, many);
    for (Eigen::Index row = 0; row < data.rows(); ++row) {
      std::vector<double> one(static_cast<std::size_t>(unknowns), 0.0);
      solve_rows(equations_for(basis, data.row(row)), {&precision, 1}, nullptr, one);
      const Eigen::Map<const Vector> single(one.data(), unknowns),
          of_many(&many[static_cast<std::size_t>(row * unknowns)], unknowns);
      EXPECT_LT((basis * (single - of_many)).norm(), 1e-8 * (basis * single).norm());
    }
  }
}

TEST(RowEquations, PrecisionsOfElementsAreThoseOfOneForAllWhereTheyAreAlike) {
  const Matrix basis = powers(3), data = samples::matrix(50, 400, 2);
  std::vector<double> shared(150, 0.5), own = shared;
  const double precision = 2;
  solve_rows(equations_for(basis, data), {&precision, 1}, nullptr, shared);
  solve_rows(equations_for(basis, data), std::vector<double>(150, precision), nullptr, own);
  EXPECT_EQ(shared, own);
  EXPECT_NE(shared, std::vector<double>(150, 0.5));
}

TEST(RowEquations, TheSolutionDoesNotDependOnThreads) {
  const Matrix basis = powers(20), data = samples::matrix(9000, 400, 3);
  const RowEquations equations = equations_for(basis, data);
  const int before = threads();
  std::vector<std::vector<double>> solutions;
  for (int count : {1, 3}) {
    set_threads(count);
    solutions.emplace_back(equations.right.size(), 0.0);
    const double precision = 0.1;
    solve_rows(equations, {&precision, 1}, nullptr, solutions.back());
  }
  set_threads(before);
  EXPECT_EQ(solutions[0], solutions[1]);
}

// Of an element that hardly any cell depends on, an exact minimum would be 1e20.
TEST(RowEquations, DescentDoesNotDivideByRounding) {
  const RowEquations equations{2, {1, 0, 0, 1e-20}, {1, 1}};
  std::vector<double> rows = {0, 0};
  descend_rows(equations, 0, rows);
  EXPECT_NEAR(rows[0], 1, 1e-9);
  EXPECT_GT(rows[1], 0);
  EXPECT_LE(rows[1], 1e14);
}

}  // namespace
}  // namespace tulle
