// A sum that shows nobody the summands, as messages in and messages out (Bonawitz et al. 2017).
//
// Whole numbers are added modulo 2^64. Clients (one per site) talk to a hub, which any site may run, or a
// server that is not a client and learns no more than the clients do. One round, all of whose keys are new:
//   keys      a client sends a public key for masks, and a commitment to the seed of its self-mask;
//   shares    it sends every other client its shares (Shamir) of the secret mask key and of the seed, sealed
//             under a key that the identity keys of the two agree on;
//   masked    it sends its numbers + its self-mask +- one mask for every client whose shares it has, made
//             from the key that the two mask keys agree on (X25519) by AES-256 in counter mode. In the sum of
//             both the mask cancels;
//   agreed    the hub says whose numbers arrived. A client sends each of those a confirmation of what it was
//             told: keys, who shared, who is in the sum; authenticated under a key of the pair;
//   unmask    when `threshold` clients, itself included, have confirmed the same to it, it sends its shares
//             of the seeds of those whose numbers arrived, and of the mask keys of the others: for each
//             client one of the two, never both. The hub joins them, subtracts the self-masks, and the
//             masks of clients that stopped before they sent their numbers;
//   total     the hub sends the sum to all that are left.
// Clients may stop at any time; the sum needs `threshold` of them at every step.
//
// What an adversary learns. Of n sites with threshold T, any C, the hub among them if a site runs it, pool
// their knowledge and send whatever they like, something else to every site; a server may collude with any C
// in addition. check_sum_terms demands n + C < 2 T, so T > C, and two sets of T - C honest sites have one in
// common.
// Claim: of the numbers that honest sites send in a round, the adversary learns at most one sum, over at
// least T - C honest sites, all of which heard the same before. (SharedNoise counts on the noise of fewest -
// colluding sites, which link_over() sets to T - C.)
// 1. Session. An honest site takes only messages of its own session (body_of). The id is a digest (SHA-256)
//    of all identity keys, the terms and what was agreed on (SumSession), and is in the context of all keys
//    and digests (sum_keys). Honest sites have each other's identity keys: each sent its own to the others
//    itself (ChannelParty::exchange_keys), and no hub carried it.
// 2. No two keys are alike. Two public keys that agree on the same secrets with others have one image
//    (image_of). Equal images are refused among identity keys (SumSession) and among those and mask keys
//    (SumClient::read_keys), and so are keys of small order. The context of a pair mask also has both ranks
//    and both mask keys: to anyone who has neither secret key, the masks of different pairs are independent
//    random numbers (X25519, with HKDF-SHA-256 as a random oracle), whatever keys the colluding sites
//    announced.
// 3. Mask keys are authentic. An honest site B finds its own key at its own place in the list (read_keys),
//    and seals its shares with a digest of the whole list, as it saw it, and of all that it heard before
//    (digest_of_keys, seal_shares: AES-256-GCM under a key of identities, ranks and round). An honest A has
//    shares of B only if the digest equals its own (open_shares). Then both saw one list, with B's own key,
//    and heard the same. A sends its numbers after that (mask), with masks for such sites only.
// 4. One answer. A client passes each step once, and takes nothing after a message that it refused (receive).
//    It shares its secrets once, and reveals one share of each other client's secrets: of the seed if that
//    client is in the sum, else of the mask key (unmasking). Fewer than T shares reveal nothing (Shamir), and
//    C are the adversary's: a secret becomes known if T - C honest sites reveal a share of it.
// 5. One view. An honest site unmasks when T sites, itself included, have confirmed its own view to it: the
//    list of keys, who shared (S) and who is in the sum (U), which has T sites, lies in S and contains the
//    site itself (confirm, unmask). At least T - C honest ones have confirmed to each, each of them one view
//    (4, and confirmation is a pseudorandom function of the view under a key of the two), and two such sets
//    have a site in common: all honest sites that unmask have one view, and lie in its U.
// 6. So, if T - C honest sites unmask, the seeds of U and the mask keys of S without U become known, and no
//    other secret of an honest site. If fewer do, none does, and its self-mask hides every message.
// 7. The mask of two honest sites of U is not known (6, 2) and is in the messages of these two at most, with
//    opposite signs (3). In a combination of messages that is free of it, both have one coefficient or, if it
//    is in one message only, that message has coefficient 0. A site that unmasks has a mask with every honest
//    site of U, since U lies in S. So all that unmask have one coefficient, c. An honest A of U has masks
//    with at least T - C honest sites, itself included (mask), so with one that unmasks, or is one: it has
//    the coefficient c too. If A has no mask with some B that unmasks, since it was given no shares of B or
//    sent no numbers, c is 0. So the combination is c times the sum over all honest sites of U, at least T -
//    C. Messages from outside U are hidden by their self-masks.
// 8. All of these heard the same (3: A has shares of B, and all B have one view), so what they added, and how
//    much noise, is what was agreed on before the first round and follows from totals and broadcasts since.
// 9. Another round has other keys, drawn anew, and its number is in all contexts and in the heads of
//    messages.
// This rests on AES-256, X25519, SHA-256, and on the identity keys of a session being those of the sites. The
// tests play the adversary against clients (tests/exchange/malicious_hub.hpp). Liars can make the sum fail,
// or be wrong.
#pragma once

