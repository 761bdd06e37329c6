#include "slice_svd.hpp"

#include "slice_krylov.hpp"

#include <numeric>

namespace tulle {
namespace {

using lapack::Complex;

// Through the Gram matrix, eigenvalues have an error of eps s1^2, so a singular value s has one of eps s1^2 /
// 2s and the result one of at most eps s1^2 / 2t. Above this ratio t / s1 that is below 1e-10 s1; below it, a
// full SVD is used.
constexpr double kGramLimit = 1e-6;

// The lower triangle of M^H M, or of M M^H if that is smaller; zero above.
Columns<double> small_gram(const SliceMap<double>& m) {
  const int rows = as_int(m.rows()), columns = as_int(m.cols()), small = std::min(rows, columns);
  Columns<double> gram = Columns<double>::Zero(small, small);
  lapack::gram(columns <= rows ? CblasTrans : CblasNoTrans, small, std::max(rows, columns), m.data(), rows,
               gram.data());
  return gram;
}

// With M = R + i J, the real part of M^H M is R^T R + J^T J and the imaginary one T - T^T with T = R^T J:
// three quarters of the arithmetic of a complex product, in real products, which BLAS computes at a higher
// rate. (M M^H: the same with R^T and -J^T.)
Columns<Complex> small_gram(const SliceMap<Complex>& m) {
  const int rows = as_int(m.rows()), columns = as_int(m.cols()), small = std::min(rows, columns);
  const bool tall = columns <= rows;
  Columns<double> parts(tall ? 2 * rows : rows, tall ? columns : 2 * columns);
  parts.topLeftCorner(rows, columns) = m.real();
  parts.bottomRightCorner(rows, columns) = m.imag();
  const int stride = as_int(parts.rows());
  const double *r = parts.data(), *j = &parts(parts.rows() - rows, parts.cols() - columns);

  Columns<double> real(small, small), product(small, small);
  lapack::gram(tall ? CblasTrans : CblasNoTrans, small, 2 * std::max(rows, columns), parts.data(), stride,
               real.data());
  if (tall) {
    lapack::multiply(CblasTrans, CblasNoTrans, small, small, rows, r, stride, j, stride, product.data(),
                     small);
  } else {
    lapack::multiply(CblasNoTrans, CblasTrans, small, small, columns, j, stride, r, stride, product.data(),
                     small);
  }
  Columns<Complex> gram = Columns<Complex>::Zero(small, small);
  for (int column = 0; column < small; ++column) {
    gram(column, column) = real(column, column);
    for (int row = column + 1; row < small; ++row)
      gram(row, column) = {real(row, column), product(row, column) - product(column, row)};
  }
  return gram;
}

// Whether every eigenvalue lies below the bound: then bound I - A is positive definite. This costs a tenth of
// computing them.
template <class T>
bool all_below(const Columns<T>& a, double bound) {
  Columns<T> shifted = -a;
  shifted.diagonal().array() += bound;
  return lapack::is_positive_definite(as_int(a.rows()), shifted.data());
}

// Below this size, or for a larger share of eigenpairs, few_eigenpairs_above gains nothing.
constexpr int kSmall = 200;
constexpr double kFew = 0.15;

// The eigenpairs above `bound`, at most `limit`; `expected` is their number last time.
template <class T>
SliceEigenpairs<T> wanted_eigenpairs(Columns<T>& gram, double bound, int limit, int expected) {
  const int n = as_int(gram.rows());
  if (n >= kSmall && expected <= kFew * n) {
    gram.template triangularView<Eigen::StrictlyUpper>() = gram.adjoint();
    if (auto pairs = few_eigenpairs_above<T>(gram, bound, expected)) {
      const auto kept = std::min<Eigen::Index>(limit, pairs->values.size());
      return {pairs->values.tail(kept), pairs->vectors.rightCols(kept), pairs->largest};
    }
  }
  return eigenpairs_above<T>(gram, bound, limit);
}

// M filtered by its small side's basis V: M V diag(gain) V^H, or V diag(gain) V^H M if M has more columns
// than rows.
template <class T>
Columns<T> filtered(const SliceMap<T>& m, const Columns<T>& basis, const Eigen::VectorXd& gain) {
  if (basis.cols() == 0) return Columns<T>::Zero(m.rows(), m.cols());
  if (m.cols() <= m.rows()) {
    Columns<T> image = product<T>(CblasNoTrans, m, CblasNoTrans, basis);
    for (Eigen::Index c = 0; c < image.cols(); ++c) image.col(c) *= gain[c];
    return product<T>(CblasNoTrans, image, CblasConjTrans, basis);
  }
  Columns<T> scaled = basis;
  for (Eigen::Index c = 0; c < scaled.cols(); ++c) scaled.col(c) *= gain[c];
  return product<T>(CblasNoTrans, scaled, CblasNoTrans, product<T>(CblasConjTrans, basis, CblasNoTrans, m));
}

template <class T>
void replace(SliceMap<T>& m, const Columns<T>& result, ShrunkSlice& outcome) {
  outcome.squared_change = (m - result).squaredNorm();
  m = result;
}

template <class T>
ShrunkSlice shrink_by_svd(SliceMap<T> m, double threshold, int max_rank, Columns<T>& basis) {
  const SliceSvd<T> svd = slice_svd<T>(m);
  const int rank = std::min(max_rank, as_int((svd.values.array() > threshold).count()));
  const Eigen::VectorXd lowered = svd.values.head(rank).array() - threshold;
  ShrunkSlice outcome{lowered.sum()};
  basis = (m.cols() <= m.rows() ? svd.right : svd.left).leftCols(rank);
  Columns<T> scaled = svd.left.leftCols(rank);
  for (int c = 0; c < rank; ++c) scaled.col(c) *= lowered[c];
  replace<T>(m,
             rank > 0 ? product<T>(CblasNoTrans, scaled, CblasConjTrans, svd.right.leftCols(rank))
                      : Columns<T>::Zero(m.rows(), m.cols()),
             outcome);
  return outcome;
}

// Adds orthonormal columns up to `rank`. Householder's Q is orthonormal even if the matrix has zeros; it
// returns the existing columns with other signs only, so these are kept as they were.
template <class T>
void widen(Columns<T>& columns, int rank) {
  const Eigen::Index had = columns.cols();
  if (had >= rank) return;
  Columns<T> wider = Columns<T>::Zero(columns.rows(), rank);
  wider.leftCols(had) = columns;
  lapack::orthonormalise(as_int(wider.rows()), rank, wider.data());
  wider.leftCols(had) = columns;
  columns = std::move(wider);
}

}  // namespace

template <class T>
ShrunkSlice shrink_slice(SliceMap<T> m, double threshold, int max_rank, Columns<T>& basis) {
  Columns<T> gram = small_gram(m);
  const double bound = threshold * threshold;
  // Slices far from frequency zero often have nothing above the threshold: tested first if the last basis is
  // empty.
  if (basis.cols() == 0 && all_below<T>(gram, bound)) {
    basis.resize(gram.rows(), 0);
    ShrunkSlice outcome;
    replace<T>(m, Columns<T>::Zero(m.rows(), m.cols()), outcome);
    return outcome;
  }
  const auto pairs = wanted_eigenpairs<T>(gram, bound, max_rank, as_int(basis.cols()));
  if (bound < kGramLimit * kGramLimit * pairs.largest) return shrink_by_svd<T>(m, threshold, max_rank, basis);

  const Eigen::VectorXd singular = pairs.values.array().sqrt();
  const Eigen::VectorXd gain = 1 - threshold / singular.array();
  ShrunkSlice outcome{(singular.array() - threshold).sum()};
  basis = pairs.vectors;
  replace<T>(m, filtered<T>(m, basis, gain), outcome);
  return outcome;
}

template <class T>
SliceSvd<T> slice_svd(Columns<T> m) {
  const int rows = as_int(m.rows()), columns = as_int(m.cols()), small = std::min(rows, columns);
  SliceSvd<T> svd{Columns<T>(rows, small), Eigen::VectorXd(small), Columns<T>(columns, small)};
  Columns<T> right_adjoint(small, columns);
  lapack::svd('S', rows, columns, m.data(), svd.values.data(), svd.left.data(), right_adjoint.data());
  svd.right = right_adjoint.adjoint();
  return svd;
}

// M = (M V) V^H, where M V has few columns, so one thin SVD of M V is enough.
template <class T>
SliceSvd<T> slice_svd(const Eigen::Ref<const Columns<T>>& m, const Columns<T>& basis, int rank) {
  const bool by_rows = m.cols() <= m.rows();
  SliceSvd<T> svd{Columns<T>(m.rows(), 0), Eigen::VectorXd(0), Columns<T>(m.cols(), 0)};
  if (basis.cols() > 0) {
    svd = slice_svd<T>(product<T>(by_rows ? CblasNoTrans : CblasConjTrans, m, CblasNoTrans, basis));
    svd.right = product<T>(CblasNoTrans, basis, CblasNoTrans, svd.right);
    if (!by_rows) std::swap(svd.left, svd.right);
  }
  widen<T>(svd.left, rank);
  widen<T>(svd.right, rank);
  svd.values.conservativeResizeLike(Eigen::VectorXd::Zero(rank));
  return svd;
}

#define TULLE_INSTANTIATE(T)                                                   \
  template ShrunkSlice shrink_slice<T>(SliceMap<T>, double, int, Columns<T>&); \
  template SliceSvd<T> slice_svd<T>(Columns<T>);                               \
  template SliceSvd<T> slice_svd<T>(const Eigen::Ref<const Columns<T>>&, const Columns<T>&, int);
TULLE_INSTANTIATE(double)
TULLE_INSTANTIATE(std::complex<double>)
#undef TULLE_INSTANTIATE

}  // namespace tulle
