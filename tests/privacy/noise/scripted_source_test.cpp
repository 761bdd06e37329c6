#include "privacy/noise/scripted_source.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/noise/bernoulli.hpp>
#include <tulle/privacy/noise/discrete.hpp>
#include <tulle/privacy/noise/rounded.hpp>

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <optional>

namespace {

std::atomic<int> entropy_call_count = 0;
bool entropy_fails = false;
std::optional<std::vector<std::uint64_t>> script;

}  // namespace

extern "C" int getentropy(void* buffer, std::size_t size) {
  ++entropy_call_count;
  if (entropy_fails) {
    errno = ENOSYS;
    return -1;
  }
  return syscall(SYS_getrandom, buffer, size, 0) == static_cast<long>(size) ? 0 : -1;
}

extern "C" int EVP_EncryptUpdate(EVP_CIPHER_CTX* cipher, unsigned char* out, int* written,
                                 const unsigned char* in, int size) {
  static const auto real =
      reinterpret_cast<decltype(&EVP_EncryptUpdate)>(dlsym(RTLD_NEXT, "EVP_EncryptUpdate"));
  if (!script) return real(cipher, out, written, in, size);
  *written = size;
  std::memset(out, 0, static_cast<std::size_t>(size));
  const auto count = static_cast<std::size_t>(size) / 8;
  for (std::uint64_t i = 0; i < count; ++i) {  // words are handed out from the end of a block
    const std::uint64_t word = i < script->size() ? (*script)[i] : i;
    std::memcpy(out + 8 * (count - 1 - i), &word, 8);
  }
  return 1;
}

