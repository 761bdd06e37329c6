#include "narrow_product.hpp"

#include <tulle/base/error.hpp>
#include <tulle/tensor/kernels/khatri_rao.hpp>
#include <tulle/tensor/kernels/mttkrp.hpp>

namespace tulle {
namespace {

using ConstMap = Eigen::Map<const Matrix>;

// Products with a few columns are cut by their shape into pieces that threads take whole, so that the result
// does not depend on their number: BLAS would cut by threads, and gains little from them on matrices this
// narrow.
constexpr Eigen::Index kLongSide = 4096;  // from here on the result itself is cut
constexpr Eigen::Index kPiece = 512;
constexpr Eigen::Index kMostPartialSums = 64;

StridedRows columns_of(const ConstMap& a, Eigen::Index first, Eigen::Index count) {
  return {a.data() + first, a.rows(), count, Eigen::OuterStride<>(a.cols())};
}
StridedRows rows_of(const ConstMap& a, Eigen::Index first, Eigen::Index count) {
  return {a.data() + first * a.cols(), count, a.cols(), Eigen::OuterStride<>(a.cols())};
}

// Adds up piece(first, count) over the pieces of `length`, in their order.
template <class Piece>
void sum_pieces(Eigen::Index length, Matrix& sum, Piece&& piece) {
  const Eigen::Index size = std::max(kPiece, (length + kMostPartialSums - 1) / kMostPartialSums);
  std::vector<Matrix> partial((length + size - 1) / size);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t i = 0; i < partial.size(); ++i) {
    const Eigen::Index first = static_cast<Eigen::Index>(i) * size;
    partial[i] = piece(first, std::min(size, length - first));
  }
  sum = partial.front();
  for (std::size_t i = 1; i < partial.size(); ++i) sum += partial[i];
}

template <class Piece>
void for_pieces(Eigen::Index length, Piece&& piece) {
#pragma omp parallel for schedule(dynamic)
  for (Eigen::Index first = 0; first < length; first += kPiece)
    piece(first, std::min(kPiece, length - first));
}

// c = a * b
void multiply(const ConstMap& a, const Matrix& b, Matrix& c) {
  if (a.rows() < kLongSide) {
    sum_pieces(a.cols(), c, [&](Eigen::Index first, Eigen::Index count) -> Matrix {
      return narrow_product(columns_of(a, first, count), b.middleRows(first, count));
    });
    return;
  }
  c.resize(a.rows(), b.cols());
  for_pieces(a.rows(), [&](Eigen::Index first, Eigen::Index count) {
    c.middleRows(first, count) = narrow_product(rows_of(a, first, count), b);
  });
}

// c = a^T * b
void multiply_transposed(const ConstMap& a, const Matrix& b, Matrix& c) {
  if (a.cols() < kLongSide) {
    sum_pieces(a.rows(), c, [&](Eigen::Index first, Eigen::Index count) -> Matrix {
      return narrow_transposed_product(rows_of(a, first, count), b.middleRows(first, count));
    });
    return;
  }
  c.resize(a.cols(), b.cols());
  for_pieces(a.cols(), [&](Eigen::Index first, Eigen::Index count) {
    c.middleRows(first, count) = narrow_transposed_product(columns_of(a, first, count), b);
  });
}

Eigen::Index cells(const Shape& shape, int first, int last) {
  Eigen::Index product = 1;
  for (int mode = first; mode < last; ++mode) product *= shape[mode];
  return product;
}

// partial[(before, i, after), r], summed over before and after with the weights left[before, r] *
// right[after, r].
void contract(const Matrix& partial, const Matrix& left, const Matrix& right, Matrix& result) {
  const Eigen::Index after = right.rows(), size = partial.rows() / (left.rows() * after);
  result.resize(size, partial.cols());
#pragma omp parallel for schedule(static) if (partial.size() > 1 << 15)
  for (Eigen::Index i = 0; i < size; ++i) {
    auto row = result.row(i);
    row.setZero();
    Eigen::RowVectorXd inner(partial.cols());
    for (Eigen::Index l = 0; l < left.rows(); ++l) {
      const auto block = partial.middleRows((l * size + i) * after, after);
      inner.setZero();
      for (Eigen::Index r = 0; r < after; ++r) inner += block.row(r).cwiseProduct(right.row(r));
      row += inner.cwiseProduct(left.row(l));
    }
  }
}

}  // namespace

Matrix mttkrp(const DenseTensor& tensor, std::span<const Matrix> factors, int mode) {
  const Shape& shape = tensor.shape();
  const int rank = static_cast<int>(factors[mode == 0 ? 1 : 0].cols());
  const Eigen::Index before = cells(shape, 0, mode), after = cells(shape, mode + 1, shape.order());
  const Matrix left = khatri_rao(factors.first(mode), rank);
  const Matrix right = khatri_rao(factors.subspan(mode + 1), rank);
  // The longer of the two products goes into BLAS, whose result is then the smaller.
  Matrix partial, result;
  if (after >= before) {
    multiply(ConstMap(tensor.values().data(), before * shape[mode], after), right, partial);
    contract(partial, left, Matrix::Ones(1, rank), result);
  } else {
    multiply_transposed(ConstMap(tensor.values().data(), before, shape[mode] * after), left, partial);
    contract(partial, Matrix::Ones(1, rank), right, result);
  }
  return result;
}

DenseSweep::DenseSweep(const DenseTensor& tensor) : tensor_(tensor), split_(1) {
  const Shape& shape = tensor.shape();
  const auto cost = [&](int split) {
    return cells(shape, 0, split) * split + cells(shape, split, shape.order()) * (shape.order() - split);
  };
  for (int split = 2; split < shape.order(); ++split)
    if (cost(split) <= cost(split_)) split_ = split;  // late splits have short rows, read in one go
}

void DenseSweep::mttkrp(std::span<const Matrix> factors, int mode, Matrix& result) {
  const Shape& shape = tensor_.shape();
  const int rank = static_cast<int>(factors[0].cols());
  const bool in_left = mode < split_;
  const int first = in_left ? 0 : split_, last = in_left ? split_ : shape.order();
  if (mode == first) {
    const ConstMap unfolded(tensor_.values().data(), cells(shape, 0, split_),
                            cells(shape, split_, shape.order()));
    if (in_left)
      multiply(unfolded, khatri_rao(factors.subspan(split_), rank), partial_);
    else
      multiply_transposed(unfolded, khatri_rao(factors.first(split_), rank), partial_);
  }
  contract(partial_, khatri_rao(factors.subspan(first, mode - first), rank),
           khatri_rao(factors.subspan(mode + 1, last - mode - 1), rank), result);
}

}  // namespace tulle
