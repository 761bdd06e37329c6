#include <tulle/base/error.hpp>
#include <tulle/tensor/dense.hpp>

namespace tulle {

DenseTensor::DenseTensor(Shape shape) : shape_(shape), values_(shape.cells()) {}

DenseTensor::DenseTensor(Shape shape, std::vector<double> values)
    : shape_(shape), values_(std::move(values)) {
  if (values_.size() != shape_.cells())
    fail("a {} tensor has {} cells, but {} values were given", shape_.text(), shape_.cells(), values_.size());
}

}  // namespace tulle
