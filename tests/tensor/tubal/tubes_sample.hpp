// Tensors of tubes to test with, and what a t-SVD is composed to.
#pragma once

#include "tensor/samples.hpp"

#include <tulle/tensor/tubal/tproduct.hpp>
#include <tulle/tensor/tubal/tsvd.hpp>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

namespace tulle::samples {

inline double distance(const DenseTensor& a, const DenseTensor& b) {
  EXPECT_EQ(a.shape(), b.shape());
  return largest_difference(a.values(), b.values());
}

inline Shape shape_of(std::initializer_list<std::uint64_t> first, const std::vector<std::uint64_t>& tubes) {
  std::vector<std::uint64_t> sizes(first);
  sizes.insert(sizes.end(), tubes.begin(), tubes.end());
  return Shape(sizes);
}

// Of 1 to 3 modes, odd and even and 1.
inline rc::Gen<std::vector<std::uint64_t>> tube_sizes() {
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(1, 4), [](std::size_t modes) {
    return rc::gen::container<std::vector<std::uint64_t>>(modes, rc::gen::inRange<std::uint64_t>(1, 7));
  });
}

// Every slice transposed, and the order of slices turned round in modes 3..N: (i, j, k, ..) goes to (j, i,
// -k, ..) modulo the sizes. Without the turn, which dai2026 leaves out, (A * B)^T = B^T * A^T does not hold.
inline DenseTensor t_transpose(const DenseTensor& a) {
  DenseTensor result(a.shape().with(0, a.shape()[1]).with(1, a.shape()[0]));
  std::vector<Index> cell(static_cast<std::size_t>(a.order())), turned = cell;
  for (double value : a.values()) {
    turned = {cell[1], cell[0]};
    for (int mode = 2; mode < a.order(); ++mode)
      turned.push_back((a.shape()[mode] - cell[static_cast<std::size_t>(mode)]) % a.shape()[mode]);
    result[turned] = value;
    for (int mode = a.order() - 1; mode >= 0; --mode) {  // the next cell in C order
      Index& position = cell[static_cast<std::size_t>(mode)];
      if (++position < a.shape()[mode]) break;
      position = 0;
    }
  }
  return result;
}

// n x n x n3 ..: the slice at 0 is the identity matrix, the others are zero.
inline DenseTensor t_identity(const Shape& shape) {
  DenseTensor result(shape);
  for (std::size_t i = 0; i < shape[0]; ++i) result.values()[i * (shape[0] + 1) * shape.stride(1)] = 1;
  return result;
}

inline DenseTensor shrink_tubal(const DenseTensor& tensor, double threshold) {
  Spectrum spectrum(tensor);
  SpectralShrinkage().shrink(spectrum, threshold, 0);
  return spectrum.inverse();
}

// The mean over the Fourier slices of their nuclear norms: the diagonal of S at the slice 0.
inline double tubal_nuclear_norm(const DenseTensor& tensor) {
  const DenseTensor s = t_svd(tensor).s;
  double norm = 0;
  for (std::size_t r = 0; r < s.shape()[0]; ++r) norm += s.values()[r * s.shape().stride(0)];
  return norm;
}

inline DenseTensor compose(const TSvd& svd) {
  const Shape& u = svd.u.shape();
  DenseTensor s(u.with(0, u[1]));
  const std::size_t depth = u.stride(1), rank = u[1];
  for (std::size_t r = 0; r < rank; ++r)
    for (std::size_t k = 0; k < depth; ++k)
      s.values()[(r * rank + r) * depth + k] = svd.s.values()[r * depth + k];
  return t_product(t_product(svd.u, s), t_transpose(svd.v));
}

inline DenseTensor tube(std::vector<double> values) {
  const std::uint64_t length = values.size();
  return DenseTensor(Shape{1, 1, length}, std::move(values));
}

}  // namespace tulle::samples
