#include "key_agreement.hpp"

#include <tulle/base/error.hpp>

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>

#include <memory>

namespace tulle {
namespace {

template <auto Function>
struct FreeBy {
  template <class T>
  void operator()(T* object) const {
    Function(object);
  }
};
using Key = std::unique_ptr<EVP_PKEY, FreeBy<EVP_PKEY_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, FreeBy<EVP_PKEY_CTX_free>>;
using Kdf = std::unique_ptr<EVP_KDF, FreeBy<EVP_KDF_free>>;
using KdfContext = std::unique_ptr<EVP_KDF_CTX, FreeBy<EVP_KDF_CTX_free>>;

[[noreturn]] void fail_openssl(const char* what) {
  fail("{} of OpenSSL failed: sites cannot agree on keys; check the OpenSSL installation", what);
}

Key private_key(const Secret& secret) {
  Key key(EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nullptr, secret.bytes.data(), kKeyBytes));
  if (!key) fail_openssl("X25519");
  return key;
}

OSSL_PARAM octets(const char* name, std::span<const std::uint8_t> bytes) {
  return OSSL_PARAM_construct_octet_string(name, const_cast<std::uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

Secret random_secret(RandomBits& bits) {
  RandomBits::SharedKey words;
  static_assert(sizeof words == kKeyBytes);
  bits.fill(words);
  Secret secret;
  std::memcpy(secret.bytes.data(), words.data(), kKeyBytes);
  OPENSSL_cleanse(words.data(), sizeof words);
  return secret;
}

KeyPair::KeyPair(const Secret& secret) : secret_(secret) {
  std::size_t length = kKeyBytes;
  if (EVP_PKEY_get_raw_public_key(private_key(secret).get(), public_key_.data(), &length) != 1)
    fail_openssl("X25519");
}

Secret KeyPair::agree(const PublicKey& other, std::span<const std::uint8_t> context) const {
  auto known = points_.find(other);
  if (known == points_.end()) known = points_.emplace(other, shared_point(secret_, other)).first;
  return derive(known->second.bytes, kNoSalt, context);
}

namespace {

Secret shared_point_with(const Key& own, const PublicKey& other) {
  const Key peer(EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nullptr, other.data(), kKeyBytes));
  const KeyContext context(EVP_PKEY_CTX_new(own.get(), nullptr));
  if (!peer || !context || EVP_PKEY_derive_init(context.get()) != 1) fail_openssl("X25519");
  Secret point;
  std::size_t length = kKeyBytes;
  if (EVP_PKEY_derive_set_peer(context.get(), peer.get()) != 1 ||
      EVP_PKEY_derive(context.get(), point.bytes.data(), &length) != 1)  // it refuses a result of zeros
    fail("a public key of a site is not one of X25519; the sum is refused");
  return point;
}

}  // namespace

Secret shared_point(const Secret& secret, const PublicKey& other) {
  return shared_point_with(private_key(secret), other);
}

PublicKey image_of(const PublicKey& key) {
  static const Key kPower = private_key(Secret());  // zeros are 2^254 as a secret (RFC 7748, 5)
  return shared_point_with(kPower, key).bytes;
}

Secret derive(std::span<const std::uint8_t> key, std::span<const std::uint8_t> salt,
              std::span<const std::uint8_t> context) {
  const Kdf kdf(EVP_KDF_fetch(nullptr, "HKDF", nullptr));
  const KdfContext state(kdf ? EVP_KDF_CTX_new(kdf.get()) : nullptr);
  char digest[] = "SHA256";
  const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
                                   octets(OSSL_KDF_PARAM_KEY, key), octets(OSSL_KDF_PARAM_SALT, salt),
                                   octets(OSSL_KDF_PARAM_INFO, context), OSSL_PARAM_construct_end()};
  Secret derived;
  if (!state || EVP_KDF_derive(state.get(), derived.bytes.data(), kKeyBytes, parameters) != 1)
    fail_openssl("HKDF");
  return derived;
}

Secret sha256(std::span<const std::uint8_t> bytes) {
  Secret digest;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.bytes.data(), nullptr, EVP_sha256(), nullptr) != 1)
    fail_openssl("SHA-256");
  return digest;
}

}  // namespace tulle
