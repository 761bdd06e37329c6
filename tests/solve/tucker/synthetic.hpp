// The simulation of wei2022, section 5.1, for Tucker: orthonormal factors, a normal core, values scaled to
// [0, 1], then noise as strong as the signal varies.
#pragma once

#include "tensor/samples.hpp"

#include <tulle/model/tucker.hpp>
#include <tulle/tensor/decompositions.hpp>

#include <cmath>
#include <vector>

namespace tulle::samples {

struct Simulation {
  SparseTensor train{Shape{1, 1}, Unlisted::missing};
  SparseTensor test{Shape{1, 1}, Unlisted::missing};
  std::vector<double> truth;  // of the test cells, without noise
};

inline DenseTensor scaled_low_rank(const Shape& shape, int rank, Random& random) {
  const auto r = static_cast<std::uint64_t>(rank);
  Tucker model{DenseTensor(Shape(std::vector<std::uint64_t>(shape.order(), r))), {}, {}};
  for (double& value : model.core.values()) value = random.normal();
  for (Index size : shape.dimensions())
    model.factors.push_back(orthonormal(samples::matrix(size, r, random.bits())));
  DenseTensor tensor = model.reconstruct();
  const auto [least, largest] = std::ranges::minmax(tensor.values());
  for (double& value : tensor.values()) value = (value - least) / (largest - least);
  return tensor;
}

// A share of the cells is missing; of the others, 80 % train and 20 % test.
inline Simulation simulate(std::uint64_t seed, const Shape& shape = Shape{20, 20, 20}, int rank = 3,
                           double noise_to_signal = 1, double missing = 0.5) {
  Random random(seed);
  const DenseTensor tensor = scaled_low_rank(shape, rank, random);
  const auto values = tensor.values();
  const double count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double square = 0;
  for (double value : values) square += (value - mean) * (value - mean);
  const double noise = noise_to_signal * std::sqrt(square / count);

  Simulation result{SparseTensor(shape, Unlisted::missing), SparseTensor(shape, Unlisted::missing), {}};
  for (std::size_t offset = 0; offset < values.size(); ++offset) {
    if (random.chance(missing)) continue;
    const auto cell = cell_at(shape, offset);
    const bool train = random.chance(0.8);
    const auto value = static_cast<float>(values[offset] + noise * random.normal());
    (train ? result.train : result.test).append(std::span(cell.data(), shape.order()), value);
    if (!train) result.truth.push_back(values[offset]);
  }
  return result;
}

inline double test_rmse(const Tucker& model, const Simulation& data) {
  const auto predicted = model.predict(data.test.cells());
  double square = 0;
  for (std::size_t entry = 0; entry < predicted.size(); ++entry)
    square += (predicted[entry] - data.truth[entry]) * (predicted[entry] - data.truth[entry]);
  return std::sqrt(square / static_cast<double>(predicted.size()));
}

}  // namespace tulle::samples
