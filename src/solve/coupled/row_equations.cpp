#include "row_equations.hpp"

#include <tulle/base/error.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <array>

namespace tulle {
namespace {

constexpr double kMostNumbers = 1 << 27;
constexpr double kLeastRidge = 1e-12;  // relative to the largest element of the diagonal

using Columns = Eigen::MatrixXd;  // one column for each row of the factor, which are contiguous

// The number of rows from `row` on whose equations differ in their right-hand sides only.
std::size_t rows_alike(const RowEquations& equations, std::span<const double> precisions, std::size_t row) {
  const std::size_t n = equations.unknowns, rows = equations.right.size() / n;
  if (!equations.share_matrix()) return 1;
  if (precisions.size() == 1) return rows - row;
  std::size_t end = row + 1;
  while (end < rows && std::equal(&precisions[row * n], &precisions[row * n] + n, &precisions[end * n]))
    ++end;
  return end - row;
}

// c += a b
void add_product(const Panel& a, const Panel& b, Panel& c) {
  const StridedRows rows(a.data(), static_cast<Eigen::Index>(a.rows()), a.columns(),
                         Eigen::OuterStride<>(a.stride()));
  add_narrow_product(rows, b.data(), static_cast<std::size_t>(b.columns()),
                     static_cast<std::size_t>(c.stride()), c.data());
}

// Solves many rows with one matrix by the inverse W of the triangle of L L^T = matrix. W is solved for from
// the right, so that W L differs from I by about u cond(L) (u: the unit roundoff): in the norm of the matrix,
// the relative error of W^T W r is then of the same order as that of solving by L. A solve from the left
// bounds the error of L W alone, and the result would be off by u cond(L)^2.
class ManyRows {
 public:
  ManyRows(const Columns& matrix, const Columns& triangle)
      : minus_matrix_(Matrix(-matrix)),
        inverse_(inverse_of(triangle)),
        transposed_(inverse_.matrix().transpose()) {}

  // rows += (right - rows matrix) W^T W, for `count` rows
  void improve(const double* right, std::size_t count, double* rows) const {
    const auto size = static_cast<Eigen::Index>(count);
    const Eigen::Index n = minus_matrix_.columns();
    Panel solution{RowsInMemory(rows, size, n)}, residuals{RowsInMemory(right, size, n)};
    Panel half(count, minus_matrix_.columns());
    add_product(solution, minus_matrix_, residuals);
    add_product(residuals, transposed_, half);
    add_product(half, inverse_, solution);
    for (std::size_t row = 0; row < count; ++row)
      std::copy_n(solution.row(row), n, rows + row * static_cast<std::size_t>(n));
  }

 private:
  static Panel inverse_of(const Columns& triangle) {
    const Columns identity = Columns::Identity(triangle.rows(), triangle.cols());
    return Panel(Matrix(triangle.triangularView<Eigen::Lower>().solve<Eigen::OnTheRight>(identity)));
  }

  Panel minus_matrix_, inverse_, transposed_;
};

// Improves rows in blocks that fit into the cache and are distributed over threads.
void improve_rows(const ManyRows& solver, const double* right, std::size_t unknowns, std::size_t count,
                  double* rows) {
  constexpr std::size_t kRows = 1024;
  const std::size_t blocks = chunk_count(count, kRows);
#pragma omp parallel for schedule(static) if (3 * count * unknowns * unknowns > kWorthWaiting)
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t first = block * kRows;
    solver.improve(right + first * unknowns, std::min(kRows, count - first), rows + first * unknowns);
  }
}

void solve_alike(Columns matrix, const Eigen::Map<const Columns>& right, std::span<const double> precisions,
                 Random* random, Eigen::Map<Columns> rows) {
  constexpr Eigen::Index kMany = 4;  // rows for each unknown
  const Eigen::Index n = matrix.rows(), count = rows.cols();
  for (Eigen::Index i = 0; i < n; ++i)
    matrix(i, i) += precisions[precisions.size() == 1 ? 0 : static_cast<std::size_t>(i)];
  const double largest = matrix.diagonal().maxCoeff();
  if (!(largest > 0)) return;  // no observed cell depends on the rows, and there is no prior
  Columns regular = matrix;
  regular.diagonal().array() += kLeastRidge * largest;
  const Eigen::LLT<Columns> cholesky(regular);
  if (count < kMany * n) {
    rows += cholesky.solve(right - matrix * rows);
  } else {
    improve_rows(ManyRows(matrix, cholesky.matrixL()), right.data(), static_cast<std::size_t>(n),
                 static_cast<std::size_t>(count), rows.data());
  }
  if (!random) return;
  Columns noise(rows.rows(), rows.cols());
  for (double& value : noise.reshaped()) value = random->normal();
  rows += cholesky.matrixU().solve(noise);
}

// Coordinate descent for rows >= 0 with one matrix, kRows at a time: element k of a row becomes
//   max(0, theta_k + (right_k - (matrix theta)_k) / matrix_kk),
// the minimum over this element alone, so that the objective never increases. Elements of different rows
// are adjacent, for vector instructions.
template <std::size_t kRows>
class Descent {
 public:
  explicit Descent(std::size_t unknowns) : n_(unknowns), rows_(n_ * kRows), right_(n_ * kRows) {}

