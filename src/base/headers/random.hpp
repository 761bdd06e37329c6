// Seeded pseudo-random numbers for starting points, splits and synthetic data. All but normal(), which takes
// a logarithm, are the same on every machine. Never for privacy noise: that comes from the curator.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace tulle {

class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0);

  std::uint64_t bits();                      // 64 uniform bits
  double uniform();                          // [0, 1), 53 bits
  double normal();                           // mean 0, variance 1
  std::uint64_t below(std::uint64_t bound);  // uniform on 0 .. bound-1, without bias
  bool chance(double probability) { return uniform() < probability; }

  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t last = items.size(); last > 1; --last) std::swap(items[last - 1], items[below(last)]);
  }

 private:
  std::array<std::uint64_t, 4> state_;
  double spare_normal_ = 0;
  bool has_spare_ = false;
};

}  // namespace tulle
