// Tensors and factors for tests, and the MTTKRP by its definition.
#pragma once

#include <tulle/base/random.hpp>
#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/sparse.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace tulle::testing {

inline std::vector<Matrix> random_factors(const Shape& shape, int rank, std::uint64_t seed) {
  Random random(seed);
  std::vector<Matrix> factors;
  for (Index size : shape.dimensions()) {
    Matrix factor(size, rank);
    for (double& entry : factor.reshaped()) entry = random.normal();
    factors.push_back(std::move(factor));
  }
  return factors;
}

// Each cell is listed with the given chance; the first position of every mode is drawn more often where
// `skewed`.
inline SparseTensor random_sparse(const Shape& shape, std::size_t draws, std::uint64_t seed,
                                  Unlisted unlisted, bool skewed = false) {
  Random random(seed);
  SparseTensor tensor(shape, unlisted);
  std::vector<bool> listed(shape.cells());
  for (std::size_t d = 0; d < draws; ++d) {
    std::array<Index, kMaxOrder> cell{};
    for (int mode = 0; mode < shape.order(); ++mode)
      cell[mode] = skewed && random.chance(0.5) ? 0 : static_cast<Index>(random.below(shape[mode]));
    const std::span<const Index> positions(cell.data(), shape.order());
    if (listed[shape.offset(positions)]) continue;
    listed[shape.offset(positions)] = true;
    tensor.append(positions, static_cast<float>(random.normal()));
  }
  return tensor;
}

inline DenseTensor densify(const SparseTensor& tensor) {
  DenseTensor dense(tensor.shape());
  for (std::size_t e = 0; e < tensor.size(); ++e) {
    const auto cell = tensor.cells().cell(e);
    dense[std::span<const Index>(cell.data(), tensor.order())] += tensor.values()[e];
  }
  return dense;
}

inline Matrix naive_mttkrp(const DenseTensor& tensor, const std::vector<Matrix>& factors, int mode) {
  const Shape& shape = tensor.shape();
  Matrix result = Matrix::Zero(shape[mode], factors[0].cols());
  for (std::size_t c = 0; c < tensor.size(); ++c) {
    Eigen::RowVectorXd product = Eigen::RowVectorXd::Constant(result.cols(), tensor.values()[c]);
    for (int other = 0; other < shape.order(); ++other)
      if (other != mode)
        product.array() *= factors[other].row(c / shape.stride(other) % shape[other]).array();
    result.row(c / shape.stride(mode) % shape[mode]) += product;
  }
  return result;
}

inline void expect_near(const Matrix& a, const Matrix& b, double tolerance) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), tolerance * (1 + b.cwiseAbs().maxCoeff()));
}

}  // namespace tulle::testing
