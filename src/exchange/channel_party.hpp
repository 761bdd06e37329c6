// A party that adds up with the others over a channel. The server, or party 0 beside its own part if there is
// none, runs the hub of every sum, so the run ends when it stops; other parties may stop as far as the
// threshold allows.
#pragma once

#include "channel.hpp"
#include "secure_sum.hpp"

#include <memory>
#include <set>

namespace tulle {

class ChannelParty : public Party {
 public:
  // Exchanges the identity keys of a session. `bits` generates keys and shares.
  ChannelParty(Channel& channel, const SumTerms& terms, RandomBits bits = RandomBits::secure());

  int rank() const override { return channel_.rank(); }
  int size() const override { return sites_; }
  const SumTerms& terms() const override { return session_.terms; }
  SumTotal sum(std::span<const std::uint64_t> own) override;
  Bytes broadcast(Bytes own, int from) override;
  Traffic traffic() const override { return traffic_; }
  std::set<int> stopped() const override;

 private:
  enum class Kind : std::uint8_t { data, ended };
  enum class Heard : std::uint8_t { total, broadcast };

  SumSession exchange_keys(const SumTerms& terms);
  int hub() const { return session_.terms.hub(); }
  SumTotal sum_as_client(SumClient& client);
  SumTotal sum_as_hub(SumClient* client, std::size_t length);  // a server is no client
  void collect(SumHub& hub, std::size_t most);
  void deliver(SumHub& hub, SumClient* client, std::vector<SumHub::Outgoing> messages);
  void end_for_all(const std::string& why);
  void hear(Heard what, int from, std::span<const std::uint8_t> body);
  void send(int to, Kind kind, std::span<const std::uint8_t> body);
  // An Error if the other party ended the run, or if its message is longer than `most` bytes.
  std::optional<Bytes> receive(int from, std::size_t most);

  Channel& channel_;
  int sites_;
  RandomBits bits_;
  KeyPair identity_;
  Traffic traffic_;
  SumSession session_;
  std::set<int> left_;  // parties in the next sum, as far as this party knows; without a server
  Secret heard_;        // a digest of all totals and broadcasts so far, each with its kind, sender and round;
                        // the next sum confirms it
};

}  // namespace tulle
