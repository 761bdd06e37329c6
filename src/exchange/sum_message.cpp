#include "sum_message.hpp"

#include <algorithm>

namespace tulle {
namespace {

constexpr std::uint8_t kFormat = 1;

}  // namespace

SumSession::SumSession(const SumTerms& sum_terms, std::vector<PublicKey> public_keys)
    : terms(sum_terms), identities(std::move(public_keys)) {
  check_sum_terms(terms);
  if (identities.size() != static_cast<std::size_t>(terms.parties))
    fail("{} keys of {} sites", identities.size(), terms.parties);
  WireWriter all;
  all.number(static_cast<std::uint8_t>(terms.threshold)).number(static_cast<std::uint8_t>(terms.colluding));
  for (const PublicKey& key : identities) all.bytes(key);
  for (const std::string& line : terms.agreed)
    all.number(static_cast<std::uint32_t>(line.size())).bytes(Bytes(line.begin(), line.end()));
  std::copy_n(sha256(all.written()).bytes.begin(), id.size(), id.begin());
}

void begin_message(WireWriter& writer, const SumSession& session, std::uint64_t round, SumStep step) {
  writer.number(kFormat).bytes(session.id).number(round).number(static_cast<std::uint8_t>(step));
}

std::span<const std::uint8_t> body_of(std::span<const std::uint8_t> message, const SumSession& session,
                                      std::uint64_t round, SumStep step) {
  WireReader reader(message);
  if (reader.number<std::uint8_t>() != kFormat)
    fail("a message between sites has a format that is not known; run the same version at all sites");
  if (reader.array<SessionId>() != session.id)
    fail("a message between sites is of another session; the sum is refused");
  if (const auto sent = reader.number<std::uint64_t>(); sent != round)
    fail("a message between sites is of round {}, and this is round {}; the sum is refused", sent, round);
  if (reader.number<std::uint8_t>() != static_cast<std::uint8_t>(step))
    fail("a message between sites came twice or too early; the sum is refused");
  return reader.rest();
}

std::uint64_t round_of(std::span<const std::uint8_t> message) {
  WireReader reader(message);
  reader.bytes(1 + SessionId().size());
  return reader.number<std::uint64_t>();
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

Secret pair_seed(const SumSession& session, std::uint64_t round, const KeyPair& own, const PublicKey& other) {
  WireWriter context;
  context.bytes(Bytes{'m', 'a', 's', 'k'}).bytes(session.id).number(round);
  return own.agree(other, context.written());
}

void add_mask(const Secret& seed, bool adds, std::span<std::uint64_t> numbers) {
  RandomBits::SharedKey key;
  std::memcpy(key.data(), seed.bytes.data(), sizeof key);
  RandomBits stream = RandomBits::keyed(key);
  OPENSSL_cleanse(key.data(), sizeof key);
  std::vector<std::uint64_t> mask(numbers.size());
  stream.fill(mask);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] += adds ? mask[i] : 0 - mask[i];
  OPENSSL_cleanse(mask.data(), mask.size() * sizeof mask[0]);
}

PublicKey commitment_to(const Secret& seed) {
  WireWriter text;
  text.bytes(Bytes{'s', 'e', 'e', 'd'}).bytes(seed.bytes);
  return sha256(text.written()).bytes;
}

}  // namespace tulle
