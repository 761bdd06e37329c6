#include <tulle/base/error.hpp>
#include <tulle/data/scaling.hpp>

#include <algorithm>

namespace tulle {
namespace {

template <class T>
MinMax range_of(std::span<const T> values) {
  if (values.empty()) fail("no values to take a range from; give at least one");
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {*low, *high};
}

}  // namespace

void MinMax::scale(std::span<double> values) const {
  for (double& value : values) value = scaled(value);
}

void MinMax::scale(std::span<float> values) const {
  for (float& value : values) value = static_cast<float>(scaled(value));
}

void MinMax::restore(std::span<double> values) const {
  for (double& value : values) value = restored(value);
}

MinMax min_max(std::span<const double> values) {
  return range_of(values);
}

MinMax min_max(std::span<const float> values) {
  return range_of(values);
}

}  // namespace tulle
