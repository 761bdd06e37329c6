#include "channel_party.hpp"

#include "embedded_channel.hpp"

#include <tulle/base/error.hpp>
#include <tulle/exchange/embedded.hpp>

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <functional>
#include <future>

namespace tulle {
namespace {

TEST(Mailbox, HandsOutWhatArrivedBeforeASenderWent) {
  Mailbox mailbox(2);
  mailbox.put(1, {7});
  mailbox.put(1, {8});
  mailbox.close(1);
  EXPECT_EQ(mailbox.take(1), Bytes{7});
  EXPECT_EQ(mailbox.take(1), Bytes{8});
  EXPECT_EQ(mailbox.take(1), std::nullopt);
  EXPECT_EQ(mailbox.take(1), std::nullopt);
}

TEST(ChannelParty, AllHaveWhatOneBroadcasts) {
  const EmbeddedEnds ends = run_embedded({3, 3, 1}, [](Party& party) {
    for (int from = 0; from < 3; ++from) {
      const Bytes own = {static_cast<std::uint8_t>(party.rank()), 9};
      EXPECT_EQ(party.broadcast(own, from), (Bytes{static_cast<std::uint8_t>(from), 9}));
    }
    EXPECT_THROW(party.broadcast({}, 3), Error);
  });
  EXPECT_FALSE(ends.first);
}

// How two parties with terms of their own end: the message of each, empty where there is none.
std::pair<std::string, std::string> ends_of(const SumTerms& first, const SumTerms& second) {
  std::deque<Mailbox> mailboxes;
  for (int party = 0; party < 2; ++party) mailboxes.emplace_back(2);
  const auto message_of = [&](int rank, const SumTerms& terms) -> std::string {
    try {
      EmbeddedChannel channel(mailboxes, rank);
      ChannelParty party(channel, terms);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  auto other = std::async(std::launch::async, message_of, 0, first);
  std::string own = message_of(1, second);
  return {other.get(), std::move(own)};
}

// Parties that were started with other options find out before anything is added up.
TEST(ChannelParty, WhatAllMustAgreeOnIsCompared) {
  const auto differ = ends_of({2, 2, 1, {"epsilon 1", "range 1:5"}}, {2, 2, 1, {"epsilon 1", "range 0:9"}});
  EXPECT_EQ(differ.first,
            "site 2 runs with range 0:9, site 1 with range 1:5; give all sites the same study and options");
  EXPECT_EQ(differ.second,
            "site 1 runs with range 1:5, site 2 with range 0:9; give all sites the same study and options");
  EXPECT_NE(ends_of({2, 2, 1}, {2, 2, 0}).first, "") << "of colluding sites";
  EXPECT_EQ(ends_of({2, 2, 1, {"epsilon 1"}}, {2, 2, 1, {"epsilon 1"}}).second, "");
}

// What the first party sends to the third is altered on the way, where the test says.
class AlteringChannel : public EmbeddedChannel {
 public:
  using Alter = std::function<void(Bytes& message)>;
  AlteringChannel(std::deque<Mailbox>& mailboxes, int rank, Alter alter)
      : EmbeddedChannel(mailboxes, rank), alter_(std::move(alter)) {}

  void send(int to, Bytes message) override {
    if (rank() == 0 && to == 2) alter_(message);
    EmbeddedChannel::send(to, std::move(message));
  }

 private:
  Alter alter_;
};

// How far each of four parties comes in a broadcast and two sums, of which the first party carries the
// messages: the sums that it got, and why it ended.
struct End {
  int sums = 0;
  std::string why;
};
std::vector<End> ends_with(const AlteringChannel::Alter& alter) {
  constexpr int kParties = 4;
  std::deque<Mailbox> mailboxes;
  for (int party = 0; party < kParties; ++party) mailboxes.emplace_back(kParties);
  const auto run = [&](int rank) {
    End end;
    try {
      AlteringChannel channel(mailboxes, rank, alter);
      ChannelParty party(channel, {kParties, 3, 1});
      party.broadcast({7}, 0);
      for (; end.sums < 2; ++end.sums) party.sum(std::array<std::uint64_t, 2>{1, 2});
    } catch (const Error& error) {
      end.why = error.what();
    }
    return end;
  };
  std::vector<std::future<End>> running;
  for (int rank = 0; rank < kParties; ++rank) running.push_back(std::async(std::launch::async, run, rank));
  std::vector<End> ends;
  for (std::future<End>& end : running) ends.push_back(end.get());
  return ends;
}

TEST(ChannelParty, MessagesThatAreNotAlteredEndInSums) {
  for (const End& end : ends_with([](Bytes&) {})) EXPECT_EQ(end.sums, 2) << end.why;
}

// What a party adds follows from what it heard before. A byte of kind, one of format, 16 of the session, 8 of
// the round and the step come before the body of a sum's message.
TEST(ChannelParty, APartyThatWasToldAnotherTotalTakesPartInNoOtherSum) {
  const std::vector<End> ends = ends_with([](Bytes& message) {
    if (message.size() > 26 && message[26] == static_cast<std::uint8_t>(SumStep::total)) message.back() ^= 1;
  });
  EXPECT_EQ(ends[2].sums, 1) << "a total that was altered is not noticed at once";
  for (const End& end : ends) EXPECT_LT(end.sums, 2);
}

TEST(ChannelParty, APartyThatWasSentAnotherBroadcastTakesPartInNoSum) {
  const std::vector<End> ends = ends_with([](Bytes& message) {
    if (message == Bytes{0, 7}) message.back() = 8;
  });
  for (const End& end : ends) EXPECT_EQ(end.sums, 0);
}

// A number travels once to the hub and once back; the rest of a round is keys and shares, whatever the
// length.
TEST(ChannelParty, BytesPerRoundAreThoseOfTheNumbersAndAConstant) {
  std::array<std::uint64_t, 2> sent{}, received{};
  for (const std::size_t length : {std::size_t{0}, std::size_t{1000}}) {
    const EmbeddedEnds ends = run_embedded({4, 3, 1}, [&](Party& party) {
      const Traffic before = party.traffic();
      party.sum(std::vector<std::uint64_t>(length));
      if (party.rank() != 2) return;
      EXPECT_EQ(party.traffic().rounds, 1u);
      sent[length > 0] = party.traffic().sent - before.sent;
      received[length > 0] = party.traffic().received - before.received;
    });
    EXPECT_FALSE(ends.first);
  }
  EXPECT_EQ(sent[1] - sent[0], 8000u);
  EXPECT_EQ(received[1] - received[0], 8000u);
  EXPECT_LT(sent[0] + received[0], 2000u) << "of 4 sites";
}

}  // namespace
}  // namespace tulle
