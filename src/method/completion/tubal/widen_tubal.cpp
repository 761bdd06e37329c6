#include "widen_tubal.hpp"

#include <tulle/tensor/decompositions.hpp>
#include <tulle/tensor/kernels/ttm.hpp>
#include <tulle/tensor/tubal/tsvd.hpp>

#include <algorithm>

namespace tulle {
namespace {

// The number of tubes that are more than rounding errors.
int significant_tubes(const DenseTensor& s) {
  constexpr double kRounding = 1e-12;
  const std::size_t length = s.shape().stride(0);
  const Eigen::Map<const Matrix> tubes(s.values().data(), s.shape()[0], static_cast<Eigen::Index>(length));
  const Vector norms = tubes.rowwise().norm();
  return std::max(1, static_cast<int>((norms.array() > kRounding * norms.maxCoeff()).count()));
}

}  // namespace

// Interpolation in modes 1 and 2 multiplies every Fourier slice by the same real matrices, W1 from the left
// and W2^T from the right. With W = Q R the t-SVD of the cells is that of R1 X R2^T, of the blocks' size,
// with Q1 and Q2 before its factors.
Tubal widen(const Tubal& model, const CellBlocks& blocks, int rank) {
  Tubal without_biases = model;
  without_biases.biases = {};
  const int order = blocks.shape().order();
  std::vector<Matrix> matrices;
  std::vector<int> modes;
  for (int mode = 0; mode < order; ++mode) {
    matrices.push_back(blocks.interpolation(mode));
    modes.push_back(mode);
  }
  const Qr down = thin_qr(matrices[0]), across = thin_qr(matrices[1]);
  matrices[0] = down.r, matrices[1] = across.r;
  const DenseTensor small = ttm_chain(without_biases.reconstruct(), matrices, Apply::expand, modes);
  const int full = static_cast<int>(std::min(small.shape()[0], small.shape()[1]));
  TSvd svd = t_svd(small, rank == 0 ? 0 : std::min(rank, full));
  if (const int kept = significant_tubes(svd.s); kept < static_cast<int>(svd.s.shape()[0]))
    svd = t_svd(small, kept);
  return {ttm(svd.u, 0, down.q, Apply::expand), std::move(svd.s), ttm(svd.v, 0, across.q, Apply::expand),
          model.biases};
}

}  // namespace tulle
