#include "privacy/noise/scripted_source.hpp"
#include "privacy/noise/statistics.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/noise/random_bits.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <csignal>
#include <type_traits>

namespace tulle {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

static_assert(!std::is_copy_constructible_v<RandomBits> && !std::is_copy_assignable_v<RandomBits>);

using Words = std::vector<std::uint64_t>;

Words draw(RandomBits& bits, std::size_t count) {
  Words words(count);
  for (auto& word : words) word = bits.word();
  return words;
}

TEST(RandomBits, SeededIsReproducibleAndSaysSo) {
  auto a = RandomBits::seeded(7), b = RandomBits::seeded(7), c = RandomBits::seeded(8);
  EXPECT_TRUE(a.reproducible());
  const auto words = draw(a, 3000);
  EXPECT_EQ(words, draw(b, 3000));
  EXPECT_NE(words, draw(c, 3000));
}

TEST(RandomBits, SecureIsNot) {
  auto a = RandomBits::secure(), b = RandomBits::secure();
  EXPECT_FALSE(a.reproducible());
  EXPECT_NE(draw(a, 10), draw(b, 10));
}

// Made with the openssl command: SHA-256 of "tulle reproducible " and the seed in 8 bytes is the key;
// AES-256-CTR gives the next key and 1020 words.
TEST(RandomBits, IsAesInCounterModeWithKeyErasure) {
  auto bits = RandomBits::seeded(7);
  EXPECT_EQ(bits.word(), 0x128c1cd9b3d3eb82u);
  EXPECT_EQ(bits.word(), 0xb7998ba0ba14edaeu);
  for (int i = 2; i < 1020; ++i) bits.word();
  EXPECT_EQ(bits.word(), 0x6e0e2c8fa1140677u);
}

TEST(RandomBits, FillCrossesBlocksWithoutRepeating) {
  auto bits = RandomBits::seeded(1);
  Words words(5000);
  bits.fill(words);
  std::sort(words.begin(), words.end());
  EXPECT_EQ(std::adjacent_find(words.begin(), words.end()), words.end());
}

TEST(RandomBits, BitsAreBalancedAndIndependent) {
  auto bits = RandomBits::seeded(2);
  const Words words = draw(bits, 200'000);
  const auto n = static_cast<double>(words.size());
  for (int bit = 0; bit < 64; ++bit) {
    double ones = 0, changes = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
      ones += static_cast<double>(words[i] >> bit & 1);
      if (i > 0) changes += static_cast<double>((words[i] ^ words[i - 1]) >> bit & 1);
    }
    // 128 checks of 7 standard deviations each: 3e-10 in all.
    EXPECT_NEAR(ones, n / 2, 3.5 * std::sqrt(n));
    EXPECT_NEAR(changes, n / 2, 3.5 * std::sqrt(n));
  }
}

TEST(RandomBits, SplitsDifferFromTheirParentAndFromEachOther) {
  auto parent = RandomBits::seeded(3);
  auto first = parent.split(), second = parent.split();
  EXPECT_TRUE(first.reproducible());
  const auto a = draw(parent, 100), b = draw(first, 100), c = draw(second, 100);
  EXPECT_NE(a, b);
  EXPECT_NE(a, c);
  EXPECT_NE(b, c);
  auto again = RandomBits::seeded(3);
  EXPECT_EQ(draw(first = again.split(), 100), b);
  EXPECT_FALSE(RandomBits::secure().split().reproducible());
}

TEST(RandomBits, AsksTheOperatingSystemAgainAfterABoundedVolume) {
  const int before = testing::entropy_calls();
  auto bits = RandomBits::secure();
  EXPECT_EQ(testing::entropy_calls(), before + 1);
  const std::size_t words = RandomBits::kReseedBytes / 8;
  for (std::size_t i = 0; i < 3 * words + 5000; ++i) bits.word();
  EXPECT_EQ(testing::entropy_calls(), before + 4);
  Words bulk(words + 5000);
  bits.fill(bulk);
  EXPECT_EQ(testing::entropy_calls(), before + 5);
}

TEST(RandomBits, SeededNeverAsks) {
  const int before = testing::entropy_calls();
  auto bits = RandomBits::seeded(1);
  Words bulk(2 * RandomBits::kReseedBytes / 8);
  bits.fill(bulk);
  EXPECT_EQ(testing::entropy_calls(), before);
}

TEST(RandomBits, WithoutEntropyThereIsNoNoise) {
  const auto refusal = ThrowsMessage<Error>(HasSubstr("the operating system gave no random bytes"));
  auto bits = RandomBits::secure();
  const testing::EntropyFails fails;
  EXPECT_THAT([] { RandomBits::secure(); }, refusal);
  const auto use_up = [&] {
    for (std::size_t i = 0; i < RandomBits::kReseedBytes; ++i) bits.word();
  };
  EXPECT_THAT(use_up, refusal);
  EXPECT_THAT([&] { bits.word(); }, refusal);  // and no word afterwards either
}

// What a child process draws after `start_child`, by words or in bulk.
template <class StartChild>
Words draw_in_child(RandomBits& bits, StartChild start_child, bool bulk) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const long child = start_child();
  if (child == 0) {
    std::array<std::uint64_t, 8> words{};
    if (bulk)
      bits.fill(words);
    else
      for (auto& word : words) word = bits.word();
    const bool written = write(ends[1], words.data(), sizeof words) == sizeof words;
    _exit(written ? 0 : 1);
  }
  Words words(8);
  EXPECT_EQ(read(ends[0], words.data(), 64), 64);
  close(ends[0]);
  close(ends[1]);
  int status = 1;
  waitpid(static_cast<pid_t>(child), &status, 0);
  EXPECT_EQ(status, 0);
  return words;
}

Words draw_alike(RandomBits& bits, bool bulk) {
  Words words(8);
  if (bulk)
    bits.fill(words);
  else
    words = draw(bits, 8);
  return words;
}

TEST(RandomBits, ParentAndChildDrawDifferentNoise) {
  for (const bool bulk : {false, true}) {
    auto bits = RandomBits::secure();
    bits.word();  // so that the buffer holds words which both would hand out
    const auto first = draw_in_child(bits, fork, bulk), second = draw_in_child(bits, fork, bulk);
    const auto parent = draw_alike(bits, bulk);
    EXPECT_NE(first, parent);
    EXPECT_NE(second, parent);
    EXPECT_NE(first, second);
    EXPECT_THAT(first, ::testing::Each(::testing::Ne(0u)));
  }
}

#ifdef MADV_WIPEONFORK
TEST(RandomBits, EvenAfterACloneThatNoHandlerSees) {
  const auto clone_process = [] { return syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr); };
  for (const bool bulk : {false, true}) {
    auto bits = RandomBits::secure();
    bits.word();
    const auto child = draw_in_child(bits, clone_process, bulk);
    EXPECT_NE(child, draw_alike(bits, bulk));
    EXPECT_THAT(child, ::testing::Each(::testing::Ne(0u)));
  }
}
#endif

TEST(RandomBits, ASeededStreamGoesOnInAChild) {
  for (const bool bulk : {false, true}) {
    auto bits = RandomBits::seeded(5);
    bits.word();
    // The child draws from a copy of the stream: first, or the parent's draw would have moved it on.
    const auto in_child = draw_in_child(bits, fork, bulk);
    EXPECT_EQ(in_child, draw_alike(bits, bulk));
  }
}

}  // namespace
}  // namespace tulle
