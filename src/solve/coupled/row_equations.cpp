#include "row_equations.hpp"

#include <tulle/base/error.hpp>

#include <Eigen/Dense>

#include <algorithm>

namespace tulle {
namespace {

constexpr double kMostNumbers = 1 << 27;
constexpr double kLeastRidge = 1e-12;  // relative to the largest element of the diagonal

using Columns = Eigen::MatrixXd;  // one for each row of the factor, as they lie one after the other

// How many rows from `row` on have the same equations but for their right sides: where all cells have a
// value, all rows of a factor, so that the matrix is decomposed once.
std::size_t rows_alike(const RowEquations& equations, const std::vector<double>& precisions,
                       std::size_t row) {
  const std::size_t n = equations.unknowns, rows = equations.right.size() / n;
  const auto are_alike = [](const std::vector<double>& numbers, std::size_t width, std::size_t a,
                            std::size_t b) {
    return std::equal(&numbers[a * width], &numbers[a * width] + width, &numbers[b * width]);
  };
  std::size_t last = row;
  while (last + 1 < rows && are_alike(equations.matrices, n * n, row, last + 1) &&
         are_alike(precisions, n, row, last + 1))
    ++last;
  return last + 1 - row;
}

void solve_alike(Columns matrix, const Eigen::Map<const Columns>& right,
                 const Eigen::Map<const Eigen::VectorXd>& precisions, Random* random,
                 Eigen::Map<Columns> rows) {
  matrix.diagonal() += precisions;
  const double largest = matrix.diagonal().maxCoeff();
  if (!(largest > 0)) return;  // no observed cell depends on the rows, and there is no prior
  const Columns residuals = right - matrix * rows;
  matrix.diagonal().array() += kLeastRidge * largest;
  const Eigen::LLT<Columns> cholesky(matrix);
  rows += cholesky.solve(residuals);
  if (!random) return;
  Columns noise(rows.rows(), rows.cols());
  for (double& value : noise.reshaped()) value = random->normal();
  rows += cholesky.matrixU().solve(noise);
}

}  // namespace

RowEquations equations_of(const Study& study, const CoupledPasses& passes, int factor, FactorValues factors,
                          const std::vector<double>& scales) {
  const std::vector<Index> sizes = study.model.sizes();
  const Factor& target = study.model.factors[factor];
  const std::size_t elements = cells_of(sizes, target.axes);
  RowEquations equations{cells_of(sizes, study.model.latent_axes(target.axes)), {}, {}};
  if (static_cast<double>(elements) * static_cast<double>(equations.unknowns) > kMostNumbers)
    fail(
        "factor {}: least squares for its {} elements with {} unknowns per row need too much memory; take a "
        "smaller rank",
        target.name, elements, equations.unknowns);
  equations.matrices.resize(elements * equations.unknowns);
  equations.right.resize(elements);
  passes.add_equations(factor, factors, scales, equations);
  return equations;
}

void solve_rows(const RowEquations& equations, const std::vector<double>& precisions, Random* random,
                std::vector<double>& rows) {
  const auto n = static_cast<Eigen::Index>(equations.unknowns);
  for (std::size_t row = 0; row * equations.unknowns < rows.size();) {
    const std::size_t count = rows_alike(equations, precisions, row), first = row * equations.unknowns;
    const auto columns = static_cast<Eigen::Index>(count);
    solve_alike(Eigen::Map<const Columns>(&equations.matrices[first * equations.unknowns], n, n),
                {&equations.right[first], n, columns}, {&precisions[first], n}, random,
                {&rows[first], n, columns});
    row += count;
  }
}

}  // namespace tulle
