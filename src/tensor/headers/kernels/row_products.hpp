// Products of float32 matrices for sums over examples, in which no example depends on another.
//
// BLAS computes the last rows of a matrix by other instructions than the first ones, so that a row of a
// product can depend, by rounding, on where it stands and on how many there are. Where an activation has a
// kink, rounding becomes a difference of any size. Here every row is computed by the same operations in the
// same order, whatever the other rows are.
#pragma once

#include <tulle/base/large_pages.hpp>
#include <tulle/tensor/float_matrix.hpp>
#include <tulle/tensor/matrix.hpp>

#include <cstdint>
#include <span>

namespace tulle {

// The right-hand side of products, in panels of so many columns as registers hold; columns are filled up by
// zeros.
class PackedColumns {
 public:
  PackedColumns() = default;
  explicit PackedColumns(const Eigen::Ref<const FloatMatrix>& matrix) { assign(matrix); }

  // Memory is kept for the next matrix of the size.
  void assign(const Eigen::Ref<const FloatMatrix>& matrix);
  void assign_transposed(const Eigen::Ref<const FloatMatrix>& matrix);

  Eigen::Index rows() const { return rows_; }
  Eigen::Index columns() const { return columns_; }
  const float* panel(Eigen::Index number) const;

 private:
  void resize(Eigen::Index rows, Eigen::Index columns);

  Eigen::Index rows_ = 0, columns_ = 0;
  PagedVector<float> panels_;
};

// result = left * right; the result has the size of the product already.
void row_products(const Eigen::Ref<const FloatMatrix>& left, const PackedColumns& right,
                  Eigen::Ref<FloatMatrix> result);

// Whole numbers rint(scale x value), with a scale for each row, of absolute value at most kMostWhole.
struct RoundedRows {
  Eigen::Ref<const FloatMatrix> values;
  std::span<const double> scales;
};
inline constexpr double kMostWhole = 1 << 15;
// Rows that may be summed over in all: with more a sum could pass 2^52.
inline constexpr std::uint64_t kMostRows = std::uint64_t{1} << 22;

using WholeMatrix = Matrix;  // of whole numbers, held as doubles

// sum += left^T right. Products of whole numbers and their sums are exact in any order, so the rows may be
// handed over in pieces of any size.
void add_exact_products(const RoundedRows& left, const RoundedRows& right, Eigen::Ref<WholeMatrix> sum);

}  // namespace tulle
