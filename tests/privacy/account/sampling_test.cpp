#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/privacy/account/sampling.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tulle {
namespace {

TEST(PoissonSampler, TossesOneCoinPerUnit) {
  const PoissonSampler sampler(0.3);
  EXPECT_EQ(sampler.sampling().rate(), 0.3);
  Random random(11);
  std::uint64_t taken = 0;
  sampler.draw(
      100000, [&] { return random.bits(); }, [&](std::uint64_t) { ++taken; });
  EXPECT_NEAR(static_cast<double>(taken), 30000, 5 * std::sqrt(100000 * 0.3 * 0.7));  // false alarms: 6e-7
  taken = 0;
  PoissonSampler(1).draw(
      10, [] { return ~std::uint64_t{0}; }, [&](std::uint64_t) { ++taken; });
  EXPECT_EQ(taken, 10u);
}

// Words of alternating bits: the coin of unit 0 has the bits 1 0 1 0 .., that of unit 1 the bits 0 1 0 1 ..
// (2/3 and 1/3 as numbers); heads is a number below the rate.
TEST(PoissonSampler, ComparesBitsWithTheRate) {
  const auto taken_at = [](double rate) {
    std::vector<std::uint64_t> taken;
    bool high = true;
    const auto words = [&] {
      const std::uint64_t word = high ? 0x5555555555555555 : 0xaaaaaaaaaaaaaaaa;
      high = !high;
      return word;
    };
    PoissonSampler(rate).draw(2, words, [&](std::uint64_t unit) { taken.push_back(unit); });
    return taken;
  };
  EXPECT_EQ(taken_at(0.32), (std::vector<std::uint64_t>{}));
  EXPECT_EQ(taken_at(0.34), (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(taken_at(0.66), (std::vector<std::uint64_t>{1}));
  EXPECT_EQ(taken_at(0.68), (std::vector<std::uint64_t>{0, 1}));
}

TEST(PoissonSampling, OfAGroupIsTheChanceOfAnyMember) {
  const auto rate = [](double each, std::uint64_t size) {
    return PoissonSampling::what_if(each).for_group(size).rate();
  };
  EXPECT_NEAR(rate(0.1, 3), 1 - 0.9 * 0.9 * 0.9, 1e-13);
  EXPECT_GE(rate(0.5, 2), 0.75);
  EXPECT_NEAR(rate(1e-12, 1000), 1e-9, 1e-18);
  EXPECT_EQ(rate(0.1, 1), 0.1);
  EXPECT_EQ(rate(1, 5), 1);
  EXPECT_THROW(rate(0.1, 0), UsageError);
}

TEST(FixedBatch, HoldsAtLeastOneAndAtMostAll) {
  EXPECT_EQ(FixedBatch(3, 12).rate(), 0.25);
  EXPECT_THROW(FixedBatch(0, 4), UsageError);
  EXPECT_THROW(FixedBatch(5, 4), UsageError);
  EXPECT_THROW(PoissonSampling::what_if(0), UsageError);
  EXPECT_THROW(PoissonSampling::what_if(1.5), UsageError);
  EXPECT_THROW(PoissonSampling::what_if(NAN), UsageError);
}

}  // namespace
}  // namespace tulle
