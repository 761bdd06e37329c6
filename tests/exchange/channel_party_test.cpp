#include "channel_party.hpp"

#include "embedded_channel.hpp"

#include <tulle/base/error.hpp>
#include <tulle/exchange/embedded.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
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

TEST(Mailbox, FetchesALongMessageWhenItIsTaken) {
  Mailbox mailbox(2);
  mailbox.announce(1, 3);
  mailbox.announce(1, 1'000'000'000);
  EXPECT_EQ(mailbox.next(1), 3u);
  EXPECT_EQ(mailbox.room(1), std::nullopt) << "before it is taken";
  auto taken = std::async(std::launch::async, [&] { return mailbox.take(1); });
  std::optional<Bytes> room;
  while (!room) room = mailbox.room(1);
  EXPECT_EQ(room->size(), 3u);
  mailbox.fill(1, {7, 8, 9});
  EXPECT_EQ(taken.get(), (Bytes{7, 8, 9}));
  EXPECT_EQ(mailbox.next(1), 1'000'000'000u);
  mailbox.close(1);
  EXPECT_EQ(mailbox.next(1), std::nullopt) << "what was announced will not come";
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

constexpr SumTerms with_server(int parties, int threshold, int colluding) {
  return {.parties = parties, .threshold = threshold, .colluding = colluding, .server = true};
}

// What the server gives is not in the sum, and it hears what the parties say.
TEST(ChannelParty, AServerAddsUpWithoutNumbersOfItsOwn) {
  std::atomic<int> servers = 0;
  const EmbeddedEnds ends = run_embedded(with_server(3, 3, 1), [&](Party& party) {
    EXPECT_EQ(party.size(), 3);
    servers += party.is_server();
    EXPECT_EQ(party.broadcast({static_cast<std::uint8_t>(party.rank())}, 1), Bytes{1});
    for (std::uint64_t round = 1; round <= 2; ++round) {
      const SumTotal total =
          party.sum(std::array<std::uint64_t, 2>{round, static_cast<std::uint64_t>(party.rank())});
      EXPECT_EQ(total.values, (std::vector<std::uint64_t>{3 * round, 3}));
      EXPECT_EQ(total.parties, 3);
    }
  });
  EXPECT_FALSE(ends.first);
  EXPECT_EQ(ends.failures.size(), 4u);
  EXPECT_EQ(servers, 1);
}

TEST(ChannelParty, WithAServerAnyPartyMayStop) {
  std::atomic<int> finished = 0;
  const EmbeddedEnds ends = run_embedded(with_server(4, 3, 1), [&](Party& party) {
    party.sum(std::array<std::uint64_t, 1>{1});
    if (party.rank() == 0) fail("out of memory");
    EXPECT_EQ(party.sum(std::array<std::uint64_t, 1>{1}).parties, 3);
    if (party.is_server()) {
      EXPECT_EQ(party.stopped(), std::set<int>{0});
    }
    ++finished;
  });
  EXPECT_EQ(finished, 4) << "three parties and the server";
  EXPECT_TRUE(ends.failures[0]);
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

// What one who carries the messages sends to the third party is altered on the way, where the test says.
class AlteringChannel : public EmbeddedChannel {
 public:
  using Alter = std::function<void(Bytes& message)>;
  AlteringChannel(std::deque<Mailbox>& mailboxes, int rank, int hub, Alter alter)
      : EmbeddedChannel(mailboxes, rank), hub_(hub), alter_(std::move(alter)) {}

  void send(int to, Bytes message) override {
    if (rank() == hub_ && to == 2) alter_(message);
    EmbeddedChannel::send(to, std::move(message));
  }

 private:
  int hub_;
  Alter alter_;
};

// How far each of four parties, and the server if there is one, comes in a broadcast of the first and two
// sums: the sums that it got, and why it ended.
struct End {
  int sums = 0;
  std::string why;
};
std::vector<End> ends_with(const AlteringChannel::Alter& alter, const SumTerms& terms = {4, 3, 1}) {
  const int parties = terms.parties + terms.server;
  std::deque<Mailbox> mailboxes;
  for (int party = 0; party < parties; ++party) mailboxes.emplace_back(parties);
  const auto run = [&](int rank) {
    End end;
    try {
      AlteringChannel channel(mailboxes, rank, terms.hub(), alter);
      ChannelParty party(channel, terms);
      party.broadcast({7}, 0);
      for (; end.sums < 2; ++end.sums) party.sum(std::array<std::uint64_t, 2>{1, 2});
    } catch (const Error& error) {
      end.why = error.what();
    }
    return end;
  };
  std::vector<std::future<End>> running;
  for (int rank = 0; rank < parties; ++rank) running.push_back(std::async(std::launch::async, run, rank));
  std::vector<End> ends;
  for (std::future<End>& end : running) ends.push_back(end.get());
  return ends;
}

TEST(ChannelParty, MessagesThatAreNotAlteredEndInSums) {
  for (const End& end : ends_with([](Bytes&) {})) EXPECT_EQ(end.sums, 2) << end.why;
}

// What a party adds follows from what it heard before. A byte of kind, one of format, 32 of the session, 8 of
// the round and the step come before the body of a sum's message.
TEST(ChannelParty, APartyThatWasToldAnotherTotalTakesPartInNoOtherSum) {
  const auto alter = [](Bytes& message) {
    if (message.size() > 42 && message[42] == static_cast<std::uint8_t>(SumStep::total)) message.back() ^= 1;
  };
  for (const SumTerms& terms : {SumTerms{4, 3, 1}, with_server(4, 3, 1)}) {
    const std::vector<End> ends = ends_with(alter, terms);
    EXPECT_EQ(ends[2].sums, 1) << "a total that was altered is not noticed at once";
    for (const End& end : ends) EXPECT_LT(end.sums, 2);
  }
}

TEST(ChannelParty, APartyThatWasSentAnotherBroadcastTakesPartInNoSum) {
  const std::vector<End> ends = ends_with([](Bytes& message) {
    if (message == Bytes{0, 7}) message.back() = 8;
  });
  for (const End& end : ends) EXPECT_EQ(end.sums, 0);
}

// The same bytes, said by another party, are something else.
TEST(ChannelParty, APartyThatHeardTheSameFromOthersTakesPartInNoSum) {
  for (const bool swapped : {false, true}) {
    const EmbeddedEnds ends = run_embedded({4, 3, 1}, [&](Party& party) {
      const bool swaps = swapped && party.rank() == 2;
      for (int turn : {0, 1}) EXPECT_EQ(party.broadcast({7}, swaps ? 1 - turn : turn), Bytes{7});
      party.sum(std::array<std::uint64_t, 1>{1});
    });
    for (const std::exception_ptr& failure : ends.failures) EXPECT_EQ(static_cast<bool>(failure), swapped);
  }
}

// What is longer than any message of a sum is not taken, and its sender is named.
TEST(ChannelParty, AMessageThatIsTooLongForASumEndsTheRun) {
  for (const SumTerms& terms : {SumTerms{4, 3, 1}, with_server(4, 3, 1)}) {
    const EmbeddedEnds ends = run_embedded(terms, [](Party& party) {
      if (party.rank() == 2) party.broadcast(Bytes(10'000), 2);
      party.sum(std::vector<std::uint64_t>(1000));
    });
    try {
      std::rethrow_exception(ends.failures[static_cast<std::size_t>(terms.hub())]);
    } catch (const Error& error) {
      EXPECT_STREQ(
          error.what(),
          "site 3 sends a message of 10001 bytes, where at most 8369 are expected; give all sites the "
          "same study and options");
    }
  }
}

TEST(ChannelParty, AMessageOfTheHubThatIsTooLongEndsTheRun) {
  const std::vector<End> ends = ends_with([](Bytes& message) {
    if (message.size() > 42 && message[42] == static_cast<std::uint8_t>(SumStep::total)) message.resize(5000);
  });
  EXPECT_EQ(ends[2].sums, 0);
  EXPECT_EQ(ends[2].why,
            "site 1 sends a message of 5000 bytes, where at most 4097 are expected; give all sites the same "
            "study and options");
}

// What the others see of a text that one of them chose: one line, of bounded length, without controls.
TEST(ChannelParty, WordsOfAnotherPartyAreShownAsSuch) {
  const auto why = [](const std::string& words) {
    std::deque<Mailbox> mailboxes;
    for (int party = 0; party < 2; ++party) mailboxes.emplace_back(2);
    Bytes message = {1};  // the end of the run
    message.insert(message.end(), words.begin(), words.end());
    mailboxes[1].put(0, std::move(message));
    try {
      EmbeddedChannel channel(mailboxes, 1);
      ChannelParty party(channel, {2, 2, 1});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(why("out of memory"), "site 1 ended the run: out of memory");
  EXPECT_EQ(why("\x1b[2J\nepsilon 0"), "site 1 ended the run: ?[2J?epsilon 0");
  EXPECT_LT(why(std::string(100'000, 'a')).size(), 600u);
  const std::string differ =
      ends_of({2, 2, 1, {"range 1:5"}}, {2, 2, 1, {"\x1b]0;x\a" + std::string(9999, 'b')}}).first;
  EXPECT_EQ(differ.substr(0, 26), "site 2 runs with ?]0;x?bbb");
  EXPECT_LT(differ.size(), 700u);
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
