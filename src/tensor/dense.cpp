#include <tulle/base/error.hpp>
#include <tulle/base/large_pages.hpp>
#include <tulle/tensor/dense.hpp>

namespace tulle {

// Large pages are requested before the first use of the memory, which decides the kind of its pages.
DenseTensor::DenseTensor(Shape shape) : shape_(shape) {
  values_.reserve(shape.cells());
  ask_for_large_pages(values_.data(), shape.cells() * sizeof(double));
  values_.resize(shape.cells());
}

DenseTensor::DenseTensor(Shape shape, std::vector<double> values)
    : shape_(shape), values_(std::move(values)) {
  if (values_.size() != shape_.cells())
    fail("a {} tensor has {} cells, but {} values were given", shape_.text(), shape_.cells(), values_.size());
}

}  // namespace tulle
