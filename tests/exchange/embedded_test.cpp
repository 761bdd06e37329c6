#include <tulle/base/error.hpp>
#include <tulle/exchange/embedded.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <string>

namespace tulle {
namespace {

std::string message_of(const std::exception_ptr& failure) {
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(Embedded, EveryPartyGetsTheSum) {
  std::array<SumTotal, 4> totals;
  const EmbeddedEnds ends = run_embedded({4, 4, 1}, [&](Party& party) {
    EXPECT_EQ(party.size(), 4);
    for (std::uint64_t round = 1; round <= 3; ++round) {
      const std::array<std::uint64_t, 2> own = {static_cast<std::uint64_t>(party.rank()), ~round};
      totals[static_cast<std::size_t>(party.rank())] = party.sum(own);
    }
  });
  EXPECT_FALSE(ends.first);
  for (const SumTotal& total : totals) {
    EXPECT_EQ(total.values, (std::vector<std::uint64_t>{6, 0 - std::uint64_t{16}})) << "4 (-3 - 1)";
    EXPECT_EQ(total.parties, 4);
  }
}

TEST(Embedded, TheOthersFinishWithoutAPartyThatStops) {
  std::atomic<int> finished = 0;
  const EmbeddedEnds ends = run_embedded({4, 3, 1}, [&](Party& party) {
    const std::array<std::uint64_t, 1> one = {1};
    EXPECT_EQ(party.sum(one).values[0], 4u);
    if (party.rank() == 2) fail("out of memory");
    const SumTotal total = party.sum(one);
    EXPECT_EQ(total.values[0], 3u);
    EXPECT_EQ(total.parties, 3);
    ++finished;
  });
  EXPECT_EQ(finished, 3);
  EXPECT_EQ(message_of(ends.first), "out of memory");
  EXPECT_FALSE(ends.failures[0]);
}

TEST(Embedded, TheOthersEndWithOneLineWhenTooManyStop) {
  const EmbeddedEnds ends = run_embedded({3, 3, 1}, [&](Party& party) {
    if (party.rank() == 1) fail("out of memory");
    party.sum(std::array<std::uint64_t, 1>{1});
  });
  const std::string line = "site 2 stopped: 2 of 3 sites are left, and 3 are needed for a sum; the run ends";
  EXPECT_EQ(message_of(ends.first), "out of memory");
  EXPECT_EQ(message_of(ends.failures[0]), line);
  EXPECT_EQ(message_of(ends.failures[2]), "site 1 ended the run: " + line);
}

TEST(Embedded, TheRunEndsWithThePartyThatAddsUp) {
  const EmbeddedEnds ends = run_embedded({3, 2, 0}, [&](Party& party) {
    if (party.rank() == 0) fail("out of memory");
    party.sum(std::array<std::uint64_t, 1>{1});
  });
  EXPECT_EQ(message_of(ends.failures[1]), "site 1, through which the sites add up, stopped; the run ends");
}

TEST(Embedded, TheRunEndsWithTheServer) {
  const EmbeddedEnds ends =
      run_embedded({.parties = 3, .threshold = 2, .colluding = 0, .server = true}, [&](Party& party) {
        if (party.is_server()) fail("out of memory");
        party.sum(std::array<std::uint64_t, 1>{1});
      });
  for (std::size_t site = 0; site < 3; ++site)
    EXPECT_EQ(message_of(ends.failures[site]),
              "the server, through which the sites add up, stopped; the run ends");
}

}  // namespace
}  // namespace tulle