  void run(const double* matrix, double precision, const double* right, double* rows) {
    for (std::size_t k = 0; k < n_; ++k)
      for (std::size_t r = 0; r < kRows; ++r) {
        rows_[k * kRows + r] = std::max(rows[r * n_ + k], 0.0);
        right_[k * kRows + r] = right[r * n_ + k];
      }
    const double first = pass(matrix, precision);
    for (int more = 1; more < kMostPasses && pass(matrix, precision) > kLeastChange * first; ++more) {
    }
    for (std::size_t k = 0; k < n_; ++k)
      for (std::size_t r = 0; r < kRows; ++r) rows[r * n_ + k] = rows_[k * kRows + r];
  }

 private:
  static constexpr int kMostPasses = 20;
  static constexpr double kLeastChange = 1e-4;  // of the squares, relative to the first pass

  double pass(const double* matrix, double precision) {
    double change = 0, largest = 0;
    for (std::size_t k = 0; k < n_; ++k) largest = std::max(largest, matrix[k * n_ + k]);
    for (std::size_t k = 0; k < n_; ++k) {
      const double curvature = matrix[k * n_ + k] + precision;
      if (!(curvature > 0)) continue;  // nothing depends on the element
      std::array<double, kRows> slope;
      for (std::size_t r = 0; r < kRows; ++r)
        slope[r] = right_[k * kRows + r] - precision * rows_[k * kRows + r];
      for (std::size_t j = 0; j < n_; ++j)
        for (std::size_t r = 0; r < kRows; ++r) slope[r] -= matrix[k * n_ + j] * rows_[j * kRows + r];
      const double scale = 1 / (curvature + kLeastRidge * largest);  // a shorter step descends too
      for (std::size_t r = 0; r < kRows; ++r) {
        double& element = rows_[k * kRows + r];
        const double after = std::max(element + scale * slope[r], 0.0);
        change += (after - element) * (after - element);
        element = after;
      }
    }
    return change;
  }

  std::size_t n_;
  std::vector<double> rows_, right_;
};

}  // namespace

RowEquations equations_of(const Study& study, const CoupledPasses& passes, int factor, FactorValues factors,
                          const std::vector<double>& scales) {
  const std::vector<Index> sizes = study.model.sizes();
  const Factor& target = study.model.factors[factor];
  const std::size_t elements = cells_of(sizes, target.axes);
  RowEquations equations{cells_of(sizes, study.model.latent_axes(target.axes)), {}, {}};
  const bool share = passes.rows_share_matrix(factor);
  if (!share && static_cast<double>(elements) * static_cast<double>(equations.unknowns) > kMostNumbers)
    fail(
        "factor {}: least squares for its {} elements with {} unknowns per row need too much memory; take a "
        "smaller rank",
        target.name, elements, equations.unknowns);
  const std::size_t matrix = equations.unknowns * equations.unknowns;
  equations.matrices.resize(share ? matrix : elements * equations.unknowns);
  equations.right.resize(elements);
  passes.add_equations(factor, factors, scales, equations);
  return equations;
}

void solve_rows(const RowEquations& equations, std::span<const double> precisions, Random* random,
                std::vector<double>& rows) {
  const auto n = static_cast<Eigen::Index>(equations.unknowns);
  for (std::size_t row = 0; row * equations.unknowns < rows.size();) {
    const std::size_t count = rows_alike(equations, precisions, row), first = row * equations.unknowns;
    const auto columns = static_cast<Eigen::Index>(count);
    solve_alike(Eigen::Map<const Columns>(equations.matrix(row), n, n), {&equations.right[first], n, columns},
                precisions.size() == 1 ? precisions : precisions.subspan(first, equations.unknowns), random,
                {&rows[first], n, columns});
    row += count;
  }
}

void descend_rows(const RowEquations& equations, double precision, std::vector<double>& rows) {
  constexpr std::size_t kAtOnce = 8;
  const std::size_t n = equations.unknowns, count = rows.size() / n;
  Descent<kAtOnce> several(n);
  Descent<1> one(n);
  for (std::size_t row = 0; row < count;) {
    const bool at_once = equations.share_matrix() && count - row >= kAtOnce;
    const auto descend = [&](auto& descent) {
      descent.run(equations.matrix(row), precision, &equations.right[row * n], &rows[row * n]);
    };
    at_once ? descend(several) : descend(one);
    row += at_once ? kAtOnce : 1;
  }
}

}  // namespace tulle
