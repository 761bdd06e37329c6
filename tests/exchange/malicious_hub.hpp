// Games of an adversary against honest clients of a secure sum, and a judge of what it can compute.
//
// The adversary carries all messages and has the secrets of the colluding sites. A strategy
// (malicious_strategies.hpp) says what it sends. The judge knows how every message of an honest client is
// made: its numbers, its self-mask, and a mask for every site that shared with it. It finds out which masks
// the adversary can derive, and by linear algebra over the others which combinations of the messages are free
// of them. There may be one such combination in a round, and it must be a plain sum over at least threshold -
// colluding honest clients that were told the same before. The algebra is over bits: it also sees
// combinations that give low bits of the numbers alone.
//
// The adversary can derive a mask
// - by X25519 with a secret key that it made, or of which it has threshold shares;
// - from a seed of which it has threshold shares;
// - where the key of the mask, or the secret that it is made of, is among the bytes that honest clients sent
//   in clear: any 32 in a row.
// That is all that the judge sees. A secret that can be computed in another way passes for unknown: a hash of
// public bytes, a combination of several messages, bits that are not random, a key by which shares are
// sealed, a weakness of X25519, HKDF, GCM or of the splitting of secrets. What keys and digests are made of
// is checked one by one (fault_of_derivation in sum_faults.hpp), the functions by their test vectors. Nor
// does the judge see the length of messages, or when they come.
#pragma once

#include "exchange/crypto/alike_keys.hpp"
#include "sum_keys.hpp"
#include "sum_message.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>

#include <fmt/ranges.h>

#include <algorithm>
#include <bitset>
#include <deque>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tulle::malice {

constexpr std::size_t kNumbers = 3;
using Numbers = std::vector<std::uint64_t>;

// What an honest client draws from its bits, and who has which share of it.
struct Truth {
  std::optional<KeyPair> mask;
  Secret seed;
  std::vector<Secret> key_shares, seed_shares;
  std::set<int> key_holders, seed_holders;

  Truth(const SumTerms& terms, std::uint64_t stream) {
    RandomBits bits = RandomBits::seeded(stream);
    mask.emplace(random_secret(bits));
    seed = random_secret(bits);
    key_shares = split_secret(mask->secret(), terms.parties, terms.threshold, bits);
    seed_shares = split_secret(seed, terms.parties, terms.threshold, bits);
  }
};

// What an honest client has said and was told in a round.
struct Told {
  std::optional<SumRound> round;
  Secret heard;
  KeyNotice notice;
  std::map<int, KeyNotice> keys;
  Secret keys_digest;
  std::map<int, Bytes> boxes;  // that it sealed, by receiver
  std::set<int> sharing, survivors;
  std::map<int, PublicKey> confirmations;  // that it made, by receiver
  Numbers numbers, sent;                   // without and with masks; empty where none were sent
};

struct Honest {
  std::optional<KeyPair> identity;
  std::optional<SumSession> session;
  std::optional<RandomBits> bits;
  std::list<SumClient> client;  // of this round
  Secret heard;
  bool ended = false;
};

class Game;

// The adversary: without a lie, unless a strategy overrides what it says.
struct Strategy {
  virtual ~Strategy() = default;

  // The identity key that colluding site `of` shows to honest site `to`.
  virtual PublicKey identity(Game& game, int of, int to);
  virtual std::map<int, KeyNotice> keys(Game& game, int to);
  virtual std::set<int> sharing(Game& game, int to);
  virtual Bytes box(Game& game, int from, int to);  // that `to` is said to have of an honest site
  virtual std::set<int> survivors(Game& game, int to);
  virtual std::set<int> confirmed(Game& game, int to);
  virtual PublicKey confirmation(Game& game, int from, int to);
  virtual std::uint64_t total(Game&, int) { return 0; }
};

class Game {
 public:
  Game(const SumTerms& terms, std::set<int> colluding, std::uint64_t seed, Strategy& strategy)
      : terms_(terms), colluding_(std::move(colluding)), strategy_(strategy), random_(seed, 1), seed_(seed) {
    RandomBits bits = RandomBits::seeded(seed);
    for (int site = 0; site < terms.parties; ++site) {
      if (colluding_.contains(site))
        own_identities_.emplace(site, random_secret(bits));
      else
        add_said(honest_[site].identity.emplace(random_secret(bits)).public_key());
    }
  }

