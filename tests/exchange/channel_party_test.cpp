#include "channel_party.hpp"

#include "embedded_channel.hpp"

#include <tulle/base/error.hpp>
#include <tulle/exchange/embedded.hpp>

#include <gtest/gtest.h>

#include <array>
#include <deque>
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
