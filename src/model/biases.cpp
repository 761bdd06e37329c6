#include <tulle/base/error.hpp>
#include <tulle/model/biases.hpp>

namespace tulle {

void check_biases(const Biases& biases, const Shape& shape) {
  if (biases.offsets.empty()) return;
  if (static_cast<int>(biases.offsets.size()) != shape.order())
    fail("biases: {} modes for a {} tensor", biases.offsets.size(), shape.text());
  for (int mode = 0; mode < shape.order(); ++mode)
    if (biases.offsets[mode].size() != static_cast<Eigen::Index>(shape[mode]))
      fail("biases: {} offsets for mode {} of a {} tensor", biases.offsets[mode].size(), mode + 1,
           shape.text());
}

void add_biases(const Biases& biases, DenseTensor& tensor) {
  const Shape& shape = tensor.shape();
  for (double& value : tensor.values()) value += biases.global;
  for (std::size_t mode = 0; mode < biases.offsets.size(); ++mode) {
    const std::size_t stride = shape.stride(static_cast<int>(mode));
    const std::size_t size = shape[static_cast<int>(mode)];
    const auto values = tensor.values();
    for (std::size_t start = 0; start < values.size(); start += stride) {
      const double offset = biases.offsets[mode][static_cast<Eigen::Index>(start / stride % size)];
      for (double& value : values.subspan(start, stride)) value += offset;
    }
  }
}

}  // namespace tulle
