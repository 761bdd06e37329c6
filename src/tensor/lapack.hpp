// BLAS and LAPACK under one name for real and complex scalars. Matrices are column-major, as in both.
#pragma once

#include "blas_kernels.hpp"

#include <cblas.h>

#include <complex>

namespace tulle::lapack {

using Complex = std::complex<double>;

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

// The functions below throw an Error for NaN unless stated otherwise: LAPACK does not check.

// Whether a Hermitian matrix (lower triangle, overwritten) is positive definite; one with NaNs is not.
bool is_positive_definite(int n, double* a);
bool is_positive_definite(int n, Complex* a);

// A = Q T Q^H with T real tridiagonal (`diagonal`, `below`); Q is left in A and tau.
void tridiagonalise(int n, double* a, double* diagonal, double* below, double* tau);
void tridiagonalise(int n, Complex* a, double* diagonal, double* below, Complex* tau);

// All eigenvalues of a real tridiagonal matrix, ascending: they replace the diagonal. Overwrites `below`.
void tridiagonal_eigenvalues(int n, double* diagonal, double* below);

// The `count` largest eigenpairs of a real tridiagonal matrix, ascending, by relatively robust
// representations: work grows with n * count. Overwrites its input. False for NaN, and in the rare case that
// the method does not converge.
bool largest_eigenpairs(int n, int count, double* diagonal, double* below, double* values, double* vectors);

// The same for a symmetric matrix (lower triangle, overwritten).
bool largest_eigenpairs(int n, int count, double* a, double* values, double* vectors);

// C = Q C with the Q of tridiagonalise; does not check for NaN.
void apply_reflectors(int n, int columns, const double* a, const double* tau, double* c);
void apply_reflectors(int n, int columns, const Complex* a, const Complex* tau, Complex* c);

// Replaces A of m x n by the n columns of Q in A = Q R, orthonormal whatever the rank of A.
void orthonormalise(int m, int n, double* a);
void orthonormalise(int m, int n, Complex* a);

// All eigenpairs of a Hermitian matrix (lower triangle), ascending; the vectors replace it.
void eigen(int n, double* a, double* values);
void eigen(int n, Complex* a, double* values);

// The thin SVD A = U diag(s) V^H of an m x n matrix, which is overwritten; `job` 'N' skips U and V^H.
void svd(char job, int m, int n, double* a, double* s, double* u, double* vh);
void svd(char job, int m, int n, Complex* a, double* s, Complex* u, Complex* vh);

}  // namespace tulle::lapack
