#include "tubes.hpp"

#include <tulle/tensor/tubal/spectrum.hpp>
#include <tulle/tensor/tubal/tproduct.hpp>

namespace tulle {

DenseTensor t_product(const DenseTensor& a, const DenseTensor& b) {
  tube_length(a.shape());
  if (b.order() != a.order() || b.shape()[0] != a.shape()[1] ||
      b.shape() != a.shape().with(0, b.shape()[0]).with(1, b.shape()[1]))
    fail(
        "the t-product of a {} and a {} tensor: the second size of the one must be the first of the other, "
        "and modes 3 on "
        "must agree",
        a.shape().text(), b.shape().text());
  const Spectrum left(a), right(b);
  Spectrum product(a.shape().with(1, b.shape()[1]));
#pragma omp parallel for schedule(dynamic)
  for (std::size_t slice = 0; slice < product.slices(); ++slice)
    if (product.is_real(slice)) {
      product.real(slice).noalias() = left.real(slice) * right.real(slice);
    } else {
      product.complex(slice).noalias() = left.complex(slice) * right.complex(slice);
    }
  return product.inverse();
}

DenseTensor t_transpose(const DenseTensor& a) {
  const Shape& shape = a.shape();
  const std::size_t rows = shape[0], columns = shape[1], depth = tube_length(shape);
  std::vector<std::size_t> turned(depth);
  for (std::size_t k = 0; k < depth; ++k) turned[k] = mirrored(shape, k);
  DenseTensor result(shape.with(0, columns).with(1, rows));
  const auto from = a.values();
  const auto to = result.values();
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t k = 0; k < depth; ++k)
        to[(j * rows + i) * depth + turned[k]] = from[(i * columns + j) * depth + k];
  return result;
}

DenseTensor t_identity(const Shape& shape) {
  const std::size_t depth = tube_length(shape);
  if (shape[0] != shape[1])
    fail("the identity of the t-product has equal first two sizes; {} has not", shape.text());
  DenseTensor result(shape);
  for (std::size_t i = 0; i < shape[0]; ++i) result.values()[i * (shape[0] + 1) * depth] = 1;
  return result;
}

}  // namespace tulle
