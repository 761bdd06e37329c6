#include "secure_sum.hpp"

#include "sum_keys.hpp"
#include "sum_message.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <functional>

namespace tulle {
namespace {

using Numbers = std::vector<std::uint64_t>;

// All parties of a session, whose messages a test can look at, alter or lose.
class Sites {
 public:
  explicit Sites(const SumTerms& terms, std::uint64_t seed = 1) : bits_(RandomBits::seeded(seed)) {
    std::vector<PublicKey> keys;
    for (int party = 0; party < terms.parties; ++party)
      keys.push_back(identities_.emplace_back(random_secret(bits_)).public_key());
    session_.emplace(terms, keys);
  }

  // Starts a round, and sends what the clients send first.
  void open(const std::vector<Numbers>& numbers, std::uint64_t round = 1, std::map<int, Secret> heard = {}) {
    clients_.clear();
    std::set<int> all;
    for (int party = 0; party < session_->terms.parties; ++party) {
      const auto place = static_cast<std::size_t>(party);
      clients_.emplace_back(*session_, party, identities_[place], round, numbers[place], bits_, heard[party]);
      all.insert(party);
    }
    hub_.emplace(*session_, round, numbers[0].size(), all);
    answers_.clear();
    for (int party : all) answers_[party] = clients_[static_cast<std::size_t>(party)].start();
  }

  // The hub takes all answers, and the clients its messages, altered as said. Parties in `stopping` get none.
  void step(
      const std::set<int>& stopping = {},
      const std::function<void(int to, Bytes& message)>& alter = [](int, Bytes&) {}) {
    for (const auto& [party, answer] : answers_) hub_->receive(party, answer);
    answers_.clear();
    for (SumHub::Outgoing& outgoing : hub_->advance()) {
      alter(outgoing.to, outgoing.message);
      if (stopping.contains(outgoing.to)) {
        hub_->drop(outgoing.to);
        continue;
      }
      sent_[outgoing.to] = outgoing.message;
      if (auto answer = client(outgoing.to).receive(outgoing.message)) answers_[outgoing.to] = *answer;
    }
  }
  void finish() {
    while (!hub_->finished()) step();
  }

  SumClient& client(int party) { return clients_[static_cast<std::size_t>(party)]; }
  SumHub& hub() { return *hub_; }
  std::map<int, Bytes>& answers() { return answers_; }
  std::map<int, Bytes>& sent() { return sent_; }  // the last message of the hub to each client
  SumRound round(std::uint64_t number = 1) const { return {*session_, number, 0}; }