#include "crypto/bytes.hpp"
#include "crypto/key_agreement.hpp"
#include "crypto/shamir.hpp"

#include <tulle/exchange/party.hpp>

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace tulle {

using SessionId = std::array<std::uint8_t, 32>;

// Fixed for all rounds, and known to all.
struct SumSession {
  SumTerms terms;
  std::vector<PublicKey> identities;  // of every party, made for this session
  std::set<PublicKey> images;         // of these keys, one each
  SessionId id{};                     // a digest of the keys, the terms and what was agreed on

  // An Error if two keys are equal, or one is of small order.
  SumSession(const SumTerms& terms, std::vector<PublicKey> identities);
};
// Adds the image of a party's key; an Error if it is already present.
void add_image(std::set<PublicKey>& images, const PublicKey& key, int party);

struct SumRound {
  const SumSession& session;
  std::uint64_t number;
  std::size_t length;  // number of values to add up
};

enum class SumStep : std::uint8_t { keys, shares, masked, agreed, unmask, total };

struct KeyNotice {
  PublicKey mask_key{};
  PublicKey commitment{};  // to the seed
};

// One party's shares of two secrets.
struct SecretShares {
  Secret mask_key, seed;
};

class SumClient {
 public:
  SumClient(const SumSession& session, int rank, const KeyPair& identity, std::uint64_t round,
            std::vector<std::uint64_t> own, RandomBits& bits, const Secret& heard = {});

  Bytes start();  // the first message to the hub
  // Takes a message of the hub and returns the next one to it, or nothing after the total. An Error if the
  // message was altered or is not the next one of this round; the client then accepts no other.
  std::optional<Bytes> receive(std::span<const std::uint8_t> message);

  bool finished() const { return total_.has_value(); }
  std::size_t length() const { return round_.length; }
  SumTotal take_total() { return std::move(*total_); }

 private:
  const SumTerms& terms() const { return round_.session.terms; }
  std::optional<Bytes> answer_to(std::span<const std::uint8_t> body);
  void read_keys(std::span<const std::uint8_t> body);
  Bytes share(std::span<const std::uint8_t> body);
  Bytes mask(std::span<const std::uint8_t> body);
  Bytes confirm(std::span<const std::uint8_t> body);
  Bytes unmask(std::span<const std::uint8_t> body);
  Bytes unmasking() const;
  void read_total(std::span<const std::uint8_t> body);

  SumRound round_;
  int rank_;
  const KeyPair& identity_;
  std::vector<std::uint64_t> own_;
  RandomBits& bits_;
  Secret heard_;                  // a digest of what the parties heard before this round
  SumStep step_ = SumStep::keys;  // the step of the hub's next message
  bool ended_ = false;            // by the total, or by a message that was refused
  KeyPair mask_pair_;
  Secret seed_;
  std::map<int, KeyNotice> keys_;
  Secret keys_digest_;                  // of the list, as it came, and of what was heard before
  std::map<int, SecretShares> shares_;  // of the others' secrets and of its own
  std::set<int> sharing_;               // clients whose shares it has
  std::set<int> survivors_;             // clients whose numbers are in the sum, according to the hub
  Secret view_digest_;                  // of all that the hub announced
  std::optional<SumTotal> total_;
};

class SumHub {
 public:
  // A sum of `length` numbers among the given parties.
  SumHub(const SumSession& session, std::uint64_t round, std::size_t length, std::set<int> parties);

  // Parties whose message of this step has not come.
  std::set<int> awaited() const;
  void receive(int from, std::span<const std::uint8_t> message);
  void drop(int party);

  struct Outgoing {
    int to;
    Bytes message;
  };
  // Once nobody is awaited: the messages of the next step. An Error if fewer than the threshold are left.
  std::vector<Outgoing> advance();
  bool finished() const { return step_ == SumStep::total; }
  SumTotal total() const { return {sum_, static_cast<int>(survivors_.size())}; }  // when it has finished
  const std::set<int>& left() const { return left_; }

 private:
  std::vector<Outgoing> to_all(const Bytes& body) const;
  std::vector<Outgoing> hand_out_keys() const;
  std::vector<Outgoing> hand_out_shares();
  std::vector<Outgoing> name_survivors();
  std::vector<Outgoing> hand_out_confirmations();
  std::vector<Outgoing> hand_out_total();
  void take_masked(std::span<const std::uint8_t> body);
  void take_unmasking(int from, std::span<const std::uint8_t> body);
  void unmask();

  SumRound round_;
  SumStep step_ = SumStep::keys;  // the step of the awaited messages
  std::set<int> left_, answered_;
  std::vector<int> stopped_;  // in this round
  std::map<int, KeyNotice> keys_;
  std::map<int, std::map<int, Bytes>> sealed_;  // by receiver and sender
  std::map<int, std::map<int, PublicKey>> confirmations_;
  std::set<int> sharing_, survivors_;            // who sent shares; who sent masked numbers
  std::map<int, std::vector<Share>> unmasking_;  // of a survivor's seed, or of the mask key of another client
  std::vector<std::uint64_t> sum_;
};

}  // namespace tulle
