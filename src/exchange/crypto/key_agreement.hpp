// Two parties that know each other's public key share a secret: X25519 (RFC 7748), then HKDF with SHA-256
// (RFC 5869).
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

  // The same secret for both parties, given a context; an Error if the other key is invalid (RFC 7748, 6.1: a
  // result of zeros). The X25519 result is cached: a session uses the same keys in every round. One thread at
  // a time.
  Secret agree(const PublicKey& other, std::span<const std::uint8_t> context) const;

 private:
  Secret secret_;
  PublicKey public_key_;
  mutable std::map<PublicKey, Secret> points_;
};

// X25519 alone.
Secret shared_point(const Secret& secret, const PublicKey& other);
// 2^254 times the point of a key. Two keys have the same image exactly if they agree on the same with every
// secret: secrets are multiples of 8, so that holds not only for equal bytes, but for all encodings of one
// point (the highest bit, numbers from 2^255 - 19 on) and for points that differ by one of small order. An
// Error for a point of small order, with which every secret gives 0.
PublicKey image_of(const PublicKey& key);

constexpr std::array<std::uint8_t, kKeyBytes> kNoSalt{};  // as in RFC 5869, 2.2
// 32 bytes by HKDF-SHA256.
Secret derive(std::span<const std::uint8_t> key, std::span<const std::uint8_t> salt,
              std::span<const std::uint8_t> context);
Secret sha256(std::span<const std::uint8_t> bytes);

}  // namespace tulle
