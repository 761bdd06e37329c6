#include "counts/choose_rows.hpp"

#include "counts/table_shares.hpp"

#include <tulle/base/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

namespace tulle {
namespace {

using Rows = std::vector<double>;  // of every user

Release users_of(const Rows& rows, double deviation = 1e-100) {
  Release users{.id = kUsersByRows, .values = Rows(kRowBins), .deviation = deviation};
  for (const double of_user : rows)
    ++users.values[std::min<std::size_t>(std::bit_width(static_cast<std::uint64_t>(of_user) - 1),
                                         kRowBins - 1)];
  return users;
}

TEST(ChooseRows, AllCountIfUsersHaveEquallyMany) {
  EXPECT_EQ(choose_rows_per_user({5, 6}, 1, users_of(Rows(10'000, 1))), 1u);
  EXPECT_EQ(choose_rows_per_user({5, 6}, 1, users_of(Rows(10'000, 60))), 64u);
  EXPECT_EQ(choose_rows_per_user({5, 6}, 1, users_of(Rows(1'000'000, 60'000))), 65'536u);
}

// Ten thousand users with 4 rows, and one with 4,000: these would need a thousand times the noise.
TEST(ChooseRows, ThoseOfAFewUsersDoNot) {
  Rows rows(10'000, 4);
  rows.push_back(4'000);
  EXPECT_LE(choose_rows_per_user({5, 6}, 1, users_of(rows)), 16u);
}

TEST(ChooseRows, FewerCountWhereThereIsMoreNoise) {
  Rows rows;
  for (int user = 0; user < 10'000; ++user) rows.push_back(std::floor(10'000 / (user + 1.0)) + 1);  // Zipf
  std::uint64_t before = 1;
  for (const double epsilon : {0.01, 0.1, 1.0, 10.0, 100.0}) {
    const std::uint64_t chosen = choose_rows_per_user({5, 6}, epsilon, users_of(rows));
    EXPECT_GE(chosen, before) << epsilon;
    before = chosen;
  }
  EXPECT_GT(before, 16u);
}

Rows random_rows(Random& random) {
  const auto users = static_cast<std::size_t>(std::pow(10, 2 + 3 * random.uniform()));
  const std::uint64_t tail = random.below(4);
  const double typical = std::pow(10, 2 * random.uniform()), spread = 0.8 + 2 * random.uniform();
  Rows rows;
  for (std::size_t user = 0; user < users; ++user) {
    const double u = 1 - random.uniform();
    double of_user = typical;                                          // all alike
    if (tail == 0) of_user = -typical * std::log(u);                   // light
    if (tail == 1) of_user = typical * std::pow(u, -1 / spread);       // heavy
    if (tail == 2) of_user = random.chance(0.01) ? 100 * typical : 3;  // a few machines
    rows.push_back(std::clamp(std::floor(of_user), 1.0, 1e6));
  }
  return rows;
}

// The logarithm of the error of tables; all users are known.
double error_with(const Rows& rows, std::uint64_t limit, const Shape& shape, double epsilon) {
  LogOfRows log{.weight = 1};
  for (const double of_user : rows) {
    log.rows += of_user;
    log.lost += std::max(0.0, of_user - static_cast<double>(limit));
  }
  return expected_error(shape, {Loss::pure, epsilon / static_cast<double>(limit)}, std::span(&log, 1)) / 2;
}

// Over logs of light, heavy and no tails with a hundred to 100,000 users, with a twentieth of epsilon for the
// pilot, the error is close to that of the best power of 2 in hindsight, which pays for no pilot.
TEST(ChooseRows, ErrorsAreCloseToTheBestInHindsight) {
  constexpr int kLogs = 30;
  Random random(7, 1);
  double sum = 0, worst = 0;
  for (int number = 0; number < kLogs; ++number) {
    const Rows rows = random_rows(random);
    const Shape shape{2 + random.below(60), 2 + random.below(60)};
    const double epsilon = std::pow(10, random.uniform() * 1.5 - 1), scale = 1 / (kShareOfPilot * epsilon);
    Release users = users_of(rows, std::sqrt(2) * scale);
    for (double& bin : users.values)
      bin += scale * (std::log(1 - random.uniform()) - std::log(1 - random.uniform()));
    const double left = epsilon * (1 - kShareOfPilot);
    double best = HUGE_VAL;
    for (std::uint64_t limit = 1; limit < 1 << kRowBins; limit *= 2)
      best = std::min(best, error_with(rows, limit, shape, epsilon));
    const double regret =
        std::exp(error_with(rows, choose_rows_per_user(shape, left, users), shape, left) - best);
    sum += regret;
    worst = std::max(worst, regret);
  }
  RecordProperty("mean", std::to_string(sum / kLogs));
  RecordProperty("worst", std::to_string(worst));
  EXPECT_LT(sum / kLogs, 1.25) << worst;
  EXPECT_LT(worst, 3) << sum / kLogs;
}

}  // namespace
}  // namespace tulle
