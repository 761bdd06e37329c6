// The values of a huge table that reach a threshold once every cell has noise, drawn in time that grows with
// the cells that are not 0 and with the result, not with the table.
#pragma once

#include <tulle/privacy/noise/discrete.hpp>

#include <cstdint>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// Values of a table by place, in ascending order; all others are 0, or below a threshold.
struct ListedValues {
  std::vector<std::uint64_t> places;
  std::vector<double> values;

  bool operator==(const ListedValues&) const = default;
};

// What release() would make of the table of all cells, without the values below the threshold: the same
// distribution, exactly in the sense of discrete.hpp. `exact` holds whole numbers, at places below `cells`.
// An Error for a threshold below 1.
ListedValues release_above(const ListedValues& exact, std::uint64_t cells, const DiscreteLaplace& noise,
                           std::int64_t threshold, RandomBits& bits);

}  // namespace tulle

#pragma GCC visibility pop
