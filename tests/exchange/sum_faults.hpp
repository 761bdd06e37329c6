// What can be wrong with the keys of a secure sum and with what its clients refuse, each looked for by a
// function that says what it found, or nothing. The tests want nothing; mutations of the exchange must be
// found, here or by the games of sum_games.hpp.
#pragma once

#include "crypto/sealed.hpp"
#include "exchange/malicious_hub.hpp"

namespace tulle::malice {

// ---- what keys and digests depend on

// All that keys and digests are made of.
struct Inputs {
  SumTerms terms{4, 3, 1};
  std::vector<Secret> identities = {numbered(1), numbered(2), numbered(3), numbered(4)};
  std::uint64_t round = 1;
  std::size_t length = 5;
  int lower = 1, higher = 2;
  Secret lower_key = numbered(5), seed = numbered(7), heard, keys = numbered(8), view = numbered(9);
  PublicKey higher_key = KeyPair(numbered(6)).public_key();
  Bytes list = {1, 2};
  std::set<int> sharing = {0, 1, 2}, survivors = {0, 1};

  static Secret numbered(std::uint8_t number) {
    Secret secret;
    secret.bytes.fill(number);
    return secret;
  }
};

inline std::map<std::string, Bytes> derived(const Inputs& from) {
  std::deque<KeyPair> identities;
  std::vector<PublicKey> keys;
  for (const Secret& secret : from.identities) keys.push_back(identities.emplace_back(secret).public_key());
  const SumSession session(from.terms, keys);
  const SumRound round{session, from.round, from.length};
  const KeyPair& identity = identities[static_cast<std::size_t>(from.lower)];
  const auto bytes = [](const auto& array) { return Bytes(array.begin(), array.end()); };
  const KeyPair lower(from.lower_key);
  WireWriter head;
  begin_message(head, round, SumStep::keys);
  return {
      {"pair mask", bytes(pair_seed(round, from.lower, lower, from.higher, from.higher_key).bytes)},
      {"self-mask", bytes(self_mask(round, from.lower, from.seed).bytes)},
      {"commitment", bytes(commitment_to(round, from.lower, from.seed))},
      {"digest of keys", bytes(digest_of_keys(round, from.heard, from.list).bytes)},
      {"digest of view", bytes(digest_of_view(round, from.keys, from.sharing, from.survivors).bytes)},
      {"sealed shares", seal_shares(round, identity, {from.lower, from.higher}, from.keys, {})},
      {"sealed shares, back", seal_shares(round, identity, {from.higher, from.lower}, from.keys, {})},
      {"confirmation", bytes(confirmation(round, identity, {from.lower, from.higher}, from.view).bytes)},
      {"confirmation, back",
       bytes(confirmation(round, identity, {from.higher, from.lower}, from.view).bytes)},
      {"head", head.take()},
  };
}

// A change of what keys and digests are made of, and those that must change with it.
struct Change {
  std::string of;
  std::function<void(Inputs&)> make;
  std::set<std::string> changes;
};

inline std::vector<Change> changes_of_inputs() {
  const std::set<std::string> all = {
      "pair mask",     "self-mask",    "commitment", "digest of keys",      "digest of view",
      "sealed shares", "confirmation", "head",       "sealed shares, back", "confirmation, back"};
  std::set<std::string> but_head = all;
  but_head.erase("head");
  std::set<std::string> one_site = all;
  for (const char* name : {"digest of keys", "digest of view", "head"}) one_site.erase(name);
  std::set<std::string> pair = one_site;
  for (const char* name : {"self-mask", "commitment"}) pair.erase(name);
  return {
      {"identity key of a third site", [](Inputs& in) { in.identities[3] = Inputs::numbered(10); }, all},
      {"threshold", [](Inputs& in) { in.terms.threshold = 4; }, all},
      {"colluding sites", [](Inputs& in) { in.terms.colluding = 0; }, all},
      {"server", [](Inputs& in) { in.terms.server = true; }, all},
      {"what is agreed on", [](Inputs& in) { in.terms.agreed = {"epsilon 1"}; }, all},
      {"round", [](Inputs& in) { in.round = 2; }, all},
      {"length", [](Inputs& in) { in.length = 6; }, but_head},
      {"lower rank", [](Inputs& in) { in.lower = 0; }, one_site},
      {"higher rank", [](Inputs& in) { in.higher = 3; }, pair},
      {"mask key", [](Inputs& in) { in.lower_key = Inputs::numbered(11); }, {"pair mask"}},
      {"other mask key",
       [](Inputs& in) { in.higher_key = KeyPair(Inputs::numbered(12)).public_key(); },
       {"pair mask"}},
      {"form of the other mask key",
       [](Inputs& in) { in.higher_key = with_highest_bit(in.higher_key); },
       {"pair mask"}},
      {"seed", [](Inputs& in) { in.seed = Inputs::numbered(13); }, {"self-mask", "commitment"}},
      {"what was heard", [](Inputs& in) { in.heard = Inputs::numbered(14); }, {"digest of keys"}},
      {"list of keys",
       [](Inputs& in) {
         in.list = {1, 3};
       },
       {"digest of keys"}},
      {"digest of keys",
       [](Inputs& in) { in.keys = Inputs::numbered(15); },
       {"digest of view", "sealed shares", "sealed shares, back"}},
      {"who shared",
       [](Inputs& in) {
         in.sharing = {0, 1, 3};
       },
       {"digest of view"}},
      {"survivors",
       [](Inputs& in) {
         in.survivors = {0, 2};
       },
       {"digest of view"}},
      {"view", [](Inputs& in) { in.view = Inputs::numbered(16); }, {"confirmation", "confirmation, back"}},
  };
}

// The same form of the lower key in place of the higher one: no label, no rank but the keys tell them apart.
inline std::string fault_of_the_lower_form() {
  const SumSession session(
      {2, 2, 1}, {KeyPair(Inputs::numbered(1)).public_key(), KeyPair(Inputs::numbered(2)).public_key()});
  const SumRound round{session, 1, 1};
  const PublicKey lower = KeyPair(Inputs::numbered(5)).public_key();
  const KeyPair higher(Inputs::numbered(6));
  return pair_seed(round, 1, higher, 0, lower) == pair_seed(round, 1, higher, 0, with_highest_bit(lower))
             ? "a pair mask does not depend on the form of the lower mask key"
             : "";
}

// The labels: keys for two purposes never agree, whatever they are derived from.
inline std::string fault_of_labels() {
  const Inputs from;
  std::deque<KeyPair> identities;
  std::vector<PublicKey> publics;
  for (const Secret& secret : from.identities)
    publics.push_back(identities.emplace_back(secret).public_key());
  const SumSession session(from.terms, publics);
  const SumRound round{session, from.round, from.length};
  const auto context = [&](std::uint8_t purpose, int first, int second) {
    WireWriter writer;
    writer.number(purpose).bytes(session.id).number(from.round).number(std::uint64_t{from.length});
    writer.number(static_cast<std::uint8_t>(first)).number(static_cast<std::uint8_t>(second));
    return writer.take();
  };
  if (self_mask(round, 1, from.seed) != derive(from.seed.bytes, kNoSalt, context(1, 1, 255)))
    return "a self-mask has another label than 1";
  if (commitment_to(round, 1, from.seed) != derive(from.seed.bytes, kNoSalt, context(2, 1, 255)).bytes)
    return "a commitment has another label than 2";
  const Bytes of_pair = pair_mask_context(round, 1, publics[1], 2, publics[2]);
  if (of_pair[0] != 0) return "a pair mask has another label than 0";
  if (pair_seed(round, 1, identities[1], 2, publics[2]) != identities[1].agree(publics[2], of_pair))
    return "a pair mask is not what the two mask keys agree on";
  const auto agreed = [&](std::uint8_t purpose) {
    return identities[1].agree(publics[2], context(purpose, 1, 2));
  };
  try {
    static_cast<void>(
        unseal(agreed(5), from.keys.bytes, seal_shares(round, identities[2], {1, 2}, from.keys, {}), 1));
  } catch (const Error&) {
    return "sealed shares have another label than 5";
  }
  if (confirmation(round, identities[2], {1, 2}, from.view) !=
      derive(agreed(6).bytes, kNoSalt, from.view.bytes))
    return "a confirmation has another label than 6";
  return "";
}

inline std::string fault_of_derivation() {
  const auto before = derived({});
  std::set<Bytes> distinct;
  for (const auto& [name, bytes] : before)
    if (!distinct.insert(bytes).second) return fmt::format("{} is something else too", name);
  for (const Change& change : changes_of_inputs()) {
    Inputs changed;
    change.make(changed);
    const auto after = derived(changed);
    for (const std::string& name : change.changes)
      if (before.at(name) == after.at(name)) return fmt::format("{} does not depend on: {}", name, change.of);
  }
  if (const std::string fault = fault_of_the_lower_form(); !fault.empty()) return fault;
  return fault_of_labels();
}

// ---- what a client must refuse

// Four sites with the library's own hub, whose message to site 2 is altered once.
class Refusals {
 public:
  // Empty where site 2 refuses the altered message, and a good one after it.
  static std::string fault_of(const std::string& what, SumStep step,
                              const std::function<Bytes(Refusals&, Bytes)>& alter) {
    Refusals refusals;
    return refusals.run(step, alter) ? "" : fmt::format("a client takes {}", what);
  }

