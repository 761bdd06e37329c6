#include "release/entry_noise.hpp"

#include "method/private_request.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

using testing::private_request;

constexpr NoiseKind kKinds[] = {NoiseKind::laplace, NoiseKind::staircase, NoiseKind::piecewise,
                                NoiseKind::duchi, NoiseKind::gaussian};

PrivateRequest request_with(const Budget& budget, std::optional<NoiseKind> noise = {}) {
  SparseTensor cell(Shape{1, 1}, Unlisted::missing);
  cell.append(std::array<Index, 2>{0, 0}, 0.5f);
  PrivateRequest request = private_request(std::move(cell), {.budget = budget, .range = {0, 1}});
  if (noise) request.settings.set(setting::noise, *noise);
  return request;
}

AdditiveNoise noise_for(const Budget& budget, std::optional<NoiseKind> noise = {},
                        std::uint64_t changing = 1) {
  const Curator curator = Curator::with_budget(budget, Unit::entry, Relation::replace);
  return entry_noise(request_with(budget, noise), curator.allowance(),
                     {.bounds = {0, 1}, .most = 1, .numbers = 10, .changing = changing}, kKinds);
}

// The least typical standard deviation among the kinds that can be asked for one by one.
TEST(EntryNoise, TakesTheLeastNoise) {
  for (const Budget& budget : {Budget{0.1, 0}, {1, 0}, {4, 0}, {8, 1e-6}}) {
    const double chosen = noise_for(budget).typical_deviation();
    for (const NoiseKind kind : kKinds) {
      if (kind == NoiseKind::gaussian && budget.delta == 0) continue;
      EXPECT_LE(chosen, noise_for(budget, kind).typical_deviation()) << name(kind) << budget.epsilon;
    }
  }
}

// Beyond the epsilons at which they are drawn, staircase, duchi and piecewise are left out.
TEST(EntryNoise, OfALargeEpsilonIsLaplace) {
  EXPECT_EQ(noise_for({30, 0}).name(), "Laplace");
  EXPECT_NE(noise_for({10, 0}).name(), "Laplace");
  EXPECT_NE(noise_for({30, 0}, {}, 2).name(), "Laplace");  // 15 for each of two numbers
}

TEST(EntryNoise, IsTheKindThatIsAskedFor) {
  EXPECT_EQ(noise_for({1, 0}, NoiseKind::laplace).name(), "Laplace");
  EXPECT_EQ(noise_for({1, 1e-6}, NoiseKind::gaussian).name(), "Gaussian");
  EXPECT_NEAR(noise_for({1, 0}, NoiseKind::laplace, 3).deviation(),
              3 * noise_for({1, 0}, NoiseKind::laplace).deviation(), 1e-5);
}

TEST(EntryNoise, RefusesWhatItDoesNotHave) {
  EXPECT_THROW(noise_for({1, 0}, NoiseKind::discrete_laplace), UsageError);
  EXPECT_THROW(noise_for({1, 0}, NoiseKind::gaussian), UsageError);
}

}  // namespace
}  // namespace tulle
