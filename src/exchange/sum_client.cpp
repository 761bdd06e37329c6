#include "crypto/sealed.hpp"
#include "sum_message.hpp"

#include <openssl/crypto.h>

#include <algorithm>
#include <string_view>

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
    : session_(session),
      rank_(rank),
      identity_(identity),
      round_(round),
      length_(own.size()),
      own_(std::move(own)),
      bits_(bits),
      heard_(heard),
      mask_pair_(random_secret(bits)),
      seed_(random_secret(bits)) {}

Bytes SumClient::start() {
  WireWriter writer;
  begin_message(writer, session_, round_, SumStep::keys);
  return writer.bytes(mask_pair_.public_key()).bytes(commitment_to(seed_)).take();
}

std::optional<Bytes> SumClient::receive(std::span<const std::uint8_t> message) {
  const std::span<const std::uint8_t> body = body_of(message, session_, round_, step_);
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
      if (finished()) fail("a message between sites came after the total; it is refused");
      read_total(body);
      return std::nullopt;
  }
}

Secret SumClient::pair_key(const char* purpose, int from, int to) const {
  const std::string_view label = purpose;
  WireWriter context;
  context.bytes(Bytes(label.begin(), label.end())).bytes(session_.id).number(round_);
  context.number(static_cast<std::uint8_t>(from)).number(static_cast<std::uint8_t>(to));
  const int other = from == rank_ ? to : from;
  return identity_.agree(session_.identities[static_cast<std::size_t>(other)], context.written());
}

Bytes SumClient::seal_context(int from, int to) const {
  WireWriter context;
  context.bytes(keys_digest_.bytes);
  return context.number(static_cast<std::uint8_t>(from)).number(static_cast<std::uint8_t>(to)).take();
}

// Every other client gets one share of each of its two secrets.
Bytes SumClient::share(std::span<const std::uint8_t> body) {
  WireReader reader(body);
  const std::set<int> parties = read_parties(reader, session_.terms.parties);
  for (int party : parties) keys_[party] = {reader.array<PublicKey>(), reader.array<PublicKey>()};
  reader.expect_end();
  check_enough(parties, session_.terms, rank_, "sent keys");
  if (keys_[rank_].mask_key != mask_pair_.public_key() || keys_[rank_].commitment != commitment_to(seed_))
    fail("the key of site {} came back altered; the sum is refused", rank_ + 1);
  WireWriter told;
  told.bytes(heard_.bytes).bytes(body);
  keys_digest_ = sha256(told.written());

  const SumTerms& terms = session_.terms;
  const auto of_key = split_secret(mask_pair_.secret(), terms.parties, terms.threshold, bits_);
  const auto of_seed = split_secret(seed_, terms.parties, terms.threshold, bits_);
  WireWriter writer;
  begin_message(writer, session_, round_, SumStep::shares);
  for (int party : parties) {
    const auto place = static_cast<std::size_t>(party);
    if (party == rank_) {
      shares_[rank_] = {of_key[place], of_seed[place]};
      continue;
    }
    Bytes plain(of_key[place].bytes.begin(), of_key[place].bytes.end());
    plain.insert(plain.end(), of_seed[place].bytes.begin(), of_seed[place].bytes.end());
    writer.number(static_cast<std::uint8_t>(party))
        .bytes(seal(pair_key("share", rank_, party), seal_context(rank_, party), plain));
    OPENSSL_cleanse(plain.data(), plain.size());
  }
  return writer.take();
}

Bytes SumClient::mask(std::span<const std::uint8_t> body) {
  WireReader reader(body);
  std::set<int> sharing = read_parties(reader, session_.terms.parties);
  for (int party : sharing) {
    if (!keys_.contains(party) || party == rank_)
      fail("shares of site {} came, which sent no key; the sum is refused", party + 1);
    Bytes plain = unseal(pair_key("share", party, rank_), seal_context(party, rank_),
                         reader.bytes(kSealedBytes), party);
    Shares& shares = shares_[party];
    std::copy_n(plain.begin(), kKeyBytes, shares.mask_key.bytes.begin());
    std::copy_n(plain.begin() + kKeyBytes, kKeyBytes, shares.seed.bytes.begin());
    OPENSSL_cleanse(plain.data(), plain.size());
  }
  reader.expect_end();
  sharing.insert(rank_);
  check_enough(sharing, session_.terms, rank_, "sent shares");

  WireWriter view;
  view.bytes(keys_digest_.bytes);
  write_parties(view, sharing);
  view_digest_ = sha256(view.written());

  std::vector<std::uint64_t> masked = std::move(own_);
  add_mask(seed_, true, masked);
  for (int party : sharing)
    if (party != rank_)
      add_mask(pair_seed(session_, round_, mask_pair_, keys_[party].mask_key), rank_ > party, masked);
  WireWriter writer;
  begin_message(writer, session_, round_, SumStep::masked);
  return writer.words(masked).take();
}

// A pseudorandom function of what the client was told (HMAC of SHA-256), under a key of the two.
Secret SumClient::confirmation(int from, int to) const {
  return derive(pair_key("view", from, to).bytes, view_digest_.bytes, {});
}

Bytes SumClient::confirm(std::span<const std::uint8_t> body) {
  WireReader reader(body);
  survivors_ = read_parties(reader, session_.terms.parties);
  reader.expect_end();
  check_enough(survivors_, session_.terms, rank_, "sent their numbers");
  if (!std::ranges::all_of(survivors_, [&](int party) { return shares_.contains(party); }))
    fail("a site is said to have sent its numbers that sent no shares; the sum is refused");
  WireWriter view;
  view.bytes(view_digest_.bytes);
  write_parties(view, survivors_);
  view_digest_ = sha256(view.written());
  WireWriter writer;
  begin_message(writer, session_, round_, SumStep::agreed);
  for (int party : survivors_)
    if (party != rank_)
      writer.number(static_cast<std::uint8_t>(party)).bytes(confirmation(rank_, party).bytes);
  return writer.take();
}

Bytes SumClient::unmask(std::span<const std::uint8_t> body) {
  WireReader reader(body);
  std::set<int> confirmed = read_parties(reader, session_.terms.parties);
  for (int party : confirmed) {
    const auto sent = reader.array<PublicKey>();
    if (!survivors_.contains(party) || party == rank_ ||
        CRYPTO_memcmp(sent.data(), confirmation(party, rank_).bytes.data(), sent.size()) != 0)
      fail("site {} was told other totals, or of other sites in the sum, than site {}; the sum is refused",
           party + 1, rank_ + 1);
  }
  reader.expect_end();
  confirmed.insert(rank_);
  check_enough(confirmed, session_.terms, rank_, "confirmed who is in the sum");
  Bytes answer = unmasking();
  shares_.clear();
  return answer;
}

Bytes SumClient::unmasking() const {
  WireWriter writer;
  begin_message(writer, session_, round_, SumStep::unmask);
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
  if (total.values.size() != length_ || total.parties != static_cast<int>(survivors_.size()))
    fail("a total of {} numbers over {} sites, where {} over {} were to come; the sum is refused",
         total.values.size(), total.parties, length_, survivors_.size());
  total_ = std::move(total);
}

}  // namespace tulle
