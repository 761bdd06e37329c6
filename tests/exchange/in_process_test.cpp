#include <tulle/base/error.hpp>
#include <tulle/exchange/in_process.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

namespace tulle {
namespace {

RC_GTEST_PROP(InProcess, MasksCancelExactly, ()) {
  const int parties = *rc::gen::inRange(2, 7);
  const std::size_t length = *rc::gen::inRange<std::size_t>(0, 40);
  InProcessExchange exchange(parties);
  RC_ASSERT(exchange.parties() == parties);
  const auto round = exchange.open(length);
  std::vector<std::uint64_t> expected(length);
  for (int party = parties - 1; party >= 0; --party) {
    const auto numbers =
        *rc::gen::container<std::vector<std::uint64_t>>(length, rc::gen::arbitrary<std::uint64_t>());
    for (std::size_t i = 0; i < length; ++i) expected[i] += numbers[i];
    round->contribute(party, numbers);
  }
  RC_ASSERT(round->total() == expected);
}

TEST(InProcess, NoTotalBeforeAllHaveContributed) {
  InProcessExchange exchange(3);
  const auto round = exchange.open(1);
  const std::array<std::uint64_t, 1> one = {1};
  round->contribute(0, one);
  EXPECT_THROW(round->contribute(0, one), Error);
  EXPECT_THROW(round->contribute(3, one), Error);
  EXPECT_THROW(round->contribute(1, std::array<std::uint64_t, 2>{1, 2}), Error);
  round->contribute(2, one);
  EXPECT_THROW(round->total(), Error);
  round->contribute(1, one);
  EXPECT_EQ(round->total(), std::vector<std::uint64_t>{3});
  EXPECT_THROW(InProcessExchange(1), UsageError);
}

}  // namespace
}  // namespace tulle
