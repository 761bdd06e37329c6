#include "shamir.hpp"

#include "key_agreement.hpp"

#include <tulle/base/error.hpp>

namespace tulle {

std::uint8_t field_product(std::uint8_t a, std::uint8_t b) {
  unsigned product = 0, shifted = a;
  for (int bit = 0; bit < 8; ++bit) {
    product ^= shifted & (0u - ((b >> bit) & 1u));
    shifted = (shifted << 1) ^ (0x11bu & (0u - ((shifted >> 7) & 1u)));
  }
  return static_cast<std::uint8_t>(product);
}

// a^254, since a^255 = 1: 254 = 2 + 4 + .. + 128.
std::uint8_t field_inverse(std::uint8_t a) {
  std::uint8_t power = a, inverse = 1;
  for (int bit = 1; bit < 8; ++bit) {
    power = field_product(power, power);
    inverse = field_product(inverse, power);
  }
  return inverse;
}

std::vector<Secret> split_secret(const Secret& secret, int parties, int threshold, RandomBits& bits) {
  if (parties < 1 || parties > kMostShares || threshold < 1 || threshold > parties)
    fail_usage("a secret in {} shares, of which {} give it back: there may be up to {} shares", parties,
               threshold, kMostShares);
  std::vector<Secret> coefficients = {secret};
  for (int degree = 1; degree < threshold; ++degree) coefficients.push_back(random_secret(bits));
  std::vector<Secret> shares(static_cast<std::size_t>(parties));
  for (int party = 0; party < parties; ++party) {
    const auto at = static_cast<std::uint8_t>(party + 1);
    for (std::size_t i = 0; i < kKeyBytes; ++i) {
      std::uint8_t value = 0;  // by Horner's rule
      for (std::size_t degree = coefficients.size(); degree-- > 0;)
        value = static_cast<std::uint8_t>(field_product(value, at) ^ coefficients[degree].bytes[i]);
      shares[static_cast<std::size_t>(party)].bytes[i] = value;
    }
  }
  return shares;
}

// The value at 0 of the interpolating polynomial: the sum of each share times the product of x / (x - own x).
Secret joined(std::span<const Share> shares) {
  Secret secret;
  for (const Share& share : shares) {
    const auto own = static_cast<std::uint8_t>(share.party + 1);
    std::uint8_t weight = 1;
    for (const Share& other : shares) {
      if (other.party == share.party) continue;
      const auto x = static_cast<std::uint8_t>(other.party + 1);
      weight = field_product(weight, field_product(x, field_inverse(static_cast<std::uint8_t>(x ^ own))));
    }
    for (std::size_t i = 0; i < kKeyBytes; ++i)
      secret.bytes[i] =
          static_cast<std::uint8_t>(secret.bytes[i] ^ field_product(weight, share.value.bytes[i]));
  }
  return secret;
}

}  // namespace tulle
