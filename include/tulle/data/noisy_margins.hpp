// Margins of a tensor of counts with noise, as one program hands them to another.
#pragma once

#include <tulle/tensor/dataset.hpp>

#include <cstdint>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// The sums over all modes but some, with noise.
struct NoisyMargin {
  std::vector<int> modes;      // in ascending order; none: the number of events
  std::vector<double> values;  // of all combinations of their positions, in C order, or of those at `places`
  double stddev = 0;           // of the noise of each value
  std::string noise;
  std::vector<std::uint64_t> places = {};  // of a huge table, of which single cells were released
};

struct NoisyMargins {
  std::vector<Mode> modes;
  Shape shape;
  std::vector<NoisyMargin> margins;
};

}  // namespace tulle

#pragma GCC visibility pop
