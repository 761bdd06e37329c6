// Authenticated encryption: AES-256 in Galois/counter mode.
#pragma once

#include "bytes.hpp"

namespace tulle {

// The key must seal one message only: the nonce is fixed. `context` is not sent, and opening needs the same.
Bytes seal(const Secret& key, std::span<const std::uint8_t> context, std::span<const std::uint8_t> plain);
// An Error where key, context or bytes are not those that it was sealed with. `from` names the sender there.
Bytes unseal(const Secret& key, std::span<const std::uint8_t> context, std::span<const std::uint8_t> sealed,
             int from);

}  // namespace tulle
