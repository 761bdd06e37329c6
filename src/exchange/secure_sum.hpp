// A sum that shows nobody the summands, as messages in and messages out (Bonawitz et al. 2017).
//
// Whole numbers are added modulo 2^64. Clients (one per party) talk to a hub, which any party may run, or a
// server that is no client, and which learns no more than the clients do. One round, all of whose keys are
// new:
//   keys      a client sends a public key for masks, and a commitment to the seed of its self-mask;
//   shares    it sends every other client its shares (Shamir) of the secret mask key and of the seed, sealed
//             under a key of the pair. What is sealed is bound to the round, to the totals and broadcasts of
//             all rounds before it, and to the whole list of keys that the client saw: a hub that tells
//             clients different things is noticed when shares are opened, before numbers are sent;
//   masked    it sends its numbers + its self-mask +- one mask for every client whose shares it has, made
//             from the key that the two agree on (X25519) by AES-256 in counter mode. In the sum of both
//             the mask cancels;
//   agreed    the hub says whose numbers arrived. A client sends each of those a confirmation of what it was
//             told: keys, who shared, who is in the sum; authenticated under a key of the pair;
//   unmask    when `threshold` clients, itself included, have confirmed the same to it, it sends its shares
//             of the seeds of those whose numbers arrived, and of the mask keys of the others: for each
//             client one of the two, never both. The hub joins them, subtracts the self-masks, and the
//             masks of clients that stopped before they sent their numbers;
//   total     the hub sends the sum to all that are left.
// Clients may stop at any time; the sum needs `threshold` of them at every step.
//
// Who learns what. Let c clients and the hub put together what they know, and let them have the
// hub say different things to different clients. check_sum_terms demands n + c < 2 t, so that two sets of
// t - c honest clients each have one in common; t > c follows.
// - Two honest clients that unmask were told the same: t - c honest ones at least have confirmed it to each,
//   and each confirms one thing. They answer the same questions, so the seeds of those in the sum are known
//   then, and the mask keys of those who shared and are not in it; of every other secret the c parties have
//   their own shares, fewer than t.
// - An honest client that is in the sum has masks with t - c honest ones, itself included, whatever it was
//   told. One of these unmasks, and has masks with all honest ones in the sum. Masks of two honest ones in
//   the sum are not known, since neither's mask key is. So all that is seen of it is the sum over all honest
//   ones in the sum, of which there are t - c at least.
// - What a client adds, and how much noise, follows from what was agreed on before the first round and from
//   totals and broadcasts since. It sends its numbers when t clients, t - c honest ones at least, itself
//   included, have shared with it; those were told the same as it was. So two honest clients in a sum were.
// - Where no honest client unmasks, no seed is known, and every message is hidden by its self-mask.
// This rests on AES-256, X25519, SHA-256, and on the identity keys of a session being those of the parties.
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

using SessionId = std::array<std::uint8_t, 16>;

// What is fixed for all rounds, and known to all.
struct SumSession {
  SumTerms terms;
  std::vector<PublicKey> identities;  // of every party, made for this session
  SessionId id{};                     // of these keys and of what was agreed on

  SumSession(const SumTerms& terms, std::vector<PublicKey> identities);
};

enum class SumStep : std::uint8_t { keys, shares, masked, agreed, unmask, total };

struct KeyNotice {
  PublicKey mask_key{};
  PublicKey commitment{};  // SHA-256 of the seed
};

class SumClient {
 public:
  SumClient(const SumSession& session, int rank, const KeyPair& identity, std::uint64_t round,
            std::vector<std::uint64_t> own, RandomBits& bits, const Secret& heard = {});

  Bytes start();  // the first message to the hub
  // Takes a message of the hub, answers with the next one to it, or with nothing after the total. An Error
  // where it was altered, or is not the next one of this round.
  std::optional<Bytes> receive(std::span<const std::uint8_t> message);

  bool finished() const { return total_.has_value(); }
  SumTotal take_total() { return std::move(*total_); }

 private:
  Bytes share(std::span<const std::uint8_t> body);
  Bytes mask(std::span<const std::uint8_t> body);
  Bytes confirm(std::span<const std::uint8_t> body);
  Bytes unmask(std::span<const std::uint8_t> body);
  Bytes unmasking() const;
  void read_total(std::span<const std::uint8_t> body);
  // Of what `from` seals for `to`, or confirms to it, with the key of the two.
  Secret pair_key(const char* purpose, int from, int to) const;
  Bytes seal_context(int from, int to) const;
  Secret confirmation(int from, int to) const;

  struct Shares {
    Secret mask_key, seed;
  };

  const SumSession& session_;
  int rank_;
  const KeyPair& identity_;
  std::uint64_t round_;
  std::size_t length_;
  std::vector<std::uint64_t> own_;
  RandomBits& bits_;
  Secret heard_;                  // a digest of what the parties were told before this round
  SumStep step_ = SumStep::keys;  // the one whose message of the hub comes next
  KeyPair mask_pair_;
  Secret seed_;
  std::map<int, KeyNotice> keys_;
  Secret keys_digest_;            // of the list, as it came, and of what was heard before
  std::map<int, Shares> shares_;  // of the others' secrets and of its own
  std::set<int> survivors_;       // whose numbers are in the sum, as the hub says
  Secret view_digest_;            // of all that the hub said
  std::optional<SumTotal> total_;
};

class SumHub {
 public:
  // Between the given parties, of `length` numbers each.
  SumHub(const SumSession& session, std::uint64_t round, std::size_t length, std::set<int> parties);

  // Parties whose message of this step has not come.
  std::set<int> awaited() const;
  void receive(int from, std::span<const std::uint8_t> message);
  void drop(int party);

  struct Outgoing {
    int to;
    Bytes message;
  };
  // When nobody is awaited: the messages of the next step. An Error when fewer than the threshold are left.
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

  const SumSession& session_;
  std::uint64_t round_;
  SumStep step_ = SumStep::keys;  // of the messages that are awaited
  std::set<int> left_, answered_;
  std::vector<int> stopped_;  // in this round
  std::map<int, KeyNotice> keys_;
  std::map<int, std::map<int, Bytes>> sealed_;  // by receiver and sender
  std::map<int, std::map<int, PublicKey>> confirmations_;
  std::set<int> sharing_, survivors_;            // that sent shares, and masked numbers
  std::map<int, std::vector<Share>> unmasking_;  // of the seed of a survivor, or of the mask key of another
  std::vector<std::uint64_t> sum_;
};

// The round that a message is of.
std::uint64_t round_of(std::span<const std::uint8_t> message);

}  // namespace tulle
