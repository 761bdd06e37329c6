// Decompositions of small dense matrices, compiled in one source: any other source that named Eigen's own
// classes would take seconds longer.
#pragma once

#include <tulle/tensor/matrix.hpp>

#include <optional>

namespace tulle {

struct Eigendecomposition {
  Vector values;            // ascending
  Eigen::MatrixXd vectors;  // as columns
};

// Decomposes a symmetric matrix; only the lower triangle is read.
Eigendecomposition eigendecomposition(const Eigen::MatrixXd& symmetric);
Vector eigenvalues(const Eigen::MatrixXd& symmetric);
// Only the `count` largest eigenvalues. Nothing if LAPACK does not find exactly these.
std::optional<Eigendecomposition> largest_eigenpairs(Eigen::MatrixXd symmetric, int count);
// The same by a Krylov space, with a proof that none is missing: exact for a matrix that differs by less than
// 1e-12 of the largest eigenvalue. Nothing if the space would have to be large.
std::optional<Eigendecomposition> few_largest_eigenpairs(const Eigen::MatrixXd& symmetric, int count);

struct Qr {
  Eigen::MatrixXd q, r;  // q has min(rows, columns) columns
};

Qr thin_qr(const Eigen::MatrixXd& matrix);
// Only the orthonormal factor. Unlike a division by singular values, it stays orthonormal if the rank is less
// than the number of columns.
Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& columns);

struct Svd {
  Eigen::MatrixXd u;
  Vector values;  // descending
  Eigen::MatrixXd v;
};

Svd thin_svd(const Eigen::MatrixXd& matrix);

// The shortest least-squares solution of matrix * solution = right.
Eigen::MatrixXd least_squares(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& right);

// Factor L with L L^T equal to a positive definite matrix, of which only the lower triangle is read.
Eigen::MatrixXd cholesky(const Eigen::MatrixXd& positive);
// L^-T right, for a lower triangular L.
Eigen::MatrixXd solve_transposed(const Eigen::MatrixXd& lower, const Eigen::MatrixXd& right);

// Solves a symmetric positive definite system; only the lower triangle is read.
Vector solve_positive(const Eigen::MatrixXd& matrix, const Vector& right);

// Solves a symmetric system that may be indefinite.
Vector solve_symmetric(const Eigen::MatrixXd& matrix, const Vector& right);

}  // namespace tulle