 private:
  RandomBits bits_;
  std::deque<KeyPair> identities_;
  std::optional<SumSession> session_;
  std::deque<SumClient> clients_;
  std::optional<SumHub> hub_;
  std::map<int, Bytes> answers_, sent_;
};

std::vector<Numbers> ones(int parties, std::size_t length = 3) {
  return std::vector<Numbers>(static_cast<std::size_t>(parties), Numbers(length, 1));
}

// The key stream of AES-256 with a key of zeros at counters 2, whose first half is the first word: the two
// blocks before it are the next key. Its blocks are those of test cases 13 and 14 of GCM (McGrew and Viega
// 2004).
TEST(SecureSum, MasksAreTheKeyStreamOfAes) {
  Numbers numbers = {0, 5};
  add_mask({}, true, numbers);
  EXPECT_EQ(numbers, (Numbers{0x6e6b604d3d40a7ceu, 0x189df3bad3c54e07u + 5}));
  add_mask({}, false, numbers);
  EXPECT_EQ(numbers, (Numbers{0, 5}));
}

RC_GTEST_PROP(SecureSum, AddsUpWhatArrivedWhoeverStops, ()) {
  const int parties = *rc::gen::inRange(2, 8);
  const int colluding = *rc::gen::inRange(0, parties);
  const SumTerms terms{parties, *rc::gen::inRange(least_threshold(parties, colluding), parties + 1),
                       colluding};
  Sites sites(terms, *rc::gen::arbitrary<std::uint64_t>());
  std::vector<Numbers> numbers;
  for (int party = 0; party < parties; ++party)
    numbers.push_back(*rc::gen::container<Numbers>(2, rc::gen::arbitrary<std::uint64_t>()));
  sites.open(numbers);
  Numbers expected(2);
  std::set<int> included, left;
  for (int party = 0; party < parties; ++party) left.insert(party);
  for (int step = 0; step < 5; ++step) {
    if (step == 2) included = left;  // those who got all shares and sent their numbers
    std::set<int> stopping;
    for (int party : left)
      if (static_cast<int>(left.size() - stopping.size()) > terms.threshold && *rc::gen::inRange(0, 4) == 0)
        stopping.insert(party);
    for (int party : stopping) left.erase(party);
    sites.step(stopping);
  }
  for (int party : included)
    for (std::size_t i = 0; i < 2; ++i) expected[i] += numbers[static_cast<std::size_t>(party)][i];
  const SumTotal total = sites.client(*left.begin()).take_total();
  RC_ASSERT(total.values == expected);
  RC_ASSERT(total.parties == static_cast<int>(included.size()));
}

TEST(SecureSum, TheSameNumbersAreSentUnderNewMasksInEveryRound) {
  Sites sites({3, 3, 1});
  std::map<int, Bytes> first;
  for (std::uint64_t round : {1, 2}) {
    sites.open(ones(3, 50), round);
    sites.step(), sites.step();
    for (const auto& [party, message] : sites.answers()) {
      const auto body = body_of(message, sites.round(round), SumStep::masked);
      if (round == 1)
        first[party] = {body.begin(), body.end()};
      else
        for (std::size_t word = 0; word < 50; ++word)
          EXPECT_FALSE(std::equal(body.begin() + 8 * word, body.begin() + 8 * word + 8,
                                  first[party].begin() + 8 * static_cast<std::ptrdiff_t>(word)));
    }
    sites.finish();
    EXPECT_EQ(sites.client(1).take_total().values, Numbers(50, 3));
  }
}

TEST(SecureSum, AnAlteredShareIsRefused) {
  Sites sites({3, 3, 1});
  sites.open(ones(3));
  sites.step();
  EXPECT_THROW(sites.step({},
                          [](int to, Bytes& message) {
                            if (to == 2) message.back() ^= 1;
                          }),
               Error);
}

// A hub that shows a client a key of its own instead of another client's would know the mask of the two. The
// other clients' shares do not open then, since they are bound to the list as those clients saw it.
TEST(SecureSum, ClientsThatSawDifferentKeysNotice) {
  RandomBits bits = RandomBits::seeded(7);
  const KeyPair own(random_secret(bits));
  Sites sites({3, 3, 1});
  sites.open(ones(3));
  sites.step({}, [&](int to, Bytes& message) {
    if (to != 1) return;
    // The list ends with (key, commitment) of client 2.
    std::ranges::copy(own.public_key(), message.end() - 2 * static_cast<std::ptrdiff_t>(kKeyBytes));
  });
  EXPECT_THROW(sites.step(), Error);
}

// What a client adds follows from earlier totals: with others, its noise would not be what the others count
// on.
TEST(SecureSum, ClientsThatHeardDifferentTotalsSendNoNumbers) {
  Sites sites({4, 3, 1});
  std::map<int, Secret> heard;
  heard[2] = sha256(Bytes{1});
  sites.open(ones(4), 2, heard);
  sites.step();
  for (const auto& [party, answer] : sites.answers()) sites.hub().receive(party, answer);
  for (const SumHub::Outgoing& outgoing : sites.hub().advance())
    EXPECT_THROW(sites.client(outgoing.to).receive(outgoing.message), Error) << outgoing.to;
}

TEST(SecureSum, OldMessagesAreRefused) {
  Sites sites({3, 3, 1});
  sites.open(ones(3));
  const Bytes keys_of_round_1 = sites.answers()[1];
  sites.step();
  EXPECT_THROW(sites.hub().receive(1, keys_of_round_1), Error) << "of an earlier step";
  const Bytes list_of_round_1 = sites.sent()[1];
  sites.finish();
  EXPECT_THROW(sites.client(1).receive(sites.sent()[1]), Error) << "after the total";
  sites.open(ones(3), 2);
  EXPECT_THROW(sites.hub().receive(1, keys_of_round_1), Error) << "of an earlier round";
  EXPECT_THROW(sites.client(1).receive(list_of_round_1), Error) << "of an earlier round";
  Sites others({3, 3, 1}, 2);
  others.open(ones(3));
  EXPECT_THROW(others.client(1).receive(list_of_round_1), Error) << "of another session";
}

TEST(SecureSum, AClientThatRefusedAMessageTakesNoOther) {
  Sites sites({3, 3, 1});
  sites.open(ones(3));
  sites.step();
  EXPECT_THROW(sites.client(1).receive(sites.sent()[1]), Error) << "twice";
  EXPECT_THROW(sites.step(), Error) << "the next message, which is as it should be";
}

// A colluding site that announces the mask key of site 3 as its own would have the same mask with site 2,
// with the other sign: the two cancel, and what hides the numbers of site 2 is its self-mask, which is
// revealed.
TEST(SecureSum, AMaskKeyThatIsACopyIsRefused) {
  Sites sites({3, 3, 1});
  sites.open(ones(3));
  EXPECT_THROW(sites.step({},
                          [](int to, Bytes& message) {
                            const auto key_of = [&](int site) {
                              return message.end() - 2 * static_cast<std::ptrdiff_t>(kKeyBytes) * (3 - site);
                            };
                            if (to == 1) std::copy_n(key_of(2), kKeyBytes, key_of(0));
                          }),
               Error);
}

TEST(SecureSum, AFalseShareOfASeedIsNoticed) {
  Sites sites({3, 3, 1});
  sites.open(ones(3));
  sites.step(), sites.step(), sites.step(), sites.step();
  sites.answers()[2].back() ^= 1;
  EXPECT_THROW(sites.step(), Error);
}

Bytes list_of(const Sites& sites, const std::set<int>& parties) {
  WireWriter list;
  begin_message(list, sites.round(), SumStep::masked);
  write_parties(list, parties);
  return list.take();
}

// A hub that names other survivors to every client, each list with the threshold, would get the seed of
// client 1 from some and the mask keys of clients 2 and 3, whose masks client 1 adds, from others: all that
// hides the numbers of client 1. No client answers: none has a confirmation of its own list from four.
TEST(SecureSum, AHubThatNamesOtherSurvivorsToOtherClientsGetsNoShare) {
  Sites sites({6, 4, 1});
  sites.open(ones(6));
  sites.step(), sites.step();
  const std::map<int, std::set<int>> lists = {{0, {0, 1, 2, 3, 4, 5}}, {1, {0, 1, 2, 3}},
                                              {2, {0, 1, 2, 4, 5}},    {3, {0, 1, 3, 4, 5}},
                                              {4, {0, 1, 4, 5}},       {5, {0, 1, 4, 5}}};
  sites.step({}, [&](int to, Bytes& message) { message = list_of(sites, lists.at(to)); });
  for (const auto& [party, answer] : sites.answers())
    EXPECT_NO_THROW(body_of(answer, sites.round(), SumStep::agreed)) << "no share, but a confirmation";
  for (const auto& [party, answer] : sites.answers()) sites.hub().receive(party, answer);
  for (const SumHub::Outgoing& outgoing : sites.hub().advance())
    EXPECT_THROW(sites.client(outgoing.to).receive(outgoing.message), Error) << outgoing.to;
}

// Confirmations that do not fit may be left out; the others are too few then. (Clients 2 and 3 were told
// the same and confirm it to each other.)
TEST(SecureSum, AClientWantsConfirmationsOfTheThreshold) {
  Sites sites({4, 3, 1});
  sites.open(ones(4));
  sites.step(), sites.step();
  sites.step({}, [&](int to, Bytes& message) {
    if (to > 1) message = list_of(sites, {1, 2, 3});
  });
  WireReader reader(body_of(sites.answers()[3], sites.round(), SumStep::agreed));
  WireWriter writer;
  begin_message(writer, sites.round(), SumStep::agreed);
  write_parties(writer, {3});
  while (!reader.rest().empty()) {
    const int to = reader.number<std::uint8_t>();
    const auto confirmation = reader.array<PublicKey>();
    if (to == 2) writer.bytes(confirmation);
  }
  EXPECT_THROW(sites.client(2).receive(writer.written()), Error) << "2 of 3";
}

// The hub told client 1 of fewer who share than the others: their masks with it are not in what it sends.
TEST(SecureSum, ClientsThatWereToldOfOtherSharesNotice) {
  Sites sites({4, 3, 1});
  sites.open(ones(4));
  sites.step();
  sites.step({}, [&](int to, Bytes& message) {
    if (to != 1) return;
    WireWriter fewer;
    begin_message(fewer, sites.round(), SumStep::shares);
    write_parties(fewer, {0, 2});
    const std::size_t head = fewer.written().size();
    fewer.bytes(std::span(message).subspan(head + 1, 2 * kSealedBytes));
    message = fewer.take();
  });
  sites.step({3}, [&](int, Bytes& message) { message = list_of(sites, {0, 1, 2}); });
  for (const auto& [party, answer] : sites.answers()) sites.hub().receive(party, answer);
  for (const SumHub::Outgoing& outgoing : sites.hub().advance())
    EXPECT_THROW(sites.client(outgoing.to).receive(outgoing.message), Error) << outgoing.to;
}

// The seed and the mask key of a client together unmask its numbers: a client answers once, for all others.
TEST(SecureSum, AClientAnswersOneQuestionAboutSurvivors) {
  Sites sites({4, 3, 1});
  sites.open(ones(4));
  sites.step(), sites.step(), sites.step();
  WireWriter list;
  begin_message(list, sites.round(), SumStep::masked);
  write_parties(list, {0, 1, 2});
  EXPECT_THROW(sites.client(0).receive(list.written()), Error);
}

TEST(SecureSum, AClientRefusesASumOverFewerThanTheThreshold) {
  Sites sites({4, 3, 1});
  sites.open(ones(4));
  sites.step(), sites.step();
  WireWriter list;
  begin_message(list, sites.round(), SumStep::masked);
  write_parties(list, {0, 1});
  EXPECT_THROW(sites.client(0).receive(list.written()), Error);
}

TEST(SecureSum, ATotalHasTheLengthAndTheSitesThatTheClientExpects) {
  for (const auto& [parties, numbers] : {std::pair{3, 2}, {4, 3}, {3, 4}}) {
    Sites sites({3, 3, 1});
    sites.open(ones(3));
    sites.step(), sites.step(), sites.step(), sites.step();
    WireWriter total;
    begin_message(total, sites.round(), SumStep::total);
    total.number(static_cast<std::uint16_t>(parties)).words(Numbers(static_cast<std::size_t>(numbers)));
    EXPECT_THROW(sites.client(1).receive(total.written()), Error) << parties << " " << numbers;
  }
}

TEST(SecureSum, TheHubNamesWhoStopped) {
  Sites sites({4, 3, 1});
  sites.open(ones(4));
  try {
    sites.step({1, 2});
    sites.step();
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "site 2, 3 stopped: 2 of 4 sites are left, and 3 are needed for a sum; the run ends");
  }
}

TEST(SecureSum, CutOffMessagesAreRefused) {
  Sites sites({2, 2, 1});
  sites.open(ones(2));
  for (std::size_t length = 0; length < sites.answers()[0].size(); ++length)
    EXPECT_THROW(sites.hub().receive(0, std::span(sites.answers()[0]).first(length)), Error) << length;
  sites.step(), sites.step();
  sites.answers()[0].resize(sites.answers()[0].size() - 8);
  EXPECT_THROW(sites.step(), Error) << "one number less";
}

}  // namespace
}  // namespace tulle
