#include "sum_keys.hpp"

#include "crypto/sealed.hpp"
#include "sum_message.hpp"

#include <openssl/crypto.h>

#include <algorithm>

namespace tulle {
namespace {

enum class Purpose : std::uint8_t { pair_mask, self_mask, commitment, keys, view, shares, confirmation };

// In place of a site in contexts of one site or none.
constexpr std::uint8_t kNoSite = 255;

WireWriter context_of(Purpose purpose, const SumRound& round, int first = kNoSite, int second = kNoSite) {
  WireWriter context;
  context.number(static_cast<std::uint8_t>(purpose));
  context.bytes(round.session.id);
  context.number(round.number);
  context.number(static_cast<std::uint64_t>(round.length));
  context.number(static_cast<std::uint8_t>(first));
  context.number(static_cast<std::uint8_t>(second));
  return context;
}

Secret derive_in(const WireWriter& context, const Secret& key) {
  return derive(key.bytes, kNoSalt, context.written());
}

// `identity` belongs to either of the two sites: no two sites have the same identity key.
Secret identity_key(Purpose purpose, const SumRound& round, const KeyPair& identity, Way way) {
  const PublicKey& from = round.session.identities[static_cast<std::size_t>(way.from)];
  const PublicKey& to = round.session.identities[static_cast<std::size_t>(way.to)];
  return identity.agree(from == identity.public_key() ? to : from,
                        context_of(purpose, round, way.from, way.to).written());
}

}  // namespace

void add_image(std::set<PublicKey>& images, const PublicKey& key, int party) {
  if (!images.insert(image_of(key)).second)
    fail("site {} and another site have the same key; the run ends", party + 1);
}

Bytes pair_mask_context(const SumRound& round, int lower, const PublicKey& lower_key, int higher,
                        const PublicKey& higher_key) {
  WireWriter context = context_of(Purpose::pair_mask, round, lower, higher);
  context.bytes(lower_key);
  context.bytes(higher_key);
  return context.take();
}

Secret pair_seed(const SumRound& round, int own, const KeyPair& key, int other, const PublicKey& other_key) {
  return key.agree(other_key, own < other
                                  ? pair_mask_context(round, own, key.public_key(), other, other_key)
                                  : pair_mask_context(round, other, other_key, own, key.public_key()));
}

Secret self_mask(const SumRound& round, int rank, const Secret& seed) {
  return derive_in(context_of(Purpose::self_mask, round, rank), seed);
}

PublicKey commitment_to(const SumRound& round, int rank, const Secret& seed) {
  return derive_in(context_of(Purpose::commitment, round, rank), seed).bytes;
}

void add_mask(const Secret& mask, bool adds, std::span<std::uint64_t> numbers) {
  RandomBits::SharedKey key;
  std::memcpy(key.data(), mask.bytes.data(), sizeof key);
  RandomBits stream = RandomBits::keyed(key);
  OPENSSL_cleanse(key.data(), sizeof key);
  std::vector<std::uint64_t> words(numbers.size());
  stream.fill(words);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] += adds ? words[i] : 0 - words[i];
  OPENSSL_cleanse(words.data(), words.size() * sizeof words[0]);
}

Secret digest_of_keys(const SumRound& round, const Secret& heard, std::span<const std::uint8_t> list) {
  WireWriter told = context_of(Purpose::keys, round);
  told.bytes(heard.bytes);
  told.bytes(list);
  return sha256(told.written());
}

Secret digest_of_view(const SumRound& round, const Secret& keys, const std::set<int>& sharing,
                      const std::set<int>& survivors) {
  WireWriter view = context_of(Purpose::view, round);
  view.bytes(keys.bytes);
  write_parties(view, sharing);
  write_parties(view, survivors);
  return sha256(view.written());
}

Bytes seal_shares(const SumRound& round, const KeyPair& identity, Way way, const Secret& keys,
                  const SecretShares& shares) {
  Bytes plain(shares.mask_key.bytes.begin(), shares.mask_key.bytes.end());
  plain.insert(plain.end(), shares.seed.bytes.begin(), shares.seed.bytes.end());
  Bytes sealed = seal(identity_key(Purpose::shares, round, identity, way), keys.bytes, plain);
  OPENSSL_cleanse(plain.data(), plain.size());
  return sealed;
}

SecretShares open_shares(const SumRound& round, const KeyPair& identity, Way way, const Secret& keys,
                         std::span<const std::uint8_t> sealed) {
  Bytes plain = unseal(identity_key(Purpose::shares, round, identity, way), keys.bytes, sealed, way.from);
  SecretShares shares;
  std::copy_n(plain.begin(), kKeyBytes, shares.mask_key.bytes.begin());
  std::copy_n(plain.begin() + kKeyBytes, kKeyBytes, shares.seed.bytes.begin());
  OPENSSL_cleanse(plain.data(), plain.size());
  return shares;
}

// A pseudorandom function (HMAC of SHA-256) of what the client heard, under a key of the two.
Secret confirmation(const SumRound& round, const KeyPair& identity, Way way, const Secret& view) {
  return derive(identity_key(Purpose::confirmation, round, identity, way).bytes, kNoSalt, view.bytes);
}

}  // namespace tulle
