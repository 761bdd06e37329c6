#include "sealed.hpp"

#include <tulle/base/error.hpp>

#include <openssl/evp.h>

#include <memory>

namespace tulle {
namespace {

constexpr std::size_t kTagBytes = 16;
constexpr std::array<std::uint8_t, 12> kNonce{};

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};

class Gcm {
 public:
  Gcm(const Secret& key, bool encrypts) : context_(EVP_CIPHER_CTX_new()) {
    if (!context_ || EVP_CipherInit_ex(context_.get(), EVP_aes_256_gcm(), nullptr, key.bytes.data(),
                                       kNonce.data(), encrypts) != 1)
      fail_gcm();
  }

  void authenticate(std::span<const std::uint8_t> context) {
    int length = 0;
    if (EVP_CipherUpdate(context_.get(), nullptr, &length, context.data(),
                         static_cast<int>(context.size())) != 1)
      fail_gcm();
  }
  void process(std::span<const std::uint8_t> from, std::uint8_t* to) {
    int length = 0;
    if (EVP_CipherUpdate(context_.get(), to, &length, from.data(), static_cast<int>(from.size())) != 1)
      fail_gcm();
  }
  void read_tag(std::uint8_t* tag) {
    if (!finish() || EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_GCM_GET_TAG, kTagBytes, tag) != 1)
      fail_gcm();
  }
  bool has_tag(std::span<const std::uint8_t> tag) {
    return EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_GCM_SET_TAG, kTagBytes,
                               const_cast<std::uint8_t*>(tag.data())) == 1 &&
           finish();
  }

 private:
  [[noreturn]] static void fail_gcm() {
    fail("AES-256-GCM of OpenSSL failed: shares cannot be sent; check the OpenSSL installation");
  }
  bool finish() {
    int length = 0;
    std::uint8_t none = 0;
    return EVP_CipherFinal_ex(context_.get(), &none, &length) == 1;
  }

  std::unique_ptr<EVP_CIPHER_CTX, FreeContext> context_;
};

}  // namespace

Bytes seal(const Secret& key, std::span<const std::uint8_t> context, std::span<const std::uint8_t> plain) {
  Gcm gcm(key, true);
  gcm.authenticate(context);
  Bytes sealed(plain.size() + kTagBytes);
  gcm.process(plain, sealed.data());
  gcm.read_tag(sealed.data() + plain.size());
  return sealed;
}

Bytes unseal(const Secret& key, std::span<const std::uint8_t> context, std::span<const std::uint8_t> sealed,
             int from) {
  const auto refuse = [&] {
    fail("shares of site {} were altered, or are of another round; the sum is refused", from + 1);
  };
  if (sealed.size() < kTagBytes) refuse();
  const std::size_t length = sealed.size() - kTagBytes;
  Gcm gcm(key, false);
  gcm.authenticate(context);
  Bytes plain(length);
  gcm.process(sealed.first(length), plain.data());
  if (!gcm.has_tag(sealed.subspan(length))) refuse();
  return plain;
}

}  // namespace tulle
