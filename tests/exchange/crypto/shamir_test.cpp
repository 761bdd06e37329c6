#include "crypto/shamir.hpp"

#include "crypto/key_agreement.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

namespace tulle {
namespace {

// FIPS 197, 4.2: {57} x {83} = {c1}, {57} x {13} = {fe}; {53} and {ca} are inverses of one another.
TEST(Shamir, MultipliesInTheFieldOfAes) {
  EXPECT_EQ(field_product(0x57, 0x83), 0xc1);
  EXPECT_EQ(field_product(0x57, 0x13), 0xfe);
  EXPECT_EQ(field_inverse(0x53), 0xca);
  for (int a = 1; a < 256; ++a) {
    const auto element = static_cast<std::uint8_t>(a);
    EXPECT_EQ(field_product(element, field_inverse(element)), 1) << a;
  }
}

RC_GTEST_PROP(Shamir, AnyThresholdOfSharesGivesTheSecretBack, ()) {
  RandomBits bits = RandomBits::seeded(*rc::gen::arbitrary<std::uint64_t>());
  const int parties = *rc::gen::inRange(1, 12), threshold = *rc::gen::inRange(1, parties + 1);
  const Secret secret = random_secret(bits);
  const std::vector<Secret> values = split_secret(secret, parties, threshold, bits);
  std::vector<Share> shares;
  for (int party = 0; party < parties; ++party)
    shares.push_back({party, values[static_cast<std::size_t>(party)]});
  const std::size_t first = *rc::gen::inRange<std::size_t>(0, shares.size());
  std::rotate(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(first), shares.end());
  shares.resize(static_cast<std::size_t>(threshold));
  RC_ASSERT(joined(shares) == secret);
}

// One share fewer than the threshold has the same distribution whatever the secret is: here that of a
// polynomial of degree 1, whose one random coefficient makes each of the 256 values of a share equally
// likely.
TEST(Shamir, TooFewSharesSayNothing) {
  for (const std::uint8_t secret : {std::uint8_t{0}, std::uint8_t{0x53}}) {
    std::map<std::uint8_t, int> seen;
    for (int coefficient = 0; coefficient < 256; ++coefficient)
      ++seen[static_cast<std::uint8_t>(secret ^ field_product(static_cast<std::uint8_t>(coefficient), 2))];
    EXPECT_EQ(seen.size(), 256u);
  }
  RandomBits bits = RandomBits::seeded(3);
  const Secret secret = random_secret(bits);
  const std::vector<Secret> values = split_secret(secret, 3, 3, bits);
  const std::vector<Share> two = {{0, values[0]}, {2, values[2]}};
  EXPECT_FALSE(joined(two) == secret);
}

TEST(Shamir, RefusesImpossibleThresholds) {
  RandomBits bits = RandomBits::seeded(3);
  EXPECT_THROW(split_secret({}, 3, 4, bits), UsageError);
  EXPECT_THROW(split_secret({}, 256, 4, bits), UsageError);
  EXPECT_THROW(split_secret({}, 3, 0, bits), UsageError);
}

}  // namespace
}  // namespace tulle
