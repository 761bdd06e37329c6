#include "channel.hpp"

#include <tulle/base/error.hpp>
#include <tulle/exchange/embedded.hpp>

#include <gtest/gtest.h>

#include <array>

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
