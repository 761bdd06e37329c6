// Topics to recover, and a start that is near to them.
#pragma once

#include <tulle/base/random.hpp>
#include <tulle/model/topics.hpp>

#include <cmath>
#include <cstdint>

namespace tulle::samples {

inline Topics some_topics(Eigen::Index words, Eigen::Index count, std::uint64_t seed) {
  Random random(seed);
  Topics model{Matrix(words, count), Vector::LinSpaced(count, 1, 2), 0};
  for (double& value : model.topics.reshaped()) value = std::pow(random.uniform(), 3);
  model.topics *= Vector(model.topics.colwise().sum()).cwiseInverse().asDiagonal();
  model.weights /= model.weights.sum();
  return model;
}

inline Topics shaken(Topics model, std::uint64_t seed) {
  Random random(seed);
  for (double& value : model.topics.reshaped()) value *= 0.7 + 0.6 * random.uniform();
  model.topics *= Vector(model.topics.colwise().sum()).cwiseInverse().asDiagonal();
  return model;
}

}  // namespace tulle::samples
