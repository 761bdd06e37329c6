#include "normal_equations.hpp"

#include <tulle/base/lanes.hpp>
#include <tulle/base/multiarch.hpp>
#include <tulle/tensor/kernels/block_gram.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace tulle {
namespace {

constexpr std::size_t kBlock =
    64;  // entries whose h are built before they enter the matrix: they stay in the first cache
constexpr std::size_t kAhead = 8;
static_assert(kAhead <= CompressedMode::kLookAhead);

struct Reads {
  const Index* positions;
  const float* values;
  std::array<const double*, kMaxOrder - 1> factors;
  std::array<const double*, kMaxOrder - 1> variances;  // of the factors' entries
  std::array<const double*, kMaxOrder - 1> offsets;
  std::size_t others;
  std::size_t stride;
};

// h of one entry into `h`, and y h, h into the sums.
template <int Others>
inline __attribute__((always_inline)) void expand(const Reads& from, const Index* position, double y,
                                                  double* h, double* right, double* total) {
  const std::size_t others = Others > 0 ? Others : from.others;
  const LaneInMemory* rows[kMaxOrder - 1];
  for (std::size_t k = 0; k < others; ++k) rows[k] = lanes(from.factors[k] + position[k] * from.stride);
  for (std::size_t l = 0; l < from.stride / kLane; ++l) {
    Lane product = rows[0][l];
    for (std::size_t k = 1; k < others; ++k) product *= rows[k][l];
    lanes(h)[l] = product;
    lanes(right)[l] += y * product;
    lanes(total)[l] += product;
  }
}

// The variance of h of one entry, whose factors are independent: prod (mean^2 + variance) - prod mean^2.
template <int Others>
inline __attribute__((always_inline)) void add_variance(const Reads& from, const Index* position,
                                                        const double* h, double* sum) {
  const std::size_t others = Others > 0 ? Others : from.others;
  const LaneInMemory* means[kMaxOrder - 1];
  const LaneInMemory* variances[kMaxOrder - 1];
  for (std::size_t k = 0; k < others; ++k) {
    means[k] = lanes(from.factors[k] + position[k] * from.stride);
    variances[k] = lanes(from.variances[k] + position[k] * from.stride);
  }
  for (std::size_t l = 0; l < from.stride / kLane; ++l) {
    Lane product = means[0][l] * means[0][l] + variances[0][l];
    for (std::size_t k = 1; k < others; ++k) product *= means[k][l] * means[k][l] + variances[k][l];
    const Lane mean = lanes(h)[l];
    lanes(sum)[l] += product - mean * mean;
  }
}

template <int Others, bool Uncertain>
inline __attribute__((always_inline)) void add_entries(const Reads& from, std::size_t begin, std::size_t end,
                                                       double* sums) {
  const std::size_t others = Others > 0 ? Others : from.others, stride = from.stride;
  double* const right = sums + stride * stride;
  double* const total = right + stride;
  double* const variance = total + stride;
  double value_total = 0, value_square = 0;
  thread_local std::vector<double> memory;
  memory.resize(kBlock * stride);
  double* const block = memory.data();
  for (std::size_t first = begin; first < end; first += kBlock) {
    const std::size_t count = std::min(kBlock, end - first);
    for (std::size_t e = 0; e < count; ++e) {
      const Index* const position = from.positions + (first + e) * others;
      for (std::size_t k = 0; k < others; ++k) {
        const double* const later = from.factors[k] + position[kAhead * others + k] * stride;
        for (std::size_t line = 0; line < stride; line += 8) __builtin_prefetch(later + line);
      }
      double y = from.values[first + e];
      for (std::size_t k = 0; k < others; ++k) y -= from.offsets[k][position[k]];
      value_total += y;
      value_square += y * y;
      expand<Others>(from, position, y, block + e * stride, right, total);
      if constexpr (Uncertain) add_variance<Others>(from, position, block + e * stride, variance);
    }
    add_gram(block, stride, count, sums);
  }
  variance[stride] += value_total;
  variance[stride + 1] += value_square;
  variance[stride + 2] += static_cast<double>(end - begin);
}

TULLE_MULTIARCH void add_certain(const Reads& from, std::size_t begin, std::size_t end, double* sums) {
  switch (from.others) {
    case 1:
      return add_entries<1, false>(from, begin, end, sums);
    case 2:
      return add_entries<2, false>(from, begin, end, sums);
    default:
      return add_entries<0, false>(from, begin, end, sums);
  }
}

TULLE_MULTIARCH void add_uncertain(const Reads& from, std::size_t begin, std::size_t end, double* sums) {
  switch (from.others) {
    case 1:
      return add_entries<1, true>(from, begin, end, sums);
    case 2:
      return add_entries<2, true>(from, begin, end, sums);
    default:
      return add_entries<0, true>(from, begin, end, sums);
  }
}

// Solves matrix x = right in place by Cholesky, for the upper triangle of a row-major matrix. A direction
// that the matrix does not have to working precision is left out: x has nothing of it. `inverse` is room for
// size numbers.
TULLE_MULTIARCH void solve_symmetric(double* matrix, double* right, double* inverse, int size) {
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

// The diagonal of the inverse, from what solve_symmetric leaves: U with U^T U = matrix and 1 / its diagonal.
// Row k of U^-1 is built in `row`, and the inverse is U^-1 U^-T. A direction that was left out counts as
// known.
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

void NormalEquations::add(const CompressedMode& entries, std::span<const Panel> factors,
                          std::span<const Panel> variances, std::span<const double* const> offsets,
                          std::size_t begin, std::size_t end, double* sums) const {
  Reads from{entries.positions.data(), entries.values.data(),           {}, {}, {},
             entries.others.size(),    static_cast<std::size_t>(stride)};
  for (std::size_t k = 0; k < from.others; ++k) {
    from.factors[k] = factors[entries.others[k]].data();
    if (!variances.empty()) from.variances[k] = variances[entries.others[k]].data();
    from.offsets[k] = offsets[entries.others[k]];
  }
  (variances.empty() ? add_certain : add_uncertain)(from, begin, end, sums);
}

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
  solve_symmetric(matrix, x, inverse, size);
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
