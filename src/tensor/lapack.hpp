// BLAS and LAPACK under one name for real and complex scalars. Matrices are column-major, as they are there.
#pragma once

#include "blas_kernels.hpp"

#include <tulle/base/error.hpp>

#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <complex>
#include <vector>

namespace tulle::lapack {

using Complex = std::complex<double>;

inline lapack_complex_double* raw(Complex* z) {
  return reinterpret_cast<lapack_complex_double*>(z);
}

inline void need(lapack_int info, const char* routine) {
  if (info != 0)
    fail("LAPACK's {} gave up with code {}; are there values that are not finite?", routine, info);
}

// C = op(A) op(B) with C of m x n and inner size k.
inline void multiply(CBLAS_TRANSPOSE op_a, CBLAS_TRANSPOSE op_b, int m, int n, int k, const double* a,
                     int lda, const double* b, int ldb, double* c, int ldc) {
  cblas_dgemm(CblasColMajor, op_a, op_b, m, n, k, 1, a, lda, b, ldb, 0, c, ldc);
}
inline void multiply(CBLAS_TRANSPOSE op_a, CBLAS_TRANSPOSE op_b, int m, int n, int k, const Complex* a,
                     int lda, const Complex* b, int ldb, Complex* c, int ldc) {
  const Complex one = 1, zero = 0;
  cblas_zgemm(CblasColMajor, op_a, op_b, m, n, k, &one, a, lda, b, ldb, &zero, c, ldc);
}

// The lower triangle of A A^T (NoTrans) or A^T A (Trans), n x n with inner size k.
inline void gram(CBLAS_TRANSPOSE op, int n, int k, const double* a, int lda, double* c) {
  cblas_dsyrk(CblasColMajor, CblasLower, op, n, k, 1, a, lda, 0, c, n);
}

// Adds A A^H to the lower triangle of C, n x n with inner size k.
inline void add_outer(int n, int k, const double* a, double* c) {
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, n, k, 1, a, n, 1, c, n);
}
inline void add_outer(int n, int k, const Complex* a, Complex* c) {
  cblas_zherk(CblasColMajor, CblasLower, CblasNoTrans, n, k, 1, a, n, 1, c, n);
}

// Whether a Hermitian matrix (lower triangle, overwritten) is positive definite; one with NaNs is not.
inline bool is_positive_definite(int n, double* a) {
  return LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', n, a, n) == 0;
}
inline bool is_positive_definite(int n, Complex* a) {
  return LAPACKE_zpotrf(LAPACK_COL_MAJOR, 'L', n, raw(a), n) == 0;
}

// A = Q T Q^H with T real tridiagonal (`diagonal`, `below`); Q is left in A and tau.
inline void tridiagonalise(int n, double* a, double* diagonal, double* below, double* tau) {
  need(LAPACKE_dsytrd(LAPACK_COL_MAJOR, 'L', n, a, n, diagonal, below, tau), "dsytrd");
}
inline void tridiagonalise(int n, Complex* a, double* diagonal, double* below, Complex* tau) {
  need(LAPACKE_zhetrd(LAPACK_COL_MAJOR, 'L', n, raw(a), n, diagonal, below, raw(tau)), "zhetrd");
}

// The `count` largest eigenpairs of a real tridiagonal matrix, ascending, by relatively robust
// representations: work grows with n * count. Overwrites its input. False in the rare case that the method
// does not converge.
inline bool largest_eigenpairs(int n, int count, double* diagonal, double* below, double* values,
                               double* vectors) {
  std::vector<lapack_int> support(2 * static_cast<std::size_t>(count));
  std::vector<double> all(n);
  lapack_int found = 0;
  lapack_logical robust = 1;
  const lapack_int info = LAPACKE_dstemr(LAPACK_COL_MAJOR, 'V', 'I', n, diagonal, below, 0, 0, n - count + 1,
                                         n, &found, all.data(), vectors, n, count, support.data(), &robust);
  std::copy_n(all.begin(), count, values);
  return info == 0 && found == count;
}

// C = Q C with the Q of tridiagonalise.
inline void apply_reflectors(int n, int columns, const double* a, const double* tau, double* c) {
  need(LAPACKE_dormtr(LAPACK_COL_MAJOR, 'L', 'L', 'N', n, columns, a, n, tau, c, n), "dormtr");
}
inline void apply_reflectors(int n, int columns, const Complex* a, const Complex* tau, Complex* c) {
  need(LAPACKE_zunmtr(LAPACK_COL_MAJOR, 'L', 'L', 'N', n, columns, raw(const_cast<Complex*>(a)), n,
                      raw(const_cast<Complex*>(tau)), raw(c), n),
       "zunmtr");
}

// A of m x n becomes the n columns of Q in A = Q R, orthonormal whatever the rank of A.
inline void orthonormalise(int m, int n, double* a) {
  std::vector<double> tau(n);
  need(LAPACKE_dgeqrf(LAPACK_COL_MAJOR, m, n, a, m, tau.data()), "dgeqrf");
  need(LAPACKE_dorgqr(LAPACK_COL_MAJOR, m, n, n, a, m, tau.data()), "dorgqr");
}
inline void orthonormalise(int m, int n, Complex* a) {
  std::vector<Complex> tau(n);
  need(LAPACKE_zgeqrf(LAPACK_COL_MAJOR, m, n, raw(a), m, raw(tau.data())), "zgeqrf");
  need(LAPACKE_zungqr(LAPACK_COL_MAJOR, m, n, n, raw(a), m, raw(tau.data())), "zungqr");
}

// All eigenpairs of a Hermitian matrix (lower triangle), ascending; the vectors replace it.
inline void eigen(int n, double* a, double* values) {
  need(LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', n, a, n, values), "dsyevd");
}
inline void eigen(int n, Complex* a, double* values) {
  need(LAPACKE_zheevd(LAPACK_COL_MAJOR, 'V', 'L', n, raw(a), n, values), "zheevd");
}

// The thin SVD A = U diag(s) V^H of an m x n matrix, which is overwritten; `job` 'N' leaves U and V^H out.
inline void svd(char job, int m, int n, double* a, double* s, double* u, double* vh) {
  const int k = std::min(m, n);
  need(LAPACKE_dgesdd(LAPACK_COL_MAJOR, job, m, n, a, m, s, u, m, vh, k), "dgesdd");
}
inline void svd(char job, int m, int n, Complex* a, double* s, Complex* u, Complex* vh) {
  const int k = std::min(m, n);
  need(LAPACKE_zgesdd(LAPACK_COL_MAJOR, job, m, n, raw(a), m, s, raw(u), m, raw(vh), k), "zgesdd");
}

}  // namespace tulle::lapack