  // What is wrong, in words; empty where nothing is.
  std::string play(int rounds) {
    meet();
    for (round_ = 1; round_ <= static_cast<std::uint64_t>(rounds) && fault_.empty(); ++round_) {
      send_keys();
      send_shares();
      send_survivors();
      send_confirmations();
      send_totals();
    }
    if (fault_.empty()) judge();
    return fault_;
  }

  const SumTerms& terms() const { return terms_; }
  Random& random() { return random_; }
  std::uint64_t round() const { return round_; }
  const std::set<int>& colluding() const { return colluding_; }
  const std::map<int, Honest>& honest() const { return honest_; }
  std::set<int> honest_sites() const {
    std::set<int> sites;
    for (const auto& [site, honest] : honest_) sites.insert(site);
    return sites;
  }
  std::set<int> all() const {
    std::set<int> sites = honest_sites();
    sites.insert(colluding_.begin(), colluding_.end());
    return sites;
  }
  const KeyPair& own_identity(int site) const { return own_identities_.at(site); }
  // That honest site `to` knows a colluding one by.
  const KeyPair& own_identity(int site, int to) const {
    const PublicKey& shown = honest_.at(to).session->identities[static_cast<std::size_t>(site)];
    for (const auto& [number, key] : fresh_)
      if (key.public_key() == shown) return key;
    return own_identity(site);
  }
  // One of the keys that the adversary made for its lies.
  const KeyPair& fresh(int number) {
    RandomBits bits = RandomBits::seeded(seed_ + 1'000'003 * (1 + static_cast<std::uint64_t>(number)));
    return fresh_.try_emplace(number, random_secret(bits)).first->second;
  }
  const KeyPair& own_mask(int site) const { return own_masks_.at({round_, site}); }
  const Told& told(int site, std::uint64_t round) const { return told_.at({round, site}); }
  const Told& told(int site) const { return told(site, round_); }
  bool has_told(int site, std::uint64_t round) const { return told_.contains({round, site}); }
  bool takes_part(int site) const { return !honest_.at(site).ended; }
  // Honest sites that have come as far as `has` looks for in this round.
  template <class Has>
  std::set<int> those(Has&& has) const {
    std::set<int> sites;
    for (const auto& [site, honest] : honest_)
      if (has_told(site, round_) && has(told(site))) sites.insert(site);
    return sites;
  }
  int complete_sums() const { return complete_; }  // free of unknown masks

 private:
  Told& told_now(int site) { return told_[{round_, site}]; }

  // Every site sends its identity key to each of the others.
  void meet() {
    for (auto& [site, honest] : honest_) {
      std::vector<PublicKey> keys;
      for (int other : all())
        keys.push_back(colluding_.contains(other) ? strategy_.identity(*this, other, site)
                                                  : honest_.at(other).identity->public_key());
      try {
        honest.session.emplace(terms_, keys);
      } catch (const Error&) {
        honest.ended = true;
      }
    }
  }

  std::optional<Bytes> tell(int to, SumStep step, const Bytes& body) {
    Honest& honest = honest_.at(to);
    WireWriter message;
    begin_message(message, *told(to).round, step);
    message.bytes(body);
    try {
      if (auto answer = honest.client.back().receive(message.written())) {
        add_said(*answer);
        const auto body_of_answer = body_of(*answer, *told(to).round, after(step));
        return Bytes(body_of_answer.begin(), body_of_answer.end());
      }
      return Bytes();
    } catch (const Error&) {
      honest.ended = true;
      return std::nullopt;
    }
  }
  static SumStep after(SumStep step) { return static_cast<SumStep>(static_cast<int>(step) + 1); }

  void start(int site) {
    Honest& honest = honest_.at(site);
    const std::uint64_t stream = seed_ * 1000 + round_ * 10 + static_cast<std::uint64_t>(site);
    const Truth& truth = truths_.try_emplace({round_, site}, terms_, stream).first->second;
    honest.bits.emplace(RandomBits::seeded(stream));
    Told& told = told_now(site);
    told.round.emplace(SumRound{*honest.session, round_, kNumbers});
    told.heard = honest.heard;
    for (std::size_t i = 0; i < kNumbers; ++i) told.numbers.push_back(random_.bits());
    honest.client.emplace_back(*honest.session, site, *honest.identity, round_, told.numbers, *honest.bits,
                               honest.heard);
    const Bytes first = honest.client.back().start();
    add_said(first);
    WireReader reader(body_of(first, *told.round, SumStep::keys));
    told.notice = {reader.array<PublicKey>(), reader.array<PublicKey>()};
    if (told.notice.mask_key != truth.mask->public_key()) fault_ = "a client draws other keys than the judge";
  }

