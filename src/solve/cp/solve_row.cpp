#include "solve_row.hpp"

#include <tulle/base/multiarch.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

// Solves matrix x = right in place by Cholesky decomposition, given the upper triangle of a row-major matrix.
// Where a pivot is zero to working precision, the element of x is 0. `inverse` receives the inverse pivots,
// `size` values.
TULLE_MULTIARCH void solve_by_cholesky(double* matrix, double* right, double* inverse, int size) {
  constexpr double kSingular = 1e-13;
  double largest = 0;
  for (int k = 0; k < size; ++k) largest = std::max(largest, matrix[k * size + k]);
  for (int k = 0; k < size; ++k) {
    double* const pivot_row = matrix + k * size;
    const double pivot = pivot_row[k];
    const double scale = pivot > kSingular * largest ? 1 / std::sqrt(pivot) : 0;
    inverse[k] = scale;
    for (int j = k; j < size; ++j) pivot_row[j] *= scale;
    right[k] *= scale;
    for (int i = k + 1; i < size; ++i) {
      const double factor = pivot_row[i];
      double* const row = matrix + i * size;
      for (int j = i; j < size; ++j) row[j] -= factor * pivot_row[j];
      right[i] -= factor * right[k];
    }
  }
  for (int k = size - 1; k >= 0; --k) {
    double sum = right[k];
    for (int j = k + 1; j < size; ++j) sum -= matrix[k * size + j] * right[j];
    right[k] = sum * inverse[k];
  }
}

// The diagonal of the inverse, from the results of solve_by_cholesky: U with U^T U = matrix, and 1 / its
// diagonal. Row k of U^-1 is computed in `row`; the inverse is U^-1 U^-T. An unknown with a zero pivot counts
// as known.
TULLE_MULTIARCH void diagonal_of_inverse(const double* upper, const double* inverse, int size, double* row,
                                         double* diagonal) {
  for (int k = 0; k < size; ++k) {
    // x U = e_k, from left to right
    std::fill(row + k, row + size, 0.0);
    row[k] = 1;
    double sum = 0;
    for (int j = k; j < size; ++j) {
      row[j] *= inverse[j];
      sum += row[j] * row[j];
      for (int i = j + 1; i < size; ++i) row[i] -= row[j] * upper[j * size + i];
    }
    diagonal[k] = sum;
  }
}

}  // namespace

RowErrors solve_row(const NormalEquations& equations, const double* sums, const RowTarget& target,
                    std::vector<double>& scratch) {
  const int rank = equations.rank, stride = equations.stride;
  const int size = rank + (target.offset != nullptr ? 1 : 0);
  scratch.resize(static_cast<std::size_t>(size) * (size + 3));
  double* const matrix = scratch.data();
  double* const x = matrix + size * size;
  double* const inverse = x + size;
  const double* const gram = equations.gram(sums);
  const double* const right = equations.right(sums);
  const double* const total = equations.total(sums);
  const double* const variance = equations.variance(sums);
  for (int i = 0; i < rank; ++i) {
    std::copy_n(gram + i * stride + i, rank - i, matrix + i * size + i);
    matrix[i * size + i] += variance[i] + target.ridge[i];
    x[i] = right[i];
  }
  if (target.offset != nullptr) {
    for (int i = 0; i < rank; ++i) matrix[i * size + rank] = total[i];
    matrix[rank * size + rank] = equations.count(sums) + target.ridge[rank];
    x[rank] = equations.value_total(sums);
  }
  solve_by_cholesky(matrix, x, inverse, size);
  if (!target.inverse_diagonal.empty())
    diagonal_of_inverse(matrix, inverse, size, inverse + size, target.inverse_diagonal.data());

  // sum (y - x^T (h, 1))^2 = sum y^2 - 2 x^T b + x^T S x, with the sums before any ridge.
  RowErrors errors;
  double squares = equations.value_square(sums);
  for (int i = 0; i < rank; ++i) {
    target.row[i] = x[i];
    errors.uncertainty += variance[i] * x[i] * x[i];
    double product = gram[i * stride + i] * x[i];
    for (int j = i + 1; j < rank; ++j) product += 2 * gram[i * stride + j] * x[j];
    squares += x[i] * (product - 2 * right[i]);
  }
  if (target.offset != nullptr) {
    *target.offset = x[rank];
    double product = equations.count(sums) * x[rank] - 2 * equations.value_total(sums);
    for (int i = 0; i < rank; ++i) product += 2 * total[i] * x[i];
    squares += x[rank] * product;
  }
  errors.squares = std::max(0.0, squares);
  return errors;
}

}  // namespace tulle
