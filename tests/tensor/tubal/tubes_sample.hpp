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
