// A score in text: "-" if it is no finite number.
#pragma once

#include <tulle/base/error.hpp>

#include <cmath>
#include <string>

namespace tulle {

inline std::string shown(double score, int digits) {
  return std::isfinite(score) ? fmt::format("{:.{}g}", score, digits) : "-";
}

}  // namespace tulle
