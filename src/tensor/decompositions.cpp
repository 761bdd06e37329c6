#include "lapack.hpp"

#include <tulle/tensor/decompositions.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#ifdef TULLE_EIGEN_PRODUCTS  // cmake/eigen_products.hpp
TULLE_EIGEN_PRODUCTS()
#endif

namespace tulle {

Eigendecomposition eigendecomposition(const Eigen::MatrixXd& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(symmetric);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

Vector eigenvalues(const Eigen::MatrixXd& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
}

std::optional<Eigendecomposition> largest_eigenpairs(Eigen::MatrixXd symmetric, int count) {
  Eigendecomposition pairs{Vector(count), Eigen::MatrixXd(symmetric.rows(), count)};
  if (!lapack::largest_eigenpairs(static_cast<int>(symmetric.rows()), count, symmetric.data(),
                                  pairs.values.data(), pairs.vectors.data()))
    return {};
  return pairs;
}

Qr thin_qr(const Eigen::MatrixXd& matrix) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(matrix);
  const Eigen::Index rank = std::min(matrix.rows(), matrix.cols());
  return {qr.householderQ() * Eigen::MatrixXd::Identity(matrix.rows(), rank),
          qr.matrixQR().topRows(rank).triangularView<Eigen::Upper>()};
}

Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& columns) {
  return Eigen::HouseholderQR<Eigen::MatrixXd>(columns).householderQ() *
         Eigen::MatrixXd::Identity(columns.rows(), columns.cols());
}

Svd thin_svd(const Eigen::MatrixXd& matrix) {
  const Eigen::Index rank = std::min(matrix.rows(), matrix.cols());
  Eigen::MatrixXd overwritten = matrix, u(matrix.rows(), rank), vt(rank, matrix.cols());
  Vector values(rank);
  if (rank > 0)
    lapack::svd('S', static_cast<int>(matrix.rows()), static_cast<int>(matrix.cols()), overwritten.data(),
                values.data(), u.data(), vt.data());
  return {std::move(u), std::move(values), vt.transpose()};
}

Eigen::MatrixXd least_squares(const Eigen::MatrixXd& matrix, const Eigen::MatrixXd& right) {
  return matrix.completeOrthogonalDecomposition().solve(right);
}

Eigen::MatrixXd cholesky(const Eigen::MatrixXd& positive) {
  return Eigen::LLT<Eigen::MatrixXd>(positive).matrixL();
}

Eigen::MatrixXd solve_transposed(const Eigen::MatrixXd& lower, const Eigen::MatrixXd& right) {
  return lower.triangularView<Eigen::Lower>().transpose().solve(right);
}

Vector solve_positive(const Eigen::MatrixXd& matrix, const Vector& right) {
  return matrix.selfadjointView<Eigen::Lower>().llt().solve(right);
}

Vector solve_symmetric(const Eigen::MatrixXd& matrix, const Vector& right) {
  return matrix.ldlt().solve(right);
}

}  // namespace tulle
