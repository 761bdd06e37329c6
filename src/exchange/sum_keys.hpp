// Every key that a secure sum derives and every digest that its parties compare.
//
// Each is derived in a context that contains its purpose, the session (and so all identity keys and terms),
// the round, the number of values to add up, and the one or two sites that it belongs to. The context has a
// fixed length, so two contexts differ if any of these does.
#pragma once

#include "secure_sum.hpp"

namespace tulle {

constexpr std::size_t kSealedBytes = 2 * kKeyBytes + 16;  // two shares and a tag

// The mask of two clients, from the mask key of one and the public mask key of the other. The context
// contains both public keys, that of the lower rank first: a site that copies another one's key gets other
// masks.
Secret pair_seed(const SumRound& round, int own, const KeyPair& key, int other, const PublicKey& other_key);
// The two parts of that context.
Bytes pair_mask_context(const SumRound& round, int lower, const PublicKey& lower_key, int higher,
                        const PublicKey& higher_key);

// Derived from the seed of a client's self-mask.
Secret self_mask(const SumRound& round, int rank, const Secret& seed);
PublicKey commitment_to(const SumRound& round, int rank, const Secret& seed);

// Adds or subtracts the numbers that a mask generates.
void add_mask(const Secret& mask, bool adds, std::span<std::uint64_t> numbers);

// Digest of all that a client heard before this round, and of the list of keys as it came.
Secret digest_of_keys(const SumRound& round, const Secret& heard, std::span<const std::uint8_t> list);
// Digest of those, of who shared, and of whose numbers are in the sum.
Secret digest_of_view(const SumRound& round, const Secret& keys, const std::set<int>& sharing,
                      const std::set<int>& survivors);

// Between two sites, under a key that their identity keys agree on; `identity` belongs to one of them.
struct Way {
  int from, to;
};
Bytes seal_shares(const SumRound& round, const KeyPair& identity, Way way, const Secret& keys,
                  const SecretShares& shares);
SecretShares open_shares(const SumRound& round, const KeyPair& identity, Way way, const Secret& keys,
                         std::span<const std::uint8_t> sealed);
Secret confirmation(const SumRound& round, const KeyPair& identity, Way way, const Secret& view);

}  // namespace tulle