namespace tulle::testing {

int entropy_calls() {
  return entropy_call_count;
}
EntropyFails::EntropyFails() {
  entropy_fails = true;
}
EntropyFails::~EntropyFails() {
  entropy_fails = false;
}
ScriptedWords::ScriptedWords(std::vector<std::uint64_t> words) {
  script = std::move(words);
}
ScriptedWords::~ScriptedWords() {
  script.reset();
}

namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

template <class Draw>
auto with_words(std::vector<std::uint64_t> words, Draw draw) {
  const ScriptedWords scripted(std::move(words));
  auto bits = RandomBits::seeded(0);
  return draw(bits);
}

constexpr std::uint64_t kThird = 0x5555555555555555;  // floor(2^64 / 3)

// A coin of 1/3 is decided by the first word unless that is floor(2^64/3); then the remainder, again 1/3 of a
// word, decides.
TEST(Coin, ComparesBitsLazilyWithTheBinaryExpansion) {
  const auto coin = [](RandomBits& bits) { return bernoulli(bits, Rational(1, 3)); };
  EXPECT_TRUE(with_words({0}, coin));
  EXPECT_TRUE(with_words({kThird - 1}, coin));
  EXPECT_FALSE(with_words({kThird + 1}, coin));
  EXPECT_FALSE(with_words({~std::uint64_t{0}}, coin));
  EXPECT_TRUE(with_words({kThird, kThird - 1}, coin));
  EXPECT_FALSE(with_words({kThird, kThird + 1}, coin));
  EXPECT_TRUE(with_words({kThird, kThird, kThird - 1}, coin));
  EXPECT_FALSE(with_words({kThird, kThird, kThird + 1}, coin));
}

TEST(Coin, DyadicProbabilitiesNeedOneWord) {
  const auto coin = [](RandomBits& bits) { return bernoulli(bits, Rational(3, 4)); };
  EXPECT_TRUE(with_words({0xbfffffffffffffff}, coin));
  EXPECT_FALSE(with_words({0xc000000000000000}, coin));
}

// exp(-1/3): coins of 1/3, 1/6, 1/9, ..; true when the first failure is the first, the third, ..
TEST(Coin, ExponentialByVonNeumann) {
  const auto coin = [](RandomBits& bits) { return bernoulli_exp(bits, Rational(1, 3)); };
  const std::uint64_t high = ~std::uint64_t{0};
  EXPECT_TRUE(with_words({high}, coin));
  EXPECT_FALSE(with_words({0, high}, coin));
  EXPECT_TRUE(with_words({0, 0, high}, coin));
  EXPECT_FALSE(with_words({0, kThird / 2 + 1}, coin));
  EXPECT_TRUE(with_words({0, kThird / 2 - 1, kThird / 3 + 1}, coin));
}

// (1 + x)/2 for x = 2^-70: a fair bit, then 69 zero bits, then the fraction 1/2.
TEST(Coin, SignFollowsTheBitsOfTheDouble) {
  const auto coin = [](RandomBits& bits) { return bernoulli_sign(bits, 0x1p-70); };
  EXPECT_FALSE(with_words({0, 1}, coin));  // not all zero: the fair bit
  EXPECT_TRUE(with_words({1, 1}, coin));
  EXPECT_TRUE(with_words({0, 0, 0, 0x7fffffffffffffff}, coin));  // |V| < x: the sign of x
  EXPECT_FALSE(with_words({0, 0, 0, 0x8000000000000000}, coin));
  EXPECT_FALSE(with_words({0, 0, std::uint64_t{1} << 59, 0}, coin));
  EXPECT_TRUE(with_words({0, 0, (std::uint64_t{1} << 59) - 1, 0}, coin));
}

// Lemire's method on 2^64 = 6 k + 4 words: the four that would favour some results are drawn again.
TEST(UniformInteger, DrawsUnfairWordsAgain) {
  const auto die = [](RandomBits& bits) { return uniform_below(bits, 6); };
  EXPECT_EQ(with_words({0, ~std::uint64_t{0}}, die), 5u);
  EXPECT_EQ(with_words({1, 0}, die), 0u);
}

// All coins succeed as long as the words are zero.
TEST(Samplers, StopWhenTheSourceIsBroken) {
  const auto refusal = ThrowsMessage<Error>(HasSubstr("the source of random bits is broken"));
  const std::vector<std::uint64_t> zeros(1000);
  const auto drawing = [&](auto draw) { return [&, draw] { with_words(zeros, draw); }; };
  EXPECT_THAT(drawing([](RandomBits& bits) { return bernoulli_exp(bits, Rational(1, 3)); }), refusal);
  EXPECT_THAT(drawing([](RandomBits& bits) { return DiscreteLaplace::with_scale(4).sample(bits); }), refusal);
  EXPECT_THAT(drawing([](RandomBits& bits) { return DiscreteGaussian::with_sigma2(9).sample(bits); }),
              refusal);
}

// A value that falls on a half is rounded by the bits after the first word. Laplace noise of scale 1, kept at
// once (its coin x fails), with v = 0 (the coin 1/2 fails), positive: x = 1/2 - 2^-64 + the rest.
TEST(Rounding, LooksAtMoreBitsNearAHalf) {
  const std::uint64_t high = ~std::uint64_t{0}, half = std::uint64_t{1} << 63;
  const auto draw = [](RandomBits& bits) { return RoundedLaplace::with_scale_at_least(1).sample(bits); };
  EXPECT_EQ(with_words({high, half - 1, high, 0}, draw), 0);  // [1/2 - 2^-64, 1/2)
  EXPECT_EQ(with_words({high, half, high, 0}, draw), 1);
  EXPECT_EQ(with_words({high, half, high, 1}, draw), -1);
  // Scale 3: 3x in [1/2 - 2^-64 .., 1/2 + 2^-63 ..) for the first word below 2^64/6; the boundary is 2/3 of
  // the way.
  const auto draw3 = [](RandomBits& bits) { return RoundedLaplace::with_scale_at_least(3).sample(bits); };
  const std::uint64_t sixth = 0x2aaaaaaaaaaaaaaa;
  EXPECT_EQ(with_words({high, sixth, high, 0xaaaaaaaaaaaaaaa9, 0}, draw3), 0);
  EXPECT_EQ(with_words({high, sixth, high, 0xaaaaaaaaaaaaaaab, 0}, draw3), 1);
  EXPECT_EQ(with_words({high, sixth, high, 0xaaaaaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaa9, 0}, draw3), 0);
  EXPECT_EQ(with_words({high, sixth, high, 0xaaaaaaaaaaaaaaaa, 0xaaaaaaaaaaaaaaab, 0}, draw3), 1);
}

TEST(RandomBits, RefusesACipherThatDoesNothing) {
  EXPECT_THAT(
      [] { with_words(std::vector<std::uint64_t>(1020), [](RandomBits& bits) { return bits.word(); }); },
      ThrowsMessage<Error>(HasSubstr("AES-256-CTR of OpenSSL failed")));
}

}  // namespace
}  // namespace tulle::testing
