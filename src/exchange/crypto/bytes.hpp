// Bytes that are sent or hashed, and 32 secret bytes.
#pragma once

#include <tulle/exchange/bytes.hpp>

#include <openssl/crypto.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <span>

namespace tulle {

constexpr std::size_t kKeyBytes = 32;
using PublicKey = std::array<std::uint8_t, kKeyBytes>;

// A key, or a share of one; wiped when it goes out of scope.
struct Secret {
  std::array<std::uint8_t, kKeyBytes> bytes{};

  Secret() = default;
  Secret(const Secret&) = default;
  Secret& operator=(const Secret&) = default;
  ~Secret() { OPENSSL_cleanse(bytes.data(), bytes.size()); }

  bool operator==(const Secret& other) const {
    return CRYPTO_memcmp(bytes.data(), other.bytes.data(), bytes.size()) == 0;
  }
};

}  // namespace tulle
