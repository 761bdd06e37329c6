#include <tulle/base/gamma.hpp>
#include <tulle/base/multinomial.hpp>

#include <algorithm>

namespace tulle {
namespace {

constexpr std::uint64_t kFewTrials = 16;

}  // namespace

// The k-th smallest of n uniform numbers is Beta(k, n + 1 - k) distributed. If it is below the probability,
// so are k of them, and n - k are uniform above it; otherwise k - 1 are uniform below it.
std::uint64_t draw_binomial(Random& random, std::uint64_t count, double probability) {
  if (!(probability > 0)) return 0;
  std::uint64_t successes = 0;
  while (count > kFewTrials && probability < 1) {
    const std::uint64_t k = (count + 1) / 2;
    const double below = draw_gamma(random, static_cast<double>(k));
    const double above = draw_gamma(random, static_cast<double>(count + 1 - k));
    const double middle = below / (below + above);
    if (middle <= probability) {
      successes += k;
      count -= k;
      probability = (probability - middle) / (1 - middle);
    } else {
      count = k - 1;
      probability /= middle;
    }
  }
  if (probability >= 1) return successes + count;
  for (std::uint64_t trial = 0; trial < count; ++trial) successes += random.chance(probability) ? 1 : 0;
  return successes;
}

void draw_multinomial(Random& random, std::uint64_t count, std::span<const double> weights,
                      std::span<double> sums) {
  double left = 0;
  for (double weight : weights) left += weight;
  if (count == 1) {
    double at = random.uniform() * left;
    std::size_t place = 0;
    while (place + 1 < weights.size() && at >= weights[place]) at -= weights[place++];
    sums[place] += 1;
    return;
  }
  for (std::size_t place = 0; place < weights.size() && count > 0; ++place) {
    const bool last = place + 1 == weights.size();
    const std::uint64_t share =
        last ? count : draw_binomial(random, count, std::min(1.0, weights[place] / left));
    sums[place] += static_cast<double>(share);
    count -= share;
    left -= weights[place];
  }
}

}  // namespace tulle
