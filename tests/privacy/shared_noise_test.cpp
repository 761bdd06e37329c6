#include <tulle/base/error.hpp>
#include <tulle/privacy/curator.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

constexpr std::size_t kNumbers = 20000;

std::vector<std::uint64_t> add_up(const std::vector<std::vector<std::uint64_t>>& parts) {
  std::vector<std::uint64_t> sums(parts.front().size());
  for (const auto& part : parts)
    for (std::size_t i = 0; i < part.size(); ++i) sums[i] += part[i];
  return sums;
}

AdditiveNoise gaussian(double multiplier, std::uint64_t numbers = kNumbers) {
  return AdditiveNoise::gaussian(Sensitivity::l2(2, Unit::document, Relation::replace), multiplier, numbers);
}

std::vector<Protected<double>> five_sites() {
  std::vector<Protected<double>> sites;
  for (double value : {1.0, -2.0, 3.0, -4.0, 12.0}) sites.emplace_back(value);
  return sites;
}

Noisy release(Curator& curator, const AdditiveNoise& noise, int colluding) {
  return curator.release_shared(
      five_sites(), noise, colluding, "sums",
      [&](double value) { return std::vector<double>(noise.coordinates(), value); }, add_up);
}

Curator curator() {
  return Curator::with_budget({10, 1e-6}, Unit::document, Relation::replace, RandomBits::seeded(1));
}

double variance_around(const Noisy& sums, double mean) {
  double squares = 0;
  for (double value : sums.values) squares += (value - mean) * (value - mean);
  return squares / static_cast<double>(sums.values.size());
}

// The variance of 20000 numbers is known to 1 %: 5.3 of these are exceeded with probability 1e-7.
TEST(SharedNoise, TheSumHasTheNoiseOfACentralRelease) {
  Curator sites = curator();
  const Noisy sums = release(sites, gaussian(3), 0);
  EXPECT_NEAR(sums.deviation, 6, 1e-4);
  EXPECT_NEAR(variance_around(sums, 10), 36, 36 * 0.053);
  Curator central = curator();
  central.release(Protected<int>(0), gaussian(3), "sums", [](int) { return std::vector<double>(kNumbers); });
  EXPECT_EQ(sites.guarantee().spent->epsilon, central.guarantee().spent->epsilon);
}

TEST(SharedNoise, ColludingSitesCostVariance) {
  Curator sites = curator();
  const Noisy sums = release(sites, gaussian(3), 2);
  EXPECT_NEAR(sums.deviation, 6 * std::sqrt(5.0 / 3), 1e-4);
  EXPECT_NEAR(variance_around(sums, 10), 36 * 5 / 3.0, 60 * 0.053);
}

TEST(SharedNoise, PlainRunsAddUp) {
  Curator plain = Curator::without_privacy();
  const Noisy sums = release(plain, gaussian(3, 2), 0);
  EXPECT_EQ(sums.deviation, 0);
  EXPECT_NEAR(sums.values[1], 10, 1e-4);
}

TEST(SharedNoise, RefusesWhatCannotBeShared) {
  Curator sites = curator();
  const auto l1 = Sensitivity::l1(2, Unit::document, Relation::replace);
  EXPECT_THROW(release(sites, AdditiveNoise::laplace(l1, 1, 3), 0), Error);
  EXPECT_THROW(release(sites, gaussian(3), 4), UsageError);
  EXPECT_THROW(release(sites, gaussian(3), -1), UsageError);
  EXPECT_TRUE(sites.guarantee().releases.empty());
  EXPECT_THROW(release(sites, gaussian(0.01), 0), Error) << "beyond the budget";
}

}  // namespace
}  // namespace tulle