  void send_keys() {
    RandomBits bits = RandomBits::seeded(seed_ + 77 * round_);
    for (int site : colluding_) own_masks_.try_emplace({round_, site}, random_secret(bits));
    for (auto& [site, honest] : honest_)
      if (!honest.ended) start(site);
    for (int site : those([](const Told&) { return true; })) {
      Told& told = told_now(site);
      told.keys = strategy_.keys(*this, site);
      WireWriter list;
      std::set<int> parties;
      for (const auto& [party, notice] : told.keys) parties.insert(party);
      write_parties(list, parties);
      for (const auto& [party, notice] : told.keys) list.bytes(notice.mask_key).bytes(notice.commitment);
      told.keys_digest = digest_of_keys(*told.round, told.heard, list.written());
      if (const auto answer = tell(site, SumStep::keys, list.written())) take_boxes(site, *answer);
    }
  }

  // Colluding sites have a share of everything that an honest one shares.
  void take_boxes(int site, const Bytes& answer) {
    WireReader reader(answer);
    while (!reader.rest().empty()) {
      const int to = reader.number<std::uint8_t>();
      const auto box = reader.bytes(kSealedBytes);
      told_now(site).boxes[to] = {box.begin(), box.end()};
    }
    Truth& truth = truths_.at({round_, site});
    truth.key_holders = truth.seed_holders = colluding_;
  }

  void send_shares() {
    for (int site : those([](const Told& told) { return !told.boxes.empty(); })) {
      Told& told = told_now(site);
      told.sharing = strategy_.sharing(*this, site);
      WireWriter body;
      write_parties(body, told.sharing);
      for (int from : told.sharing) body.bytes(box_of(from, site));
      told.sharing.insert(site);
      const auto answer = tell(site, SumStep::shares, body.written());
      if (!answer) continue;
      WireReader reader(*answer);
      while (!reader.rest().empty()) told.sent.push_back(reader.number<std::uint64_t>());
    }
  }

  Bytes box_of(int from, int to) {
    if (!colluding_.contains(from)) return strategy_.box(*this, from, to);
    return seal_shares(*told(to).round, own_identity(from, to), {from, to}, told(to).keys_digest, {});
  }

  void send_survivors() {
    for (int site : those([](const Told& told) { return !told.sent.empty(); })) {
      Told& told = told_now(site);
      told.survivors = strategy_.survivors(*this, site);
      WireWriter body;
      write_parties(body, told.survivors);
      const auto answer = tell(site, SumStep::masked, body.written());
      if (!answer) continue;
      WireReader reader(*answer);
      while (!reader.rest().empty()) {
        const int to = reader.number<std::uint8_t>();
        told.confirmations[to] = reader.array<PublicKey>();
      }
    }
  }

  void send_confirmations() {
    for (int site : those([](const Told& told) { return !told.survivors.empty(); })) {
      if (!takes_part(site)) continue;
      const std::set<int> confirmed = strategy_.confirmed(*this, site);
      WireWriter body;
      write_parties(body, confirmed);
      for (int from : confirmed) body.bytes(strategy_.confirmation(*this, from, site));
      if (const auto answer = tell(site, SumStep::agreed, body.written())) take_shares(site, *answer);
    }
  }

  // Which share it is shows what it is of: the judge does not take the client's word.
  void take_shares(int site, const Bytes& answer) {
    WireReader reader(answer);
    const auto place = static_cast<std::size_t>(site);
    while (!reader.rest().empty()) {
      const int of = reader.number<std::uint8_t>();
      const auto share = reader.array<PublicKey>();
      if (colluding_.contains(of)) continue;
      Truth& truth = truths_.at({round_, of});
      if (share == truth.key_shares[place].bytes)
        truth.key_holders.insert(site);
      else if (share == truth.seed_shares[place].bytes)
        truth.seed_holders.insert(site);
      else
        fault_ = fmt::format("site {} reveals what is no share of site {}", site + 1, of + 1);
    }
  }

