#include "subspace.hpp"

#include "../eigenvectors.hpp"

#include <tulle/base/random.hpp>
#include <tulle/tensor/gram.hpp>
#include <tulle/tensor/ttm.hpp>
#include <tulle/tensor/unfold.hpp>

#include <Eigen/QR>

namespace tulle {
namespace {

// The orthonormal factor of a QR decomposition. Unlike a division by singular values it stays orthonormal
// when the rank is less than the number of columns.
Matrix orthonormal(const Matrix& columns) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(columns);
  return qr.householderQ() * Eigen::MatrixXd::Identity(columns.rows(), columns.cols());
}

}  // namespace

Matrix leading_left_vectors(const DenseTensor& tensor, int mode, int count) {
  if (tensor.shape()[mode] <= tensor.size() / tensor.shape()[mode])
    return leading_eigenvectors(gram(tensor, mode), count);
  return leading_left_vectors(unfold(tensor, mode), count);
}

// With Y = U S V^T, the columns of Y V = U S span the same as those of U.
Matrix leading_left_vectors(const Matrix& unfolded, int count) {
  const auto rows = static_cast<std::uint64_t>(unfolded.rows()),
             columns = static_cast<std::uint64_t>(unfolded.cols());
  const DenseTensor matrix(Shape{rows, columns}, {unfolded.data(), unfolded.data() + unfolded.size()});
  if (rows <= columns) return leading_eigenvectors(gram(matrix, 0), count);
  const Matrix right = leading_eigenvectors(gram(matrix, 1), count);
  const DenseTensor product = ttm(matrix, 1, right, Apply::project);
  return orthonormal(Eigen::Map<const Matrix>(product.values().data(), unfolded.rows(), count));
}

std::vector<Matrix> random_orthonormal(const Shape& shape, const std::vector<int>& ranks,
                                       std::uint64_t seed) {
  std::vector<Matrix> factors;
  for (int mode = 0; mode < shape.order(); ++mode) {
    Random random(seed, static_cast<std::uint64_t>(mode) + 1);
    Matrix factor(shape[mode], ranks[mode]);
    for (double& value : factor.reshaped<Eigen::RowMajor>()) value = random.normal();
    factors.push_back(orthonormal(factor));
  }
  return factors;
}

}  // namespace tulle
