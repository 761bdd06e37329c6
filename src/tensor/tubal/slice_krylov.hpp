// The largest eigenpairs of a Hermitian matrix by a block Krylov space, with a proof that none is missing.
#pragma once

#include "slice_svd.hpp"

#include <optional>

namespace tulle {

template <class T>
struct SliceEigenpairs {
  Eigen::VectorXd values;  // ascending
  Columns<T> vectors;
  double largest;  // largest eigenvalue, above the bound or not
};

// All eigenpairs of A (both triangles) with values above `bound`, if they are few; `expected` is a guess of
// their number. Exact for a matrix A + E with |E| <= 1e-10 sqrt(bound) sqrt(largest eigenvalue). Nothing if
// that takes a space too large to be worth it; then the whole matrix must be decomposed.
template <class T>
std::optional<SliceEigenpairs<T>> few_eigenpairs_above(const Columns<T>& a, double bound, int expected);

// The eigenpairs of a Hermitian matrix (lower triangle, overwritten) with values above `bound`, at most
// `limit`, whatever their number.
template <class T>
SliceEigenpairs<T> eigenpairs_above(Columns<T>& a, double bound, int limit);

}  // namespace tulle
