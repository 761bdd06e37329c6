#pragma once

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;  // OpenSSL's EVP_MD_CTX

namespace tulle {

// SHA-256 of bytes that arrive in pieces, as hexadecimal text.
class Sha256 {
 public:
  Sha256();
  void add(std::string_view bytes);
  std::string hex();  // ends the hash

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

}  // namespace tulle
