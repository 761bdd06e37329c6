// A delta of 1/n allows a mechanism that publishes the whole of one unit in n. This check is for a public n:
// a refusal would reveal a private one.
#pragma once

#include <tulle/base/error.hpp>

#include <cstdint>
#include <string_view>

namespace tulle {

// A UsageError unless delta is below one over the number of `units`, such as documents.
inline void check_delta_below_one_of(double delta, std::uint64_t count, std::string_view units) {
  if (delta > 0 && delta * static_cast<double>(count) >= 1)
    fail_usage(
        "delta {:g} is not below 1/n for the n {}: it would allow publishing one of them whole; give a "
        "smaller delta",
        delta, units);
}

}  // namespace tulle
