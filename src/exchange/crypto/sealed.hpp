// Authenticated encryption: AES-256 in Galois/counter mode.
#pragma once

#include "bytes.hpp"

namespace tulle {

// A key must seal only one message, since the nonce is fixed. Opening requires the same `context`, which is
// not sent.
Bytes seal(const Secret& key, std::span<const std::uint8_t> context, std::span<const std::uint8_t> plain);
// An Error if key, context or bytes differ from those that were sealed; it names the sender `from`.
Bytes unseal(const Secret& key, std::span<const std::uint8_t> context, std::span<const std::uint8_t> sealed,
             int from);

}  // namespace tulle
