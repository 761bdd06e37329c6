// The largest epsilon that a budget may have.
#pragma once

namespace tulle {

// Beyond it the noise is finer than what doubles resolve beside the answers.
inline constexpr double kLargestEpsilon = 1e6;

}  // namespace tulle
