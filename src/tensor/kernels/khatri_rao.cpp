#include <tulle/base/error.hpp>
#include <tulle/tensor/kernels/khatri_rao.hpp>

namespace tulle {

Matrix khatri_rao(const Matrix& a, const Matrix& b) {
  if (a.cols() != b.cols()) fail("Khatri-Rao product of matrices with {} and {} columns", a.cols(), b.cols());
  Matrix product(a.rows() * b.rows(), a.cols());
#pragma omp parallel for schedule(static) if (product.size() > 1 << 15)
  for (Eigen::Index i = 0; i < a.rows(); ++i)
    for (Eigen::Index j = 0; j < b.rows(); ++j)
      product.row(i * b.rows() + j) = a.row(i).cwiseProduct(b.row(j));
  return product;
}

Matrix khatri_rao(std::span<const Matrix> factors, int columns) {
  if (factors.empty()) return Matrix::Ones(1, columns);
  Matrix product = factors.back();
  for (std::size_t f = factors.size() - 1; f-- > 0;) product = khatri_rao(factors[f], product);
  return product;
}

}  // namespace tulle