  const SumRound& round() const { return *round_; }
  const KeyPair& identity(int site) const { return identities_[static_cast<std::size_t>(site)]; }
  std::map<int, Bytes>& earlier() { return earlier_; }
  const Bytes& earlier_of(int site) const { return earlier_.at(site); }

 private:
  bool run(SumStep step, const std::function<Bytes(Refusals&, Bytes)>& alter) {
    RandomBits bits = RandomBits::seeded(5);
    std::vector<PublicKey> keys;
    for (int site = 0; site < 4; ++site)
      keys.push_back(identities_.emplace_back(random_secret(bits)).public_key());
    session_.emplace(SumTerms{4, 3, 1}, keys);
    round_.emplace(SumRound{*session_, 1, kNumbers});
    for (int site = 0; site < 4; ++site)
      clients_.emplace_back(*session_, site, identity(site), 1, Numbers(kNumbers, 1), bits);
    SumHub hub(*session_, 1, kNumbers, {0, 1, 2, 3});
    std::map<int, Bytes> answers;
    for (int site = 0; site < 4; ++site) answers[site] = clients_[static_cast<std::size_t>(site)].start();
    for (SumStep now = SumStep::keys;; now = static_cast<SumStep>(static_cast<int>(now) + 1)) {
      if (now == SumStep::unmask) now = SumStep::total;
      for (const auto& [site, answer] : answers) hub.receive(site, answer);
      answers.clear();
      for (const SumHub::Outgoing& outgoing : hub.advance()) {
        if (now == step && outgoing.to == 1)
          return is_refused(outgoing.message, alter(*this, outgoing.message));
        if (auto answer = clients_[static_cast<std::size_t>(outgoing.to)].receive(outgoing.message)) {
          answers[outgoing.to] = *answer;
          earlier_[outgoing.to] = *answer;
        }
      }
    }
  }

