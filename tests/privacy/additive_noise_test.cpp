#include <tulle/privacy/curator.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

Curator curator() {
  return Curator::as_published({"a test", {1, 0}, "it is a test"}, Unit::entry, Relation::replace,
                               RandomBits::seeded(3));
}

// Row norms are Gamma(d, Delta / epsilon): mean d Delta / epsilon, variance d (Delta / epsilon)^2.
TEST(AdditiveNoise, ExponentialNormByRowHasItsNormInEveryRow) {
  for (const std::uint64_t columns : {std::uint64_t{1}, std::uint64_t{3}, std::uint64_t{40}}) {
    constexpr std::uint64_t kRows = 20'000;
    const auto noise = AdditiveNoise::gamma_norm_by_row(Sensitivity::l21(0.5, Unit::entry, Relation::replace),
                                                        2, kRows, columns);
    EXPECT_EQ(noise.coordinates(), kRows * columns);
    const Noisy drawn = curator().release(Protected(0), noise, "zeros",
                                          [&](int) { return std::vector<double>(kRows * columns); });
    double mean = 0;
    for (std::uint64_t row = 0; row < kRows; ++row) {
      double squares = 0;
      for (std::uint64_t c = 0; c < columns; ++c) squares += std::pow(drawn.values[row * columns + c], 2);
      mean += std::sqrt(squares) / kRows;
    }
    const auto d = static_cast<double>(columns);
    EXPECT_NEAR(mean, d / 4, 5 * std::sqrt(d / kRows) / 4);  // five standard errors
  }
}

TEST(AdditiveNoise, RowsNeedTheSumOverRows) {
  EXPECT_THROW(AdditiveNoise::gamma_norm_by_row(Sensitivity::l2(1, Unit::entry, Relation::replace), 1, 2, 3),
               std::runtime_error);
}

TEST(Curator, SamplesAPrivateNumberOfUnitsLikeAPublicOne) {
  const PoissonSampler sampler(0.25);
  const std::uint64_t count = 300'000;
  const auto units_of = [&](const auto& of) {
    Curator own = curator();
    std::vector<std::uint64_t> seen;
    own.release(Protected(0), own.sample(sampler, of),
                AdditiveNoise::gaussian(Sensitivity::l2(1, Unit::entry, Relation::replace), 1, 1), "a sum",
                [&](int, const std::vector<std::uint64_t>& units) {
                  seen = units;
                  return std::vector<double>{0};
                });
    return seen;
  };
  const auto from_public = units_of(count);
  EXPECT_EQ(units_of(Protected(count)), from_public);
  EXPECT_TRUE(std::is_sorted(from_public.begin(), from_public.end()));
  EXPECT_LT(from_public.back(), count);
  // Five standard errors.
  EXPECT_NEAR(static_cast<double>(from_public.size()), 0.25 * count, 5 * std::sqrt(count * 0.25 * 0.75));
}

}  // namespace
}  // namespace tulle
