// Decompositions of small dense matrices. They are compiled in one source: every other one that named Eigen's
// own classes would take seconds more.
#pragma once

#include <tulle/tensor/matrix.hpp>

#include <optional>

namespace tulle {

struct Eigendecomposition {
  Vector values;            // ascending
  Eigen::MatrixXd vectors;  // as columns
};

// Of a symmetric matrix, of which the lower triangle is read.
Eigendecomposition eigendecomposition(const Eigen::MatrixXd& symmetric);
Vector eigenvalues(const Eigen::MatrixXd& symmetric);
// Of the `count` largest eigenvalues alone. Nothing where LAPACK does not find just these.
std::optional<Eigendecomposition> largest_eigenpairs(Eigen::MatrixXd symmetric, int count);
// The same by a Krylov space, with a proof that none is missing: exact for a
// matrix that differs by less than 1e-12 of the largest. Nothing where the space would have to be large.
std::optional<Eigendecomposition> few_largest_eigenpairs(const Eigen::MatrixXd& symmetric, int count);

struct Qr {
  Eigen::MatrixXd q, r;  // q has as many columns as the matrix has rows or columns, whichever are fewer
};

Qr thin_qr(const Eigen::MatrixXd& matrix);
// The orthonormal factor alone. Unlike a division by singular values it stays orthonormal when the rank is
// less than the number of columns.
Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& columns);

struct Svd {
  Eigen::MatrixXd u;
  Vector values;  // descending
  Eigen::MatrixXd v;
};

Svd thin_svd(const Eigen::MatrixXd& matrix);

// The shortest least-squares solution of matrix * solution = right.
Eigen::MatrixXd least_squares(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& right);

// Of a positive definite matrix, of which the lower triangle is read: L with L L^T equal to it.
Eigen::MatrixXd cholesky(const Eigen::MatrixXd& positive);
// L^-T right, for a lower triangular L.
Eigen::MatrixXd solve_transposed(const Eigen::MatrixXd& lower, const Eigen::MatrixXd& right);

// The solution of a symmetric positive definite system, of which the lower triangle is read.
Vector solve_positive(const Eigen::MatrixXd& matrix, const Vector& right);

// The solution of a symmetric system that may be indefinite.
Vector solve_symmetric(const Eigen::MatrixXd& matrix, const Vector& right);

}  // namespace tulle
