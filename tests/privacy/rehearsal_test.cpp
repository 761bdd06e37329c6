#include <tulle/privacy/curator.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

const Sensitivity kOne = Sensitivity::l1(1, Unit::entry, Relation::replace);

Curator budget_of(double epsilon) {
  return Curator::with_budget({epsilon, 0}, Unit::entry, Relation::replace);
}

// Two releases of three values each.
void release_twice(Curator& curator, const std::function<void()>& looked) {
  const Protected<int> data(7);
  const auto noise = curator.plan({{.loss = Loss::pure, .share = 0.5, .count = 2}});
  for (const char* what : {"first", "second"})
    curator.release(data, AdditiveNoise::laplace(kOne, noise[0], 3), what, [&](int value) {
      looked();
      return std::vector<double>(3, value);
    });
}

TEST(Rehearsal, RecordsWhatIsPlannedAndLooksAtNothing) {
  Curator rehearsing = budget_of(1), running = budget_of(1);
  std::vector<Record> planned;
  int looks = 0;
  rehearsing.rehearse();
  try {
    release_twice(rehearsing, [&] { ++looks; });
    FAIL() << "all that was planned is on the record";
  } catch (const Rehearsed& all) {
    planned = all.guarantee.releases;
    EXPECT_EQ(all.guarantee.used.epsilon, 1);
  }
  EXPECT_EQ(looks, 0);
  release_twice(running, [&] { ++looks; });
  EXPECT_EQ(looks, 2);
  const std::vector<Record> made = running.guarantee().releases;
  ASSERT_EQ(planned.size(), 2u);
  for (std::size_t i = 0; i < made.size(); ++i) {
    EXPECT_EQ(planned[i].what, made[i].what);
    EXPECT_EQ(planned[i].deviation, made[i].deviation);
    EXPECT_EQ(planned[i].numbers, made[i].numbers);
  }
}

TEST(Rehearsal, WaitsForPortionsThatAreStillToBeTaken) {
  Curator curator = budget_of(1);
  curator.rehearse();
  const Protected<int> data(7);
  const double epsilon = curator.plan({{.loss = Loss::laplace, .share = 1}})[0];
  const auto one_value = Sensitivity::one_coordinate(1, Unit::entry, Relation::replace);
  const AdditiveNoise noise = AdditiveNoise::laplace(one_value, epsilon, 1);
  Portions portions = curator.in_portions(noise, 2, "values");
  const auto take = [&](std::uint64_t unit) {
    curator.release(data, portions, std::vector{unit}, noise, [](int, std::uint64_t) { return 1.0; });
  };
  EXPECT_NO_THROW(take(0));
  EXPECT_THROW(take(1), Rehearsed);
}

TEST(Rehearsal, BeginsBeforeTheFirstRelease) {
  Curator curator = budget_of(1);
  release_twice(curator, [] {});
  EXPECT_THROW(curator.rehearse(), Error);
}

}  // namespace
}  // namespace tulle
