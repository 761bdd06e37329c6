// Parts of a run's data that public lists and ranges take.
#pragma once

#include <string>

#pragma GCC visibility push(default)

namespace tulle {

// Values that were dropped or moved to a bound. Private, like all notes for the owner.
struct LostData {
  std::string what;  // a sentence
  double share = 0;  // share of the values, entries, labels or words concerned
};

}  // namespace tulle

#pragma GCC visibility pop
