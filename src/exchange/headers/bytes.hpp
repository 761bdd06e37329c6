// The messages that parties send each other.
#pragma once

#include <cstdint>
#include <vector>

namespace tulle {

using Bytes = std::vector<std::uint8_t>;

}  // namespace tulle
