#include <tulle/privacy/curator.hpp>
#include <tulle/privacy/releases.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(Release, IsWhatTheCuratorReleasedLast) {
  Curator curator = Curator::with_budget({2, 0}, Unit::entry, Relation::replace, RandomBits::seeded(1));
  const Protected<double> data(3);
  const auto noise =
      AdditiveNoise::laplace(Sensitivity::one_coordinate(1, Unit::entry, Relation::replace), 0.5, 1);
  const auto released = [&](const char* what) {
    return curator.release(data, noise, what, [](double value) { return std::vector{value}; });
  };
  released("before");
  const Noisy noisy = released("the value");
  const Release release = Release::of("value", curator, noisy);
  EXPECT_EQ(release.id, "value");
  EXPECT_EQ(release.what, "the value");
  EXPECT_EQ(release.noise, "Laplace");
  EXPECT_EQ(release.events, std::vector{noise.event()});
  EXPECT_EQ(release.values, noisy.values);
  EXPECT_EQ(release.deviation, noise.deviation());
}

// Something else may be released between portions.
TEST(Release, OfAPortionIsOnTheRecordOfAllOfThem) {
  Curator curator = Curator::with_budget({2, 0}, Unit::entry, Relation::replace, RandomBits::seeded(1));
  const Protected<double> data(3);
  const auto noise =
      AdditiveNoise::laplace(Sensitivity::one_coordinate(1, Unit::entry, Relation::replace), 0.5, 1);
  Portions portions = curator.in_portions(noise, 2, "in portions");
  curator.release(data, noise, "between", [](double value) { return std::vector{value}; });
  const std::vector<std::uint64_t> units = {1};
  const Noisy noisy =
      curator.release(data, portions, units, noise, [](double value, std::uint64_t) { return value; });
  EXPECT_EQ(Release::of("value", curator, portions, noisy).what, "in portions");
}

}  // namespace
}  // namespace tulle
