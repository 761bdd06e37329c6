#include "release/mean_release.hpp"

#include "method/private_request.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

using testing::private_request;

constexpr Range kRange{1, 5};

SparseTensor row_of(const std::vector<float>& values) {
  SparseTensor tensor(Shape{1, values.size()}, Unlisted::missing);
  for (Index j = 0; j < values.size(); ++j) tensor.append(std::array<Index, 2>{0, j}, values[j]);
  return tensor;
}

double exact_mean(const std::vector<float>& values) {
  const PrivateRequest request = private_request(row_of(values), {.budget = {1, 0}, .range = kRange});
  Curator curator = Curator::without_privacy();
  return MeanRelease(request, 1).release(request, curator).values[0];
}

TEST(MeanRelease, IsTheMean) {
  EXPECT_NEAR(exact_mean({1, 2, 3, 5}), 2.75, 1e-12);
  EXPECT_NEAR(exact_mean({1, 9}), 3, 1e-12);  // clamped to the range
}

// One value from one end of the range to the other: the mean changes by width / n, and the sensitivity is
// that and no more than its rounding.
TEST(MeanRelease, ChangesByAtMostItsSensitivity) {
  const std::vector<float> one = {1, 2, 3, 4, 5, 1, 2}, other = {5, 2, 3, 4, 5, 1, 2};
  const PrivateRequest request = private_request(row_of(one), {.budget = {1, 0}, .range = kRange});
  const double sensitivity = MeanRelease(request, 1).noise().sensitivity().value() * kRange.width();
  EXPECT_LE(exact_mean(other) - exact_mean(one), sensitivity);
  EXPECT_NEAR(sensitivity, 4.0 / 7, 1e-9);
}

TEST(MeanRelease, SaysItsNoiseInTheUnitOfTheEntries) {
  const PrivateRequest request = private_request(row_of({1, 5}), {.budget = {1, 0}, .range = kRange});
  const MeanRelease mean(request, 0.5);
  Curator curator = Curator::with_budget({1, 0}, Unit::entry, Relation::replace, RandomBits::seeded(1));
  EXPECT_DOUBLE_EQ(mean.release(request, curator).deviation, 4 * mean.noise().deviation());
  EXPECT_EQ(mean.noise().event(), Event::laplace(2));
}

}  // namespace
}  // namespace tulle
