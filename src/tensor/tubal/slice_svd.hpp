// Singular values and vectors of one Fourier slice, real or complex.
//
// A slice is stored in row order, so to LAPACK it is its own transpose: M of m = columns() rows and n =
// rows() columns. Shrinking commutes with transposition; singular vectors of the slice are the conjugates of
// those of M with sides swapped.
#pragma once

#include "kernels/products.hpp"

#include <complex>

namespace tulle {

template <class T>
using SliceMap = Eigen::Map<Columns<T>>;

struct ShrunkSlice {
  double nuclear_norm = 0;
  double squared_change = 0;
};

// M becomes P max(S - t, 0) Q^H for its SVD P S Q^H, with at most `max_rank` terms. `basis` receives
// orthonormal columns that span the rows (n <= m) or the columns (n > m) of the result.
template <class T>
ShrunkSlice shrink_slice(SliceMap<T> m, double threshold, int max_rank, Columns<T>& basis);

// M = left diag(values) right^H with orthonormal columns.
template <class T>
struct SliceSvd {
  Columns<T> left;
  Eigen::VectorXd values;
  Columns<T> right;
};

template <class T>
SliceSvd<T> slice_svd(Columns<T> m);  // thin

// The SVD of an M that shrink_slice left with this basis, widened with zero singular values to `rank` terms.
template <class T>
SliceSvd<T> slice_svd(const Eigen::Ref<const Columns<T>>& m, const Columns<T>& basis, int rank);

}  // namespace tulle
