#include "balance.hpp"

#include <tulle/tensor/decompositions.hpp>
#include <tulle/tensor/unfold.hpp>

namespace tulle {
// Let W be the diagonal matrix of the roots of the rows' ridges, and W A G_(n) = U S V^T. The penalty
// ||W A||^2 + core_ridge ||G||^2 is at least 2 sqrt(core_ridge) trace S, and W A = k U S^(1/2),
// G_(n) = S^(1/2) V^T / k with k^4 = core_ridge attains that. Two small triangles give the decomposition.
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
    const Qr left = thin_qr(weights.asDiagonal() * factor),
             right = thin_qr(unfold(model.core, mode).transpose());
    const Svd svd = thin_svd(left.r * right.r.transpose());
    const Vector root = svd.values.cwiseSqrt();
    factor = k * left.q * svd.u * root.asDiagonal();
    for (Eigen::Index row = 0; row < factor.rows(); ++row)
      factor.row(row) *= weights[row] > 0 ? 1 / weights[row] : 0;
    model.core = fold((right.q * svd.v * root.asDiagonal()).transpose() / k, mode, model.core.shape());
  }
}

}  // namespace tulle
