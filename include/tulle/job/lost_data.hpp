// What public lists and ranges take from the data of a run.
#pragma once

#include <string>

#pragma GCC visibility push(default)

namespace tulle {

// Dropped, or moved to a bound. Private, as all notes for the owner are.
struct LostData {
  std::string what;  // a sentence
  double share = 0;  // of the values, entries, labels or words that it counts
};

}  // namespace tulle

#pragma GCC visibility pop
