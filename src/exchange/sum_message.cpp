#include "sum_message.hpp"

#include "sum_keys.hpp"

#include <algorithm>

namespace tulle {
namespace {

constexpr std::uint8_t kFormat = 2;

}  // namespace

// Compares images instead of keys: two keys with one image agree on the same secrets with others.
SumSession::SumSession(const SumTerms& sum_terms, std::vector<PublicKey> public_keys)
    : terms(sum_terms), identities(std::move(public_keys)) {
  check_sum_terms(terms);
  if (identities.size() != static_cast<std::size_t>(terms.parties))
    fail("{} keys of {} sites", identities.size(), terms.parties);
  for (int party = 0; party < terms.parties; ++party)
    add_image(images, identities[static_cast<std::size_t>(party)], party);
  WireWriter all;
  all.number(static_cast<std::uint8_t>(terms.parties));
  all.number(static_cast<std::uint8_t>(terms.threshold));
  all.number(static_cast<std::uint8_t>(terms.colluding));
  all.number(static_cast<std::uint8_t>(terms.server));
  for (const PublicKey& key : identities) all.bytes(key);
  for (const std::string& line : terms.agreed)
    all.number(static_cast<std::uint32_t>(line.size())).bytes(Bytes(line.begin(), line.end()));
  id = sha256(all.written()).bytes;
}

void begin_message(WireWriter& writer, const SumRound& round, SumStep step) {
  writer.number(kFormat).bytes(round.session.id).number(round.number).number(static_cast<std::uint8_t>(step));
}

std::span<const std::uint8_t> body_of(std::span<const std::uint8_t> message, const SumRound& round,
                                      SumStep step) {
  WireReader reader(message);
  if (reader.number<std::uint8_t>() != kFormat)
    fail("a message between sites has a format that is not known; run the same version at all sites");
  if (reader.array<SessionId>() != round.session.id)
    fail("a message between sites is of another session; the sum is refused");
  if (const auto sent = reader.number<std::uint64_t>(); sent != round.number)
    fail("a message between sites is of round {}, and this is round {}; the sum is refused", sent,
         round.number);
  if (reader.number<std::uint8_t>() != static_cast<std::uint8_t>(step))
    fail("a message between sites came twice or too early; the sum is refused");
  return reader.rest();
}

// A head, a list of sites with at most sealed shares for each, and the numbers.
std::size_t longest_message(const SumTerms& terms, std::size_t length) {
  constexpr std::size_t head = 1 + SessionId().size() + sizeof(std::uint64_t) + 1;
  return head + 2 + static_cast<std::size_t>(terms.parties) * (1 + kSealedBytes) +
         length * sizeof(std::uint64_t);
}

void write_parties(WireWriter& writer, const std::set<int>& parties) {
  writer.number(static_cast<std::uint16_t>(parties.size()));
  for (int party : parties) writer.number(static_cast<std::uint8_t>(party));
}

std::set<int> read_parties(WireReader& reader, int parties) {
  std::set<int> listed;
  for (int count = reader.number<std::uint16_t>(); count > 0; --count) {
    const int party = reader.number<std::uint8_t>();
    if (party >= parties || (!listed.empty() && party <= *listed.rbegin()))
      fail("a list of sites names one that there is not, or one twice; the sum is refused");
    listed.insert(party);
  }
  return listed;
}

}  // namespace tulle
