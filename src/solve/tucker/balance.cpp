#include "balance.hpp"

#include <tulle/tensor/unfold.hpp>

#include <Eigen/QR>
#include <Eigen/SVD>

namespace tulle {
namespace {

struct Qr {
  Eigen::MatrixXd q, r;

  explicit Qr(const Eigen::MatrixXd& matrix) {
    const Eigen::HouseholderQR<Eigen::MatrixXd> decomposition(matrix);
    q = decomposition.householderQ() * Eigen::MatrixXd::Identity(matrix.rows(), matrix.cols());
    r = decomposition.matrixQR().topRows(matrix.cols()).triangularView<Eigen::Upper>();
  }
};

}  // namespace

// Let W be the diagonal of the roots of the rows' ridges and W A G_(n) = U S V^T. The penalty is ||W A||^2 +
// core_ridge ||G||^2, at least 2 sqrt(core_ridge) trace S, and W A = k U S^(1/2), G_(n) = S^(1/2) V^T / k
// with k^4 = core_ridge attains it. The decomposition is that of two small triangles.
void balance(const Penalty& penalty, Tucker& model) {
  const double ridge = penalty.row_ridge[0] + penalty.cell_ridge[0][0], core_ridge = penalty.of_core()[0];
  if (ridge <= 0 || core_ridge <= 0) return;
  const double k = std::pow(core_ridge, 0.25);
  for (int mode = 0; mode < model.core.order(); ++mode) {
    Matrix& factor = model.factors[mode];
    const Vector weights =
        (penalty.row_ridge[mode] + penalty.cell_ridge[mode][0] * penalty.counts[mode].array())
            .sqrt()
            .matrix();
    const Qr left(weights.asDiagonal() * factor), right(unfold(model.core, mode).transpose());
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(left.r * right.r.transpose(),
                                                Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Vector root = svd.singularValues().cwiseSqrt();
    factor = k * left.q * svd.matrixU() * root.asDiagonal();
    for (Eigen::Index row = 0; row < factor.rows(); ++row)
      factor.row(row) *= weights[row] > 0 ? 1 / weights[row] : 0;
    model.core =
        fold((right.q * svd.matrixV() * root.asDiagonal()).transpose() / k, mode, model.core.shape());
  }
}

}  // namespace tulle
