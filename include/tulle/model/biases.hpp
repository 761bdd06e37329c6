// The part of a prediction without interactions: a global level and one offset for each position of each
// mode.
#pragma once

#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/shape.hpp>

#include <span>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct Biases {
  double global = 0;
  std::vector<Vector> offsets;  // one per mode, or none at all

  bool empty() const { return global == 0 && offsets.empty(); }
  double at(std::span<const Index> cell) const {
    double sum = global;
    for (std::size_t mode = 0; mode < offsets.size(); ++mode) sum += offsets[mode][cell[mode]];
    return sum;
  }
};

// An Error unless there are no offsets, or one for every position of every mode.
void check_biases(const Biases& biases, const Shape& shape);

void add_biases(const Biases& biases, DenseTensor& tensor);

}  // namespace tulle

#pragma GCC visibility pop
