// Values that count events.
#pragma once

#include <cmath>

namespace tulle {

inline bool is_number_of_events(double value) {
  return value >= 0 && std::floor(value) == value;
}

}  // namespace tulle
