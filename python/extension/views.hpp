// Parameters of models as NumPy arrays: read-only views of the model's own memory, which they keep alive.
#pragma once

#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/float_matrix.hpp>
#include <tulle/tensor/matrix.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <vector>

namespace tulle::python {

template <class Number>
using View = nanobind::ndarray<nanobind::numpy, const Number>;

inline View<double> view(const Matrix& matrix, nanobind::handle owner) {
  return {matrix.data(),
          {static_cast<std::size_t>(matrix.rows()), static_cast<std::size_t>(matrix.cols())},
          owner};
}

inline View<double> view(const Vector& vector, nanobind::handle owner) {
  return {vector.data(), {static_cast<std::size_t>(vector.size())}, owner};
}

inline View<double> view(const DenseTensor& tensor, nanobind::handle owner) {
  const auto sizes = tensor.shape().dimensions();
  const std::vector<std::size_t> shape(sizes.begin(), sizes.end());
  return {tensor.values().data(), shape.size(), shape.data(), owner};
}

// An array that owns its numbers.
template <class Numbers>
auto owned(Numbers numbers, const std::vector<std::size_t>& shape) {
  using Number = typename Numbers::value_type;
  auto* kept = new Numbers(std::move(numbers));
  const nanobind::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<Numbers*>(pointer); });
  return nanobind::ndarray<nanobind::numpy, Number>(kept->data(), shape.size(), shape.data(), owner);
}

}  // namespace tulle::python
