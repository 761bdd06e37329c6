// Tensors and matrices to test with.
#pragma once

#include <tulle/base/random.hpp>
#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/sparse.hpp>

#include <rapidcheck.h>

#include <vector>

namespace tulle::samples {

inline Matrix matrix(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  Random random(seed);
  Matrix result(rows, columns);
  for (double& value : result.reshaped()) value = random.normal();
  return result;
}

inline DenseTensor dense(const Shape& shape, std::uint64_t seed) {
  Random random(seed);
  DenseTensor result(shape);
  for (double& value : result.values()) value = random.normal();
  return result;
}

inline std::array<Index, kMaxOrder> cell_at(const Shape& shape, std::size_t offset) {
  std::array<Index, kMaxOrder> cell{};
  for (int mode = 0; mode < shape.order(); ++mode)
    cell[mode] = static_cast<Index>(offset / shape.stride(mode) % shape[mode]);
  return cell;
}

// Each cell is listed with the given chance, in a shuffled order.
inline SparseTensor sparse(const Shape& shape, double density, std::uint64_t seed,
                           Unlisted unlisted = Unlisted::zero) {
  Random random(seed);
  std::vector<std::size_t> offsets;
  for (std::size_t cell = 0; cell < shape.cells(); ++cell)
    if (random.chance(density)) offsets.push_back(cell);
  random.shuffle(std::span(offsets));
  SparseTensor result(shape, unlisted);
  for (std::size_t offset : offsets) {
    const auto cell = cell_at(shape, offset);
    result.append(std::span(cell.data(), shape.order()), static_cast<float>(random.normal()));
  }
  return result;
}

// Cells that are not listed become zeros; a cell that is listed twice is the sum.
inline DenseTensor filled(const SparseTensor& tensor) {
  DenseTensor result(tensor.shape());
  for (std::size_t entry = 0; entry < tensor.size(); ++entry)
    result[tensor.cells().cell(entry)] += tensor.values()[entry];
  return result;
}

// For RapidCheck: min_order to max_order modes of 1 to max_size positions.
inline Shape any_shape(int max_order = 5, int max_size = 5, int min_order = 2) {
  const int order = *rc::gen::inRange(min_order, max_order + 1);
  const auto sizes = *rc::gen::container<std::vector<std::uint64_t>>(
      order, rc::gen::inRange<std::uint64_t>(1, static_cast<std::uint64_t>(max_size) + 1));
  return Shape(sizes);
}

inline std::uint64_t any_seed() {
  return *rc::gen::arbitrary<std::uint64_t>();
}

inline double largest_difference(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

inline double largest_difference(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() ? (a - b).lpNorm<Eigen::Infinity>()
                                                      : std::numeric_limits<double>::infinity();
}

}  // namespace tulle::samples
