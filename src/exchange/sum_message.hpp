// The head of every message of a secure sum, and parts that its steps share.
#pragma once

#include "secure_sum.hpp"
#include "wire.hpp"

namespace tulle {

// A message is refused unless it belongs to this session, round and step: an old one cannot be replayed.
void begin_message(WireWriter& writer, const SumRound& round, SumStep step);
std::span<const std::uint8_t> body_of(std::span<const std::uint8_t> message, const SumRound& round,
                                      SumStep step);

// The largest size, in bytes, of any message of a sum of `length` numbers.
std::size_t longest_message(const SumTerms& terms, std::size_t length);

void write_parties(WireWriter& writer, const std::set<int>& parties);
std::set<int> read_parties(WireReader& reader, int parties);  // ascending, each once

}  // namespace tulle
