// What tests of curators share: data, queries, a seeded curator.
#pragma once

#include <tulle/base/error.hpp>
#include <tulle/privacy/curator.hpp>

#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace tulle::testing {

using Data = Protected<std::vector<double>>;

inline constexpr Unit kUnit = Unit::entry;
inline constexpr Relation kRelation = Relation::replace;

inline Sensitivity range(double value) {
  return Sensitivity::one_coordinate(value, kUnit, kRelation);
}

inline double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

inline std::vector<double> identity(const std::vector<double>& values) {
  return values;
}

inline std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

inline Curator seeded(double epsilon, double delta = 0, std::uint64_t seed = 1) {
  return Curator::with_budget({epsilon, delta}, kUnit, kRelation, RandomBits::seeded(seed));
}

}  // namespace tulle::testing
