#include "completion/user/user_vectors.hpp"

#include <tulle/base/random.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace tulle {
namespace {

// Any user, taken away, moves sums of vectors of any length by at most 1.
TEST(UserVectors, OneUserMovesTheirSumsByAtMostOne) {
  const auto sums_without = [](Index left_out) {
    SparseTensor observed({40, 5}, Unlisted::missing);
    Random random(7);
    for (Index user = 0; user < 40; ++user)
      for (Index at = 0; at < 5; ++at) {
        const auto value = static_cast<float>(std::exp(8 * random.normal()));
        if (random.chance(0.7) && user != left_out) observed.append(std::array<Index, 2>{user, at}, value);
      }
    const UserCells cells(observed, 0);
    return sums_of_user_vectors(cells, 1000, 5, 0, [&](std::size_t user, std::span<double> numbers) {
      for (std::size_t cell = cells.begin(user); cell < cells.end(user); ++cell)
        numbers[cells.positions(cell)[0]] += cells.value(cell);
    });
  };
  const std::vector<double> all = sums_without(40);
  for (Index user = 0; user < 40; ++user) {
    const std::vector<double> others = sums_without(user);
    double square = 0;
    for (std::size_t i = 0; i < all.size(); ++i) square += std::pow(all[i] - others[i], 2);
    EXPECT_LE(square, 1);
    EXPECT_TRUE(square == 0 || square > 0.999);
  }
}

TEST(NoisyAnswers, CombineAsOneWithBothBudgets) {
  const Noisy both = combined({{1, 2}, 1}, {{4, 2}, 0.5});
  EXPECT_NEAR(both.values[0], (1 + 4 * 4) / 5.0, 1e-12);
  EXPECT_NEAR(both.values[1], 2, 1e-12);
  EXPECT_NEAR(both.deviation, std::sqrt(0.2), 1e-12);
}

}  // namespace
}  // namespace tulle
