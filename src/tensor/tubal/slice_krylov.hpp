// The largest eigenpairs of a Hermitian matrix by a block Krylov space, with a proof that none is missing.
#pragma once

#include "slice_svd.hpp"

#include <optional>

namespace tulle {

template <class T>
struct SliceEigenpairs {
  Eigen::VectorXd values;  // ascending
  Columns<T> vectors;
  double largest;  // eigenvalue, wanted or not
};

// All eigenpairs of A (both triangles) with values above `bound`, when they are few: `expected` of them, as a
// guess. The answer is exact for a matrix A + E with |E| <= 1e-10 sqrt(bound) sqrt(largest eigenvalue), or
// nothing where that takes a space too large to be worth it; then the whole matrix has to be decomposed.
template <class T>
std::optional<SliceEigenpairs<T>> few_eigenpairs_above(const Columns<T>& a, double bound, int expected);

// The eigenpairs of a Hermitian matrix (lower triangle, overwritten) with values above `bound`, `limit` of
// them at most, whatever their number.
template <class T>
SliceEigenpairs<T> eigenpairs_above(Columns<T>& a, double bound, int limit);

}  // namespace tulle
