#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>

#include <bit>
#include <cmath>

namespace tulle {
namespace {

// SplitMix64 (Steele, Lea, Flood 2014): spreads a seed over the state.
std::uint64_t split_mix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed, std::uint64_t stream) {
  // The stream is mixed before it is combined with the seed, so that pairs with equal sums do not collide.
  std::uint64_t state = seed;
  if (stream != 0) state ^= split_mix(stream);
  for (auto& word : state_) word = split_mix(state);
}

// xoshiro256++ (Blackman and Vigna 2019).
std::uint64_t Random::bits() {
  auto& s = state_;
  const std::uint64_t result = std::rotl(s[0] + s[3], 23) + s[0];
  const std::uint64_t shifted = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = std::rotl(s[3], 45);
  return result;
}

double Random::uniform() {
  return static_cast<double>(bits() >> 11) * 0x1p-53;
}

// Marsaglia's polar method; the second value of a pair is kept for the next call.
double Random::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_normal_;
  }
  double u, v, square;
  do {
    u = 2 * uniform() - 1;
    v = 2 * uniform() - 1;
    square = u * u + v * v;
  } while (square >= 1 || square == 0);
  const double scale = std::sqrt(-2 * std::log(square) / square);
  spare_normal_ = v * scale;
  has_spare_ = true;
  return u * scale;
}

// Rejects the few values that would favour small results.
std::uint64_t Random::below(std::uint64_t bound) {
  if (bound == 0) fail("there is no number below 0 to draw");
  const std::uint64_t reject_below = (0 - bound) % bound;
  std::uint64_t value;
  do {
    value = bits();
  } while (value < reject_below);
  return value % bound;
}

}  // namespace tulle
