// Parts of a run's data that public lists and ranges take.
#pragma once

#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// Values that were dropped or moved to a bound. Private, like all notes for the owner.
struct LostData {
  std::string what;                        // a sentence
  double share = 0;                        // share of the values, entries, labels or words concerned
  std::vector<std::string> examples = {};  // two of them, with where they are
};

// From this share on, the owner is told of a loss before a run is charged, and the run stops unless losses
// are accepted.
inline constexpr double kLossToTell = 0.01;

// The sentence, with its examples.
std::string told(const LostData& loss);

}  // namespace tulle

#pragma GCC visibility pop
