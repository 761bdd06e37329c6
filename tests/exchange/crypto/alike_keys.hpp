// Public keys of X25519 that stand for the same point, or for one of small order.
#pragma once

#include "crypto/bytes.hpp"
#include "exchange/crypto/hex.hpp"

#include <openssl/bn.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tulle {

// All that are refused by RFC 7748, 6.1: the points whose order divides 8, on the curve and on its twist,
// with numbers beyond 2^255 - 19, and each with the highest bit set, which does not count.
inline std::vector<PublicKey> keys_of_small_order() {
  std::vector<PublicKey> keys = {
      key_from_hex("0000000000000000000000000000000000000000000000000000000000000000"),
      key_from_hex("0100000000000000000000000000000000000000000000000000000000000000"),
      key_from_hex("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
      key_from_hex("5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
      key_from_hex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
      key_from_hex("edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"),
      key_from_hex("eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f")};
  for (std::size_t i = 0; i < 7; ++i) {
    keys.push_back(keys[i]);
    keys.back().back() |= 0x80;
  }
  return keys;
}

inline PublicKey with_highest_bit(PublicKey key) {
  key.back() |= 0x80;
  return key;
}

// The point (0, 0) has order 2, and the sum of it and of a point with x has 1 / x.
inline PublicKey plus_point_of_order_2(const PublicKey& key) {
  const auto free_number = [](BIGNUM* number) { BN_free(number); };
  const auto free_context = [](BN_CTX* context) { BN_CTX_free(context); };
  const std::unique_ptr<BN_CTX, decltype(free_context)> context(BN_CTX_new());
  const std::unique_ptr<BIGNUM, decltype(free_number)> x(
      BN_lebin2bn(key.data(), static_cast<int>(key.size()), nullptr)),
      prime(BN_new());
  BN_set_bit(prime.get(), 255);
  BN_sub_word(prime.get(), 19);
  BN_mod_inverse(x.get(), x.get(), prime.get(), context.get());
  PublicKey sum;
  BN_bn2lebinpad(x.get(), sum.data(), static_cast<int>(sum.size()));
  return sum;
}

// What a copier may announce in place of a key.
inline const std::vector<std::pair<std::string, std::function<PublicKey(const PublicKey&)>>>&
forms_of_a_key() {
  static const std::vector<std::pair<std::string, std::function<PublicKey(const PublicKey&)>>> forms = {
      {"as it is", [](const PublicKey& key) { return key; }},
      {"with the highest bit", with_highest_bit},
      {"plus a point of order 2", plus_point_of_order_2}};
  return forms;
}

}  // namespace tulle
