#include "check.hpp"

#include <tulle/model/cp.hpp>

namespace tulle {

Shape Cp::shape() const {
  return shape_of_factors(factors);
}

// Components run innermost: their products sit side by side in memory.
double Cp::at(std::span<const Index> cell) const {
  constexpr int kBlock = 16;
  double sum = 0;
  for (int from = 0; from < rank(); from += kBlock) {
    const int count = std::min(kBlock, rank() - from);
    std::array<double, kBlock> products;
    std::copy_n(weights.data() + from, count, products.begin());
    for (std::size_t mode = 0; mode < factors.size(); ++mode) {
      const double* row = factors[mode].data() + static_cast<std::size_t>(cell[mode]) * rank() + from;
      for (int r = 0; r < count; ++r) products[r] *= row[r];
    }
    for (int r = 0; r < count; ++r) sum += products[r];
  }
  return sum + biases.at(cell);
}

std::vector<double> Cp::predict(const Cells& cells) const {
  check_cells(shape(), cells);
  std::vector<double> result(cells.size());
#pragma omp parallel for schedule(static)
  for (std::size_t entry = 0; entry < cells.size(); ++entry) result[entry] = at(cells.cell(entry));
  return result;
}

// Row by row of the first mode: (weights * A[i]) times the Khatri-Rao product of the other factors, built
// once.
DenseTensor Cp::reconstruct() const {
  DenseTensor result(shape());
  Matrix rest = factors.back();
  for (int mode = static_cast<int>(factors.size()) - 2; mode > 0; --mode) {
    Matrix product(factors[mode].rows() * rest.rows(), rank());
    for (Eigen::Index i = 0; i < factors[mode].rows(); ++i)
      product.middleRows(i * rest.rows(), rest.rows()) =
          rest.array().rowwise() * factors[mode].row(i).array();
    rest = std::move(product);
  }
  Eigen::Map<Matrix> rows(result.values().data(), factors[0].rows(), rest.rows());
  rows.noalias() = factors[0] * weights.asDiagonal() * rest.transpose();
  if (!biases.empty()) add_biases(biases, result);
  return result;
}

void check(const Cp& model) {
  const Shape shape = model.shape();
  for (const Matrix& factor : model.factors)
    if (factor.cols() != model.weights.size())
      fail("cp model: a factor has {} columns, but there are {} weights", factor.cols(),
           model.weights.size());
  check_biases(model.biases, shape);
}

}  // namespace tulle
