// A secret in shares: any `threshold` of them restore it, and fewer reveal nothing (Shamir 1979).
//
// Every byte of the secret is the constant term of a polynomial of degree threshold - 1 over GF(2^8), the
// field of AES; the other coefficients are random. The share of party i is its value at i + 1.
#pragma once

#include "bytes.hpp"

#include <tulle/privacy/noise/random_bits.hpp>

#include <vector>

namespace tulle {

constexpr int kMostShares = 255;  // points of the field other than 0

// In GF(2^8) modulo x^8 + x^4 + x^3 + x + 1; without tables, whose addresses would depend on secrets.
std::uint8_t field_product(std::uint8_t a, std::uint8_t b);
std::uint8_t field_inverse(std::uint8_t a);  // 0 for 0

std::vector<Secret> split_secret(const Secret& secret, int parties, int threshold, RandomBits& bits);

struct Share {
  int party = 0;  // from 0 on
  Secret value;
};
// Restores the secret from shares of different parties, at least `threshold` of them.
Secret joined(std::span<const Share> shares);

}  // namespace tulle