  void send_totals() {
    for (int site : honest_sites()) {
      Honest& honest = honest_.at(site);
      if (honest.ended) continue;
      WireWriter total;
      total.number(static_cast<std::uint16_t>(told(site).survivors.size()));
      total.words(Numbers(kNumbers, strategy_.total(*this, site)));
      if (!tell(site, SumStep::total, total.written())) continue;
      WireWriter heard;
      heard.bytes(honest.heard.bytes);
      heard.bytes(total.written());
      honest.heard = sha256(heard.written());
    }
  }

  // As sites are named to people.
  static std::set<int> numbers_of(const std::set<int>& sites) {
    std::set<int> numbers;
    for (int site : sites) numbers.insert(site + 1);
    return numbers;
  }

  // ---- the judge

  using Mask = std::array<std::uint8_t, kKeyBytes>;
  struct Row {
    std::uint64_t round;
    int site;
    std::bitset<256> unknown;
    std::uint64_t of;  // the messages that it is a sum of
  };

  std::deque<KeyPair> known_keys() const {
    std::deque<KeyPair> keys;
    for (const auto& [site, key] : own_identities_) keys.push_back(key);
    for (const auto& [place, key] : own_masks_) keys.push_back(key);
    for (const auto& [number, key] : fresh_) keys.push_back(key);
    keys.emplace_back(Secret());
    for (const auto& [place, truth] : truths_)
      if (static_cast<int>(truth.key_holders.size()) >= terms_.threshold ||
          was_said(truth.mask->secret().bytes))
        keys.push_back(*truth.mask);
    return keys;
  }

  void add_said(std::span<const std::uint8_t> bytes) { said_.append(bytes.begin(), bytes.end()); }
  bool was_said(const Mask& bytes) const {
    return said_.find(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())) !=
           std::string::npos;
  }

  // Whether the adversary can derive a pair mask, with any key that it has and any of the two public ones.
  static bool derives(const std::deque<KeyPair>& keys, const Mask& mask, const PublicKey& one,
                      const PublicKey& other, const Bytes& context) {
    return std::ranges::any_of(keys, [&](const KeyPair& key) {
      return key.agree(one, context).bytes == mask || key.agree(other, context).bytes == mask;
    });
  }

  void judge() {
    const std::deque<KeyPair> keys = known_keys();
    std::set<Mask> known;
    std::map<std::pair<std::uint64_t, int>, std::vector<Mask>> masks;
    for (const auto& [place, told] : told_) {
      if (told.sent.empty()) continue;
      const auto& [round, site] = place;
      const Truth& truth = truths_.at(place);
      Numbers rest = told.sent;
      const Secret self = self_mask(*told.round, site, truth.seed);
      add_mask(self, false, rest);
      masks[place].push_back(self.bytes);
      if (static_cast<int>(truth.seed_holders.size()) >= terms_.threshold || was_said(truth.seed.bytes))
        known.insert(self.bytes);
      for (int other : told.sharing) {
        if (other == site) continue;
        const PublicKey& others = told.keys.at(other).mask_key;
        const Secret mask = pair_seed(*told.round, site, *truth.mask, other, others);
        add_mask(mask, site < other, rest);
        masks[place].push_back(mask.bytes);
        const PublicKey& own = truth.mask->public_key();
        const Bytes context = site < other ? pair_mask_context(*told.round, site, own, other, others)
                                           : pair_mask_context(*told.round, other, others, site, own);
        if (derives(keys, mask.bytes, own, others, context)) known.insert(mask.bytes);
      }
      if (rest != told.numbers)
        fault_ = fmt::format("site {} does not send its numbers under the masks that it should", site + 1);
    }
    for (const auto& [place, of_message] : masks)
      std::ranges::copy_if(of_message, std::inserter(known, known.end()),
                           [&](const Mask& mask) { return was_said(mask); });
    if (fault_.empty()) combine(masks, known);
  }

  void combine(const std::map<std::pair<std::uint64_t, int>, std::vector<Mask>>& masks,
               const std::set<Mask>& known) {
    std::map<Mask, std::size_t> columns;
    std::vector<Row> messages, pivots;
    for (const auto& [place, of_message] : masks) {
      Row row{place.first, place.second, {}, std::uint64_t{1} << messages.size()};
      for (const Mask& mask : of_message)
        if (!known.contains(mask)) row.unknown.flip(columns.try_emplace(mask, columns.size()).first->second);
      messages.push_back(row);
    }
    std::set<std::uint64_t> rounds;
    for (Row row : messages) {
      for (const Row& pivot : pivots)
        if (row.unknown[pivot.unknown._Find_first()]) {
          row.unknown ^= pivot.unknown;
          row.of ^= pivot.of;
        }
      if (row.unknown.any())
        pivots.push_back(row);
      else
        check_sum(row, messages, rounds);
    }
  }

  // A combination that is free of unknown masks.
  void check_sum(const Row& sum, const std::vector<Row>& messages, std::set<std::uint64_t>& rounds) {
    std::set<int> sites;
    bool alike = true;
    for (std::size_t i = 0; i < messages.size(); ++i) {
      if (!(sum.of >> i & 1)) continue;
      const Row& message = messages[i];
      const Told& own = told(message.site, message.round);
      const Told& last = told(sum.site, sum.round);
      sites.insert(message.site);
      alike = alike && message.round == sum.round && own.heard == last.heard &&
              own.round->session.id == last.round->session.id;
    }
    const int counted_on = terms_.threshold - terms_.colluding;
    if (!alike || !rounds.insert(sum.round).second || static_cast<int>(sites.size()) < counted_on)
      fault_ = fmt::format(
          "{} sites, threshold {}, {} may collude: sites {} learn the numbers of sites {} of round {} ({}), "
          "where the guarantee counts on {} honest ones",
          terms_.parties, terms_.threshold, terms_.colluding, fmt::join(numbers_of(colluding_), ","),
          fmt::join(numbers_of(sites), ","), sum.round, alike ? "one sum" : "told different things",
          counted_on);
    ++complete_;
  }

  SumTerms terms_;
  std::set<int> colluding_;
  Strategy& strategy_;
  Random random_;
  std::uint64_t seed_, round_ = 0;
  std::map<int, Honest> honest_;
  std::map<int, KeyPair> own_identities_;
  std::map<int, KeyPair> fresh_;
  std::map<std::pair<std::uint64_t, int>, KeyPair> own_masks_;
  std::map<std::pair<std::uint64_t, int>, Told> told_;
  std::map<std::pair<std::uint64_t, int>, Truth> truths_;
  std::string said_;  // all that honest clients sent
  std::string fault_;
  int complete_ = 0;
};

