#include "sum_keys.hpp"
#include "sum_message.hpp"

#include <openssl/crypto.h>

#include <algorithm>

namespace tulle {
namespace {

void check_enough(const std::set<int>& parties, const SumTerms& terms, int rank, const char* what) {
  if (static_cast<int>(parties.size()) < terms.threshold)
    fail("{} of {} sites {}, and {} are needed; the sum is refused", parties.size(), terms.parties, what,
         terms.threshold);
  if (!parties.contains(rank)) fail("site {} was left out of a sum; it stops", rank + 1);
}

}  // namespace

SumClient::SumClient(const SumSession& session, int rank, const KeyPair& identity, std::uint64_t round,
                     std::vector<std::uint64_t> own, RandomBits& bits, const Secret& heard)
    : round_{session, round, own.size()},
      rank_(rank),
      identity_(identity),
      own_(std::move(own)),
      bits_(bits),
      heard_(heard),
      mask_pair_(random_secret(bits)),
      seed_(random_secret(bits)) {}

Bytes SumClient::start() {
  WireWriter writer;
  begin_message(writer, round_, SumStep::keys);
  return writer.bytes(mask_pair_.public_key()).bytes(commitment_to(round_, rank_, seed_)).take();
}

// A refused message ends the sum for the client: it takes no other message instead.
std::optional<Bytes> SumClient::receive(std::span<const std::uint8_t> message) {
  if (ended_) fail("a message between sites came after the end of a sum; it is refused");
  ended_ = true;
  const std::span<const std::uint8_t> body = body_of(message, round_, step_);
  std::optional<Bytes> answer = answer_to(body);
  ended_ = finished();
  return answer;
}

std::optional<Bytes> SumClient::answer_to(std::span<const std::uint8_t> body) {
  switch (step_) {
    case SumStep::keys:
      step_ = SumStep::shares;
      return share(body);
    case SumStep::shares:
      step_ = SumStep::masked;
      return mask(body);
    case SumStep::masked:
      step_ = SumStep::agreed;
      return confirm(body);
    case SumStep::agreed:
      step_ = SumStep::total;
      return unmask(body);
    default:
      read_total(body);
      return std::nullopt;
  }
}

void SumClient::read_keys(std::span<const std::uint8_t> body) {
  WireReader reader(body);
  const std::set<int> parties = read_parties(reader, terms().parties);
  for (int party : parties) keys_[party] = {reader.array<PublicKey>(), reader.array<PublicKey>()};
  reader.expect_end();
  check_enough(parties, terms(), rank_, "sent keys");
  if (keys_[rank_].mask_key != mask_pair_.public_key() ||
      keys_[rank_].commitment != commitment_to(round_, rank_, seed_))
    fail("the key of site {} came back altered; the sum is refused", rank_ + 1);
  std::set<PublicKey> images = round_.session.images;
  for (const auto& [party, notice] : keys_) add_image(images, notice.mask_key, party);
  keys_digest_ = digest_of_keys(round_, heard_, body);
}

// Every other client gets one share of each of its two secrets.
Bytes SumClient::share(std::span<const std::uint8_t> body) {
  read_keys(body);
  const auto of_key = split_secret(mask_pair_.secret(), terms().parties, terms().threshold, bits_);
  const auto of_seed = split_secret(seed_, terms().parties, terms().threshold, bits_);
  WireWriter writer;
  begin_message(writer, round_, SumStep::shares);
  for (const auto& [party, notice] : keys_) {
    const auto place = static_cast<std::size_t>(party);
    const SecretShares shares{of_key[place], of_seed[place]};
    if (party == rank_)
      shares_[rank_] = shares;
    else
      writer.number(static_cast<std::uint8_t>(party))
          .bytes(seal_shares(round_, identity_, {rank_, party}, keys_digest_, shares));
  }
  return writer.take();
}

Bytes SumClient::mask(std::span<const std::uint8_t> body) {
  WireReader reader(body);
  for (int party : read_parties(reader, terms().parties)) {
    if (!keys_.contains(party) || party == rank_)
      fail("shares of site {} came, which sent no key; the sum is refused", party + 1);
    shares_[party] = open_shares(round_, identity_, {party, rank_}, keys_digest_, reader.bytes(kSealedBytes));
    sharing_.insert(party);
  }
  reader.expect_end();
  sharing_.insert(rank_);
  check_enough(sharing_, terms(), rank_, "sent shares");

  std::vector<std::uint64_t> masked = std::move(own_);
  add_mask(self_mask(round_, rank_, seed_), true, masked);
  for (int party : sharing_)
    if (party != rank_)
      add_mask(pair_seed(round_, rank_, mask_pair_, party, keys_[party].mask_key), rank_ > party, masked);
  WireWriter writer;
  begin_message(writer, round_, SumStep::masked);
  return writer.words(masked).take();
}

Bytes SumClient::confirm(std::span<const std::uint8_t> body) {
  WireReader reader(body);
  survivors_ = read_parties(reader, terms().parties);
  reader.expect_end();
  check_enough(survivors_, terms(), rank_, "sent their numbers");
  if (!std::ranges::includes(sharing_, survivors_))
    fail("a site is said to have sent its numbers that sent no shares; the sum is refused");
  view_digest_ = digest_of_view(round_, keys_digest_, sharing_, survivors_);
  WireWriter writer;
  begin_message(writer, round_, SumStep::agreed);
  for (int party : survivors_)
    if (party != rank_)
      writer.number(static_cast<std::uint8_t>(party))
          .bytes(confirmation(round_, identity_, {rank_, party}, view_digest_).bytes);
  return writer.take();
}

Bytes SumClient::unmask(std::span<const std::uint8_t> body) {
  WireReader reader(body);
  std::set<int> confirmed = read_parties(reader, terms().parties);
  for (int party : confirmed) {
    const auto sent = reader.array<PublicKey>();
    if (!survivors_.contains(party) || party == rank_)
      fail("site {} confirmed a sum that it is not in; the sum is refused", party + 1);
    const Secret expected = confirmation(round_, identity_, {party, rank_}, view_digest_);
    if (CRYPTO_memcmp(sent.data(), expected.bytes.data(), sent.size()) != 0)
      fail("site {} was told other totals, or of other sites in the sum, than site {}; the sum is refused",
           party + 1, rank_ + 1);
  }
  reader.expect_end();
  confirmed.insert(rank_);
  check_enough(confirmed, terms(), rank_, "confirmed who is in the sum");
  Bytes answer = unmasking();
  shares_.clear();
  return answer;
}

Bytes SumClient::unmasking() const {
  WireWriter writer;
  begin_message(writer, round_, SumStep::unmask);
  for (const auto& [party, shares] : shares_)
    writer.number(static_cast<std::uint8_t>(party))
        .bytes(survivors_.contains(party) ? shares.seed.bytes : shares.mask_key.bytes);
  return writer.take();
}

void SumClient::read_total(std::span<const std::uint8_t> body) {
  WireReader reader(body);
  SumTotal total;
  total.parties = reader.number<std::uint16_t>();
  while (!reader.rest().empty()) total.values.push_back(reader.number<std::uint64_t>());
  if (total.values.size() != round_.length || total.parties != static_cast<int>(survivors_.size()))
    fail("a total of {} numbers over {} sites, where {} over {} were to come; the sum is refused",
         total.values.size(), total.parties, round_.length, survivors_.size());
  total_ = std::move(total);
}

}  // namespace tulle
