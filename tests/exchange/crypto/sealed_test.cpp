#include "crypto/sealed.hpp"

#include "exchange/crypto/hex.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// Test cases 13 and 14 of McGrew and Viega (2004), whose key and nonce are zeros.
TEST(Sealed, HasTheTestVectorsOfGcm) {
  EXPECT_EQ(seal({}, {}, {}), from_hex("530f8afbc74536b9a963b4f1c4cb738b"));
  EXPECT_EQ(seal({}, {}, Bytes(16)),
            from_hex("cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"));
}

TEST(Sealed, AnyChangedBitIsNoticed) {
  Secret key;
  key.bytes[3] = 7;
  const Bytes context = {1, 2}, plain = {5, 6, 7};
  const Bytes sealed = seal(key, context, plain);
  EXPECT_EQ(unseal(key, context, sealed, 0), plain);
  for (std::size_t bit = 0; bit < 8 * sealed.size(); ++bit) {
    Bytes altered = sealed;
    altered[bit / 8] = static_cast<std::uint8_t>(altered[bit / 8] ^ (1 << bit % 8));
    EXPECT_THROW(unseal(key, context, altered, 0), Error) << bit;
  }
  EXPECT_THROW(unseal(key, Bytes{1, 3}, sealed, 0), Error);
  EXPECT_THROW(unseal({}, context, sealed, 0), Error);
  EXPECT_THROW(unseal(key, context, Bytes{1}, 0), Error) << "shorter than a tag";
}

}  // namespace
}  // namespace tulle
