#include "layout.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/tensor/unfold.hpp>

namespace tulle {

Matrix unfold(const DenseTensor& tensor, int mode) {
  const Layout at(tensor.shape(), mode);
  Matrix result(at.size, at.outer * at.inner);
  const double* const from = tensor.values().data();
#pragma omp parallel for schedule(static) if (at.size * at.outer * at.inner > kWorthThreads)
  for (std::size_t row = 0; row < at.size; ++row)
    for (std::size_t block = 0; block < at.outer; ++block)
      std::copy_n(from + (block * at.size + row) * at.inner, at.inner, &result(row, block * at.inner));
  return result;
}

DenseTensor fold(const Matrix& unfolded, int mode, const Shape& shape) {
  const Layout at(shape, mode);
  if (static_cast<std::size_t>(unfolded.rows()) != at.size ||
      static_cast<std::size_t>(unfolded.cols()) != at.outer * at.inner)
    fail("a {}x{} matrix is not the mode {} unfolding of a {} tensor", unfolded.rows(), unfolded.cols(),
         mode + 1, shape.text());
  DenseTensor result(shape);
  double* const to = result.values().data();
#pragma omp parallel for schedule(static) if (at.size * at.outer * at.inner > kWorthThreads)
  for (std::size_t row = 0; row < at.size; ++row)
    for (std::size_t block = 0; block < at.outer; ++block)
      std::copy_n(&unfolded(row, block * at.inner), at.inner, to + (block * at.size + row) * at.inner);
  return result;
}

DenseTensor permute(const DenseTensor& tensor, std::span<const int> modes) {
  const Shape& from = tensor.shape();
  const std::size_t order = modes.size();
  std::vector<int> sorted(modes.begin(), modes.end()), all(from.order());
  std::iota(all.begin(), all.end(), 0);
  std::sort(sorted.begin(), sorted.end());
  if (sorted != all)
    fail("({}) is no order of the modes of a {} tensor", fmt::join(modes, ", "), from.text());

  std::vector<std::uint64_t> sizes(order);
  std::vector<std::size_t> strides(order);
  for (std::size_t mode = 0; mode < order; ++mode) {
    sizes[mode] = from[modes[mode]];
    strides[mode] = from.stride(modes[mode]);
  }
  DenseTensor result{Shape(sizes)};
  std::vector<std::size_t> cell(order);
  std::size_t offset = 0;  // of the cell in the given tensor
  for (double& value : result.values()) {
    value = tensor.values()[offset];
    for (std::size_t mode = order; mode-- > 0;) {  // the next cell, as an odometer counts
      offset += strides[mode];
      if (++cell[mode] < sizes[mode]) break;
      offset -= strides[mode] * sizes[mode];
      cell[mode] = 0;
    }
  }
  return result;
}

}  // namespace tulle
