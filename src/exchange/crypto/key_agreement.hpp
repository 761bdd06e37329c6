// Two parties that know each other's public key have a secret in common: X25519 (RFC 7748), then HKDF with
// SHA-256 (RFC 5869).
#pragma once

#include "bytes.hpp"

#include <tulle/privacy/noise/random_bits.hpp>

#include <map>

namespace tulle {

Secret random_secret(RandomBits& bits);

class KeyPair {
 public:
  explicit KeyPair(const Secret& secret);

  const Secret& secret() const { return secret_; }
  const PublicKey& public_key() const { return public_key_; }

  // The same for both of two parties and a context; an Error where the other key is none (RFC 7748, 6.1: a
  // result of zeros).
  // What X25519 gives is kept: a session agrees with the same keys in every round. One thread at a time.
  Secret agree(const PublicKey& other, std::span<const std::uint8_t> context) const;

 private:
  Secret secret_;
  PublicKey public_key_;
  mutable std::map<PublicKey, Secret> points_;
};

// X25519 alone.
Secret shared_point(const Secret& secret, const PublicKey& other);
// 2^254 times the point of a key. Two keys have the same image exactly where they agree on the same with
// every secret: secrets are multiples of 8, so that is the case not only of equal bytes, but of all encodings
// of one point (the highest bit, numbers from 2^255 - 19 on) and of points that differ by one of small order.
// An Error for a point of small order, with which every secret gives 0.
PublicKey image_of(const PublicKey& key);

constexpr std::array<std::uint8_t, kKeyBytes> kNoSalt{};  // as RFC 5869, 2.2 has it
// 32 bytes by HKDF-SHA256.
Secret derive(std::span<const std::uint8_t> key, std::span<const std::uint8_t> salt,
              std::span<const std::uint8_t> context);
Secret sha256(std::span<const std::uint8_t> bytes);

}  // namespace tulle
