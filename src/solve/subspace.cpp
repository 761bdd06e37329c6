#include "subspace.hpp"

#include "eigenvectors.hpp"

#include <tulle/tensor/decompositions.hpp>
#include <tulle/tensor/kernels/gram.hpp>
#include <tulle/tensor/kernels/norms.hpp>
#include <tulle/tensor/kernels/ttm.hpp>
#include <tulle/tensor/unfold.hpp>

namespace tulle {

LeftVectors leading_left_vectors(const DenseTensor& tensor, int mode, int count) {
  if (tensor.shape()[mode] > tensor.size() / tensor.shape()[mode])
    return {leading_left_vectors(unfold(tensor, mode), count), squared_norm(tensor)};
  const Matrix gram_matrix = gram(tensor, mode);
  const double square = gram_matrix.trace();
  return {leading_eigenvectors(gram_matrix, count), square};
}

// With Y = U S V^T, the columns of Y V = U S span the same space as those of U.
Matrix leading_left_vectors(const Matrix& unfolded, int count) {
  const auto rows = static_cast<std::uint64_t>(unfolded.rows()),
             columns = static_cast<std::uint64_t>(unfolded.cols());
  const DenseTensor matrix(Shape{rows, columns}, {unfolded.data(), unfolded.data() + unfolded.size()});
  if (rows <= columns) return leading_eigenvectors(gram(matrix, 0), count);
  const Matrix right = leading_eigenvectors(gram(matrix, 1), count);
  const DenseTensor product = ttm(matrix, 1, right, Apply::project);
  return orthonormal(Eigen::Map<const Matrix>(product.values().data(), unfolded.rows(), count));
}

}  // namespace tulle
