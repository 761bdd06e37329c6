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

}  // namespace tulle
