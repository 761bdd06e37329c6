// Small networks and examples for tests.
#pragma once

#include <tulle/base/random.hpp>
#include <tulle/solve/network/network_layout.hpp>

namespace tulle::testing {

struct SomeExamples {
  FloatMatrix values;
  std::vector<int> labels;
};

inline SomeExamples some_examples(Eigen::Index count, Eigen::Index inputs, int classes,
                                  std::uint64_t seed = 1) {
  Random random(seed);
  SomeExamples some{FloatMatrix(count, inputs), {}};
  for (float& value : some.values.reshaped<Eigen::RowMajor>()) value = static_cast<float>(random.normal());
  for (Eigen::Index row = 0; row < count; ++row)
    some.labels.push_back(static_cast<int>(random.below(static_cast<std::uint64_t>(classes))));
  return some;
}

// Of all layers, so that none is at the kink or the centre of its activation.
inline std::vector<double> some_parameters(const NetworkLayout& layout, std::uint64_t seed = 2) {
  Random random(seed);
  std::vector<double> parameters(layout.size());
  for (double& parameter : parameters) parameter = 0.5 * random.normal();
  return parameters;
}

}  // namespace tulle::testing
