#include "exact_ratio.hpp"

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

// Differences and sums of n values in long double are wrong by at most (n + 4) 2^-63 of the result:
// subtracting that leaves at most the true length.
long double length(const AdditiveNoise& noise, const std::vector<double>& a, const std::vector<double>& b) {
  const Norm norm = noise.sensitivity().norm();
  long double sum = 0, largest = 0, changed = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const long double change = std::abs(static_cast<long double>(a[i]) - static_cast<long double>(b[i]));
    largest = std::max(largest, change);
    changed += change > 0 ? 1 : 0;
    // For one coordinate and L1, changes add up: a second coordinate that changes exceeds one_coordinate.
    sum += norm == Norm::one_coordinate || norm == Norm::l1 ? change : change * change;
  }
  if (norm == Norm::coordinates)  // the largest change, scaled up if too many change
    return largest * std::max(1.0L, changed / static_cast<long double>(noise.sensitivity().changing()));
  if (norm == Norm::l2 || norm == Norm::l21) sum = std::sqrt(sum);  // L2,1 is at least L2
  return sum * (1 - static_cast<long double>(a.size() + 4) * 0x1p-63L);
}

}  // namespace

double exact_ratio(const AdditiveNoise& noise, const std::vector<double>& a, const std::vector<double>& b,
                   double times) {
  return static_cast<double>(length(noise, a, b) /
                             (static_cast<long double>(times) * noise.sensitivity().value()));
}

}  // namespace tulle
