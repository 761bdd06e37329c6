#include "crypto/key_agreement.hpp"

#include "exchange/crypto/alike_keys.hpp"
#include "exchange/crypto/hex.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

Secret secret_from_hex(std::string_view text) {
  Secret secret;
  secret.bytes = key_from_hex(text);
  return secret;
}

// RFC 7748, 5.2 and 6.1.
TEST(KeyAgreement, HasTheTestVectorsOfX25519) {
  EXPECT_EQ(shared_point(secret_from_hex("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4"),
                         key_from_hex("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"))
                .bytes,
            key_from_hex("c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"));
  const KeyPair bob(secret_from_hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"));
  EXPECT_EQ(bob.public_key(),
            key_from_hex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"));
  EXPECT_EQ(shared_point(bob.secret(),
                         key_from_hex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"))
                .bytes,
            key_from_hex("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"));
}

// RFC 5869, A.1: its 42 bytes begin with the 32 that are asked for here.
TEST(KeyAgreement, HasTheTestVectorOfHkdf) {
  const Bytes key(22, 0x0b), salt = from_hex("000102030405060708090a0b0c"),
                             context = from_hex("f0f1f2f3f4f5f6f7f8f9");
  EXPECT_EQ(derive(key, salt, context).bytes,
            key_from_hex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"));
}

TEST(KeyAgreement, TwoPartiesAgreeAndAThirdDoesNot) {
  RandomBits bits = RandomBits::seeded(1);
  const KeyPair one(random_secret(bits)), other(random_secret(bits)), third(random_secret(bits));
  const Bytes context = {1, 2, 3}, another = {1, 2, 4};
  const Secret common = one.agree(other.public_key(), context);
  EXPECT_EQ(common, other.agree(one.public_key(), context));
  EXPECT_FALSE(common == third.agree(one.public_key(), context));
  EXPECT_FALSE(common == other.agree(one.public_key(), another));
}

TEST(KeyAgreement, RefusesKeysOfSmallOrder) {
  RandomBits bits = RandomBits::seeded(1);
  const KeyPair one(random_secret(bits));
  for (const PublicKey& key : keys_of_small_order()) {
    EXPECT_THROW(one.agree(key, {}), Error);
    EXPECT_THROW(image_of(key), Error);
  }
}

// Keys with one image, which are not the same bytes, agree on the same; others have other images.
TEST(KeyAgreement, KeysThatAgreeOnTheSameHaveOneImage) {
  RandomBits bits = RandomBits::seeded(1);
  const KeyPair one(random_secret(bits)), other(random_secret(bits));
  const PublicKey& key = other.public_key();
  EXPECT_NE(image_of(key), image_of(one.public_key()));
  EXPECT_NE(image_of(key), key);
  for (const PublicKey& alike : {with_highest_bit(key), plus_point_of_order_2(key)}) {
    EXPECT_NE(alike, key);
    EXPECT_EQ(one.agree(alike, {}), one.agree(key, {}));
    EXPECT_EQ(image_of(alike), image_of(key));
  }
  PublicKey two{2}, two_and_prime;  // 2^255 - 19 + 2
  two_and_prime.fill(0xff);
  two_and_prime.front() = 0xef;
  two_and_prime.back() = 0x7f;
  EXPECT_EQ(image_of(two), image_of(two_and_prime));
}

// FIPS 180-4, example of SHA-256.
TEST(KeyAgreement, HasTheTestVectorOfSha256) {
  const Bytes abc = {'a', 'b', 'c'};
  EXPECT_EQ(sha256(abc).bytes,
            key_from_hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
}

}  // namespace
}  // namespace tulle
