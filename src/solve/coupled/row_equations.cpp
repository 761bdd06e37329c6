#include "row_equations.hpp"

#include <tulle/base/error.hpp>

#include <Eigen/Dense>

namespace tulle {
namespace {

constexpr double kMostNumbers = 1 << 27;
constexpr double kLeastRidge = 1e-12;  // relative to the largest element of the diagonal

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Solves row after row. Where all cells have a value, all rows of a factor have the same matrix, which is
// decomposed once.
class RowSolver {
 public:
  explicit RowSolver(Eigen::Index unknowns) : matrix_(RowMajor::Zero(unknowns, unknowns)) {}

  void solve(const double* matrix, const double* right, const double* precisions, Random* random,
             Eigen::Map<Eigen::VectorXd> row) {
    const Eigen::Index n = row.size();
    RowMajor all = Eigen::Map<const RowMajor>(matrix, n, n);
    all.diagonal() += Eigen::Map<const Eigen::VectorXd>(precisions, n);
    const double largest = all.diagonal().maxCoeff();
    if (!(largest > 0)) return;  // no observed cell depends on the row, and there is no prior
    if (all != matrix_) {
      matrix_ = all;
      all.diagonal().array() += kLeastRidge * largest;
      cholesky_.compute(all);
    }
    const Eigen::VectorXd residual = Eigen::Map<const Eigen::VectorXd>(right, n) - matrix_ * row;
    row += cholesky_.solve(residual);
    if (!random) return;
    Eigen::VectorXd noise(n);
    for (double& value : noise) value = random->normal();
    row += cholesky_.matrixU().solve(noise);
  }

 private:
  RowMajor matrix_;  // that is decomposed; zeros before the first
  Eigen::LLT<Eigen::MatrixXd> cholesky_;
};

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
  for (int v : passes.tables_with(factor))
    passes.add_equations(static_cast<std::size_t>(v), factor, factors, scales[v], equations);
  return equations;
}

void solve_rows(const RowEquations& equations, const std::vector<double>& precisions, Random* random,
                std::vector<double>& rows) {
  const std::size_t n = equations.unknowns;
  RowSolver solver(static_cast<Eigen::Index>(n));
  for (std::size_t row = 0; row < rows.size(); row += n)
    solver.solve(&equations.matrices[row * n], &equations.right[row], &precisions[row], random,
                 {&rows[row], static_cast<Eigen::Index>(n)});
}

}  // namespace tulle
