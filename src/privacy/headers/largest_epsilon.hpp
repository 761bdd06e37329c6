// The largest epsilon that a budget may have.
#pragma once

namespace tulle {

// Above it, doubles cannot resolve the noise beside the answers.
inline constexpr double kLargestEpsilon = 1e6;

}  // namespace tulle
