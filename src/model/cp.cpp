#include "check.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/model/cp.hpp>

namespace tulle {

Shape Cp::shape() const {
  return shape_of_factors(factors);
}

// Components run innermost: their products are contiguous in memory.
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
#pragma omp parallel for schedule(static) if (cells.size() * static_cast <std::size_t>(rank() + 1) > \
                                              kWorthThreads)
  for (std::size_t entry = 0; entry < cells.size(); ++entry) result[entry] = at(cells.cell(entry));
  return result;
}

// Computes matrix by matrix of the last two modes: B (weights * A[i] * ..) C^T, whose middle is diagonal and
// depends on the positions of all earlier modes. Besides the result it stores one copy of B per thread.
DenseTensor Cp::reconstruct() const {
  DenseTensor result(shape());
  const std::size_t before = factors.size() - 2;
  const Matrix &left = factors[before], &right = factors[before + 1];
  const auto slice = static_cast<std::size_t>(left.rows() * right.rows());
  const std::size_t slices = slice > 0 ? result.size() / slice : 0;
#pragma omp parallel if (slices > 1)
  {
    Vector middle(rank());
    Matrix scaled;
#pragma omp for schedule(static)
    for (std::size_t s = 0; s < slices; ++s) {
      middle = weights;
      for (std::size_t mode = before, rest = s; mode-- > 0; rest /= factors[mode].rows())
        middle.array() *=
            factors[mode].row(static_cast<Eigen::Index>(rest % factors[mode].rows())).transpose().array();
      scaled.noalias() = left * middle.asDiagonal();
      Eigen::Map<Matrix> to(result.values().data() + s * slice, left.rows(), right.rows());
      to.noalias() = scaled * right.transpose();
    }
  }
  if (!biases.empty()) add_biases(biases, result);
  return result;
}

Cp sum(const Cp& first, const Cp& second) {
  Cp both = first;
  both.weights.conservativeResize(first.rank() + second.rank());
  both.weights.tail(second.rank()) = second.weights;
  for (std::size_t mode = 0; mode < both.factors.size(); ++mode) {
    both.factors[mode].conservativeResize(Eigen::NoChange, both.rank());
    both.factors[mode].rightCols(second.rank()) = second.factors.at(mode);
  }
  both.biases.global += second.biases.global;
  if (both.biases.offsets.empty()) {
    both.biases.offsets = second.biases.offsets;
  } else {
    for (std::size_t mode = 0; mode < second.biases.offsets.size(); ++mode)
      both.biases.offsets[mode] += second.biases.offsets[mode];
  }
  return both;
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
