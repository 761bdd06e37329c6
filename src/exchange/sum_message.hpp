// The head of every message of a secure sum, and what its steps have in common.
#pragma once

#include "secure_sum.hpp"
#include "wire.hpp"

namespace tulle {

constexpr std::size_t kSealedBytes = 2 * kKeyBytes + 16;  // two shares and a tag

// A message is refused unless it is of this session, round and step: an old one cannot be sent again.
void begin_message(WireWriter& writer, const SumSession& session, std::uint64_t round, SumStep step);
std::span<const std::uint8_t> body_of(std::span<const std::uint8_t> message, const SumSession& session,
                                      std::uint64_t round, SumStep step);

void write_parties(WireWriter& writer, const std::set<int>& parties);
std::set<int> read_parties(WireReader& reader, int parties);  // ascending, each once

// The mask of two clients, from the mask key of one and the public one of the other.
Secret pair_seed(const SumSession& session, std::uint64_t round, const KeyPair& own, const PublicKey& other);
// Adds, or subtracts, the numbers that a seed gives.
void add_mask(const Secret& seed, bool adds, std::span<std::uint64_t> numbers);
PublicKey commitment_to(const Secret& seed);

}  // namespace tulle