  bool is_refused(const Bytes& good, const Bytes& bad) {
    for (const Bytes& message : {bad, good}) {
      try {
        static_cast<void>(clients_[1].receive(message));
        return false;
      } catch (const Error&) {
      }
    }
    return true;
  }

  std::deque<KeyPair> identities_;
  std::optional<SumSession> session_;
  std::optional<SumRound> round_;
  std::deque<SumClient> clients_;
  std::map<int, Bytes> earlier_;  // the last answer of each
};

constexpr std::size_t kHead = 1 + 32 + 8 + 1;        // of a message
constexpr std::size_t kNoticeBytes = 2 * kKeyBytes;  // of a site in the list of keys

// A list of sites is 2 bytes and one for each.
inline std::size_t start_of_notice(int site) {
  return kHead + 2 + 4 + kNoticeBytes * static_cast<std::size_t>(site);
}

inline PublicKey key_at(const Bytes& message, std::size_t place) {
  PublicKey key;
  std::copy_n(message.begin() + static_cast<std::ptrdiff_t>(place), kKeyBytes, key.begin());
  return key;
}

inline Bytes with_key(Bytes message, std::size_t place, const PublicKey& key) {
  std::ranges::copy(key, message.begin() + static_cast<std::ptrdiff_t>(place));
  return message;
}

// A message with another list of sites, what comes after it cut to so many bytes.
inline Bytes with_list(Bytes message, const std::vector<int>& sites, std::size_t keeps) {
  const std::span<const std::uint8_t> bytes(message);
  WireReader reader(bytes.subspan(kHead));
  reader.bytes(reader.number<std::uint16_t>());
  WireWriter writer;
  writer.bytes(bytes.first(kHead));
  writer.number(static_cast<std::uint16_t>(sites.size()));
  for (int site : sites) writer.number(static_cast<std::uint8_t>(site));
  return writer.bytes(reader.rest().first(std::min(keeps, reader.rest().size()))).take();
}

inline Bytes flipped(Bytes message, std::size_t place) {
  message[place] ^= 1;
  return message;
}

inline std::string fault_of_key_lists() {
  std::string fault;
  const auto refuses = [&](const std::string& what, const std::function<Bytes(Refusals&, Bytes)>& alter) {
    if (fault.empty()) fault = Refusals::fault_of(what, SumStep::keys, alter);
  };
  for (const auto& [name, form] : forms_of_a_key()) {
    const auto& as = form;
    for (const auto& [copier, of] : {std::pair{0, 2}, {0, 1}, {3, 2}, {3, 1}})
      refuses(fmt::format("a copy of a mask key {}", name), [&](Refusals&, Bytes message) {
        return with_key(message, start_of_notice(copier), as(key_at(message, start_of_notice(of))));
      });
    for (int of = 0; of < 4; ++of)
      refuses(fmt::format("an identity key {} as a mask key", name), [&](Refusals& refusals, Bytes message) {
        return with_key(message, start_of_notice(0), as(refusals.identity(of).public_key()));
      });
  }
  for (const PublicKey& key : keys_of_small_order())
    refuses("a mask key of small order",
            [&](Refusals&, Bytes message) { return with_key(message, start_of_notice(0), key); });
  for (std::size_t part : {std::size_t{0}, kKeyBytes})
    refuses("its own key or commitment altered",
            [&](Refusals&, Bytes message) { return flipped(message, start_of_notice(1) + part); });
  const auto lists = [&](const std::string& what, const std::vector<int>& sites) {
    refuses(what,
            [&](Refusals&, Bytes message) { return with_list(message, sites, kNoticeBytes * sites.size()); });
  };
  lists("keys of fewer than the threshold", {0, 1});
  refuses("a list without itself", [](Refusals&, Bytes message) {
    message.erase(message.begin() + static_cast<std::ptrdiff_t>(start_of_notice(1)),
                  message.begin() + static_cast<std::ptrdiff_t>(start_of_notice(2)));
    return with_list(message, {0, 2, 3}, message.size());
  });
  lists("a list with a site twice", {0, 1, 1, 3});
  lists("a list out of order", {0, 1, 3, 2});
  lists("a list with a site that there is not", {0, 1, 2, 4});
  refuses("a list that is too long", [](Refusals&, Bytes message) { return message.push_back(0), message; });
  refuses("a list that is cut off", [](Refusals&, Bytes message) { return message.pop_back(), message; });
  for (std::size_t place : {std::size_t{0}, std::size_t{1}, std::size_t{33}, std::size_t{41}})
    refuses(fmt::format("a message with another byte {} of the head", place),
            [&](Refusals&, Bytes message) { return flipped(message, place); });
  return fault;
}

inline std::string fault_of_shares() {
  std::string fault;
  const auto refuses = [&](const std::string& what, const std::function<Bytes(Refusals&, Bytes)>& alter) {
    if (fault.empty()) fault = Refusals::fault_of(what, SumStep::shares, alter);
  };
  for (std::size_t place : {std::size_t{0}, kSealedBytes - 1, 3 * kSealedBytes - 1})
    refuses("altered shares",
            [&](Refusals&, Bytes message) { return flipped(message, kHead + 2 + 3 + place); });
  refuses("shares for another site", [](Refusals& refusals, Bytes message) {
    const Bytes& sealed = refusals.earlier_of(0);  // to sites 2, 3, 4: a byte and a box each
    std::copy_n(sealed.begin() + kHead + 1 + kSealedBytes + 1, kSealedBytes, message.begin() + kHead + 2 + 3);
    return message;
  });
  refuses("its own shares", [](Refusals& refusals, Bytes message) {
    const Bytes& sealed = refusals.earlier_of(1);
    std::copy_n(sealed.begin() + kHead + 1, kSealedBytes, message.begin() + kHead + 2 + 3);
    return message;
  });
  refuses("shares of a site in place of another's", [](Refusals&, Bytes message) {
    std::copy_n(message.begin() + kHead + 2 + 3 + kSealedBytes, kSealedBytes,
                message.begin() + kHead + 2 + 3);
    return message;
  });
  refuses("shares of fewer than the threshold",
          [](Refusals&, Bytes message) { return with_list(message, {0}, kSealedBytes); });
  refuses("shares of itself", [](Refusals&, Bytes message) {
    return with_list(message, {0, 1, 2}, 3 * kSealedBytes);
  });
  refuses("more shares than sites that sent them", [](Refusals&, Bytes message) {
    return with_list(message, {0, 2}, 3 * kSealedBytes);
  });
  refuses("a list of keys in place of shares", [](Refusals&, Bytes message) {
    message[kHead - 1] = static_cast<std::uint8_t>(SumStep::keys);
    return message;
  });
  return fault;
}

inline std::string fault_of_survivors() {
  std::string fault;
  const auto refuses = [&](const std::string& what, const std::vector<int>& sites) {
    if (fault.empty())
      fault = Refusals::fault_of(what, SumStep::masked, [&](Refusals&, Bytes message) {
        return with_list(std::move(message), sites, 0);
      });
  };
  refuses("a sum over fewer than the threshold", {0, 1});
  refuses("a sum that it is not in", {0, 2, 3});
  refuses("a site in the sum twice", {0, 1, 1});
  refuses("sites of a sum out of order", {1, 0, 2});
  refuses("a site in the sum that there is not", {0, 1, 2, 9});
  if (fault.empty())
    fault = Refusals::fault_of("a list of survivors that is too long", SumStep::masked,
                               [](Refusals&, Bytes message) { return message.push_back(0), message; });
  return fault;
}

// A site whose shares a client was not given is in no sum of it.
inline std::string fault_of_a_survivor_without_shares() {
  struct Without : Strategy {
    std::set<int> sharing(Game& game, int to) override {
      std::set<int> sites = Strategy::sharing(game, to);
      sites.erase(3);
      return sites;
    }
    std::set<int> survivors(Game&, int) override { return {0, 1, 2, 3}; }
    std::set<int> confirmed(Game& game, int to) override {
      std::set<int> sites = Strategy::confirmed(game, to);
      sites.erase(3);  // which was told of other sharers
      return sites;
    }
  } without;
  Game game({4, 3, 1}, {0}, 3, without);
  if (const std::string fault = game.play(1); !fault.empty()) return fault;
  return game.takes_part(1) ? "a client takes a site into the sum that sent it no shares" : "";
}

// A colluding site confirms a sum that it is not in, as it was told to those who are.
inline std::string fault_of_a_confirmation_from_outside() {
  struct Outside : Strategy {
    std::set<int> survivors(Game&, int) override { return {1, 2, 3}; }
    std::set<int> confirmed(Game& game, int to) override {
      std::set<int> sites = Strategy::confirmed(game, to);
      sites.insert(0);
      return sites;
    }
  } outside;
  Game game({4, 3, 1}, {0}, 3, outside);
  if (const std::string fault = game.play(1); !fault.empty()) return fault;
  return game.takes_part(1) ? "a client takes the confirmation of a site that is not in the sum" : "";
}

inline std::string fault_of_confirmations() {
  std::string fault;
  const auto refuses = [&](const std::string& what, const std::function<Bytes(Refusals&, Bytes)>& alter) {
    if (fault.empty()) fault = Refusals::fault_of(what, SumStep::agreed, alter);
  };
  refuses("an altered confirmation",
          [](Refusals&, Bytes message) { return flipped(message, message.size() - 1); });
  refuses("another site's confirmation", [](Refusals&, Bytes message) {
    return with_key(message, kHead + 2 + 3, key_at(message, kHead + 2 + 3 + kKeyBytes));
  });
  refuses("a confirmation for another site", [](Refusals& refusals, Bytes message) {
    return with_key(message, kHead + 2 + 3, key_at(refusals.earlier_of(0), kHead + 1 + kKeyBytes + 1));
  });
  refuses("its own confirmation", [](Refusals& refusals, Bytes message) {
    return with_key(message, kHead + 2 + 3, key_at(refusals.earlier_of(1), kHead + 1));
  });
  refuses("confirmations of fewer than the threshold",
          [](Refusals&, Bytes message) { return with_list(std::move(message), {0}, kKeyBytes); });
  refuses("confirmations that are too long", [](Refusals&, Bytes message) {
    return with_list(std::move(message), {0, 2}, 3 * kKeyBytes);
  });
  // Of itself, with what it would have made for itself.
  refuses("a confirmation of itself", [](Refusals& refusals, Bytes message) {
    return with_list(with_key(std::move(message), kHead + 2 + 3 + kKeyBytes,
                              confirmation(refusals.round(), refusals.identity(0), {0, 1}, {}).bytes),
                     {0, 1, 2}, 3 * kKeyBytes);
  });
  return fault;
}

inline std::string fault_of_totals() {
  std::string fault;
  const auto refuses = [&](const std::string& what, const std::function<Bytes(Refusals&, Bytes)>& alter) {
    if (fault.empty()) fault = Refusals::fault_of(what, SumStep::total, alter);
  };
  refuses("a total over fewer sites", [](Refusals&, Bytes message) { return flipped(message, kHead); });
  refuses("a total of more numbers",
          [](Refusals&, Bytes message) { return message.resize(message.size() + 8), message; });
  refuses("a total of fewer numbers",
          [](Refusals&, Bytes message) { return message.resize(message.size() - 8), message; });
  return fault;
}

// Identity keys of a session.
inline std::string fault_of_identities() {
  const auto takes = [](const std::vector<PublicKey>& keys) {
    try {
      static_cast<void>(SumSession({3, 3, 1}, keys));
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  std::vector<PublicKey> keys;
  for (std::uint8_t site = 1; site <= 3; ++site) keys.push_back(KeyPair(Inputs::numbered(site)).public_key());
  if (!takes(keys)) return "a session refuses keys that are all different";
  for (const auto& [name, form] : forms_of_a_key())
    for (std::size_t copier = 0; copier < 3; ++copier) {
      std::vector<PublicKey> copied = keys;
      copied[copier] = form(keys[(copier + 1) % 3]);
      if (takes(copied)) return fmt::format("a session takes a copy of an identity key {}", name);
    }
  for (const PublicKey& key : keys_of_small_order())
    if (takes({keys[0], key, keys[2]})) return "a session takes an identity key of small order";
  return "";
}

inline std::string fault_of_refusals() {
  for (const auto& look : {fault_of_identities, fault_of_key_lists, fault_of_shares, fault_of_survivors,
                           fault_of_a_survivor_without_shares, fault_of_confirmations,
                           fault_of_a_confirmation_from_outside, fault_of_totals})
    if (const std::string fault = look(); !fault.empty()) return fault;
  return "";
}

}  // namespace tulle::malice