inline PublicKey Strategy::identity(Game& game, int of, int) {
  return game.own_identity(of).public_key();
}

inline std::map<int, KeyNotice> Strategy::keys(Game& game, int) {
  std::map<int, KeyNotice> keys;
  for (int site : game.those([](const Told&) { return true; })) keys[site] = game.told(site).notice;
  for (int site : game.colluding()) keys[site] = {game.own_mask(site).public_key(), {}};
  return keys;
}

inline std::set<int> Strategy::sharing(Game& game, int to) {
  std::set<int> sharing = game.those([&](const Told& told) { return told.boxes.contains(to); });
  sharing.insert(game.colluding().begin(), game.colluding().end());
  sharing.erase(to);
  return sharing;
}

inline Bytes Strategy::box(Game& game, int from, int to) {
  return game.told(from).boxes.at(to);
}

inline std::set<int> Strategy::survivors(Game& game, int) {
  std::set<int> survivors = game.those([](const Told& told) { return !told.sent.empty(); });
  survivors.insert(game.colluding().begin(), game.colluding().end());
  return survivors;
}

inline std::set<int> Strategy::confirmed(Game& game, int to) {
  std::set<int> confirmed = game.those([&](const Told& told) { return told.confirmations.contains(to); });
  for (int site : game.colluding())
    if (game.told(to).survivors.contains(site)) confirmed.insert(site);
  return confirmed;
}

inline PublicKey Strategy::confirmation(Game& game, int from, int to) {
  const Told& told = game.told(to);
  if (!game.colluding().contains(from)) return game.told(from).confirmations.at(to);
  const Secret view = digest_of_view(*told.round, told.keys_digest, told.sharing, told.survivors);
  return tulle::confirmation(*told.round, game.own_identity(from, to), {from, to}, view).bytes;
}

}  // namespace tulle::malice
