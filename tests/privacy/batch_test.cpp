#include "seeded_curator.hpp"

#include <gtest/gtest.h>

#include <type_traits>

namespace tulle {
namespace {

using namespace testing;

static_assert(!std::is_copy_constructible_v<Batch> && !std::is_copy_assignable_v<Batch>);
static_assert(!std::is_copy_constructible_v<Portions> && !std::is_copy_assignable_v<Portions>);
static_assert(!std::is_copy_constructible_v<Curator> && !std::is_copy_assignable_v<Curator>);

std::string refusal_of_batch(Curator& curator, Batch&& batch) {
  return message_of([&] {
    curator.release(Data({1, 2}), std::move(batch), AdditiveNoise::laplace(range(1), 0.1, 1), "a sum",
                    [](const auto&, const auto&) { return std::vector<double>{0}; });
  });
}

TEST(Batch, ServesOneReleaseOfTheCuratorThatDrewIt) {
  Curator curator = seeded(1), other = seeded(1);
  const PoissonSampler sampler(0.5);
  Batch batch = curator.sample(sampler, 2);
  EXPECT_NE(refusal_of_batch(other, curator.sample(sampler, 2)).find("another curator's"), std::string::npos);
  EXPECT_EQ(refusal_of_batch(curator, std::move(batch)), "no error");
  EXPECT_NE(refusal_of_batch(curator, std::move(batch)).find("used already"), std::string::npos);
  EXPECT_EQ(curator.guarantee().releases.size(), 1u);
  EXPECT_TRUE(other.guarantee().releases.empty());
}

TEST(Batch, FollowsItsCuratorWhenThatIsMoved) {
  Curator first = seeded(1);
  Batch batch = first.sample(PoissonSampler(0.5), 2);
  Curator second = std::move(first);
  EXPECT_EQ(refusal_of_batch(second, std::move(batch)), "no error");
  EXPECT_NE(refusal_of_batch(first, second.sample(PoissonSampler(0.5), 2)).find("moved"), std::string::npos);
  EXPECT_THROW(first.sample(PoissonSampler(0.5), 2), UsageError);
  EXPECT_THROW(first.release(Data({1}), AdditiveNoise::laplace(range(1), 0.1, 1), "a value", identity),
               UsageError);
}

double one_of(const std::vector<double>& values, std::uint64_t unit) {
  return values[unit];
}

TEST(Portions, CostTogetherWhatOneDoes) {
  Curator curator = seeded(1);
  const Data data({1, 2, 3, 4});
  const auto wide = AdditiveNoise::laplace(range(8), 1, 3), narrow = AdditiveNoise::laplace(range(2), 1, 1);
  Portions portions = curator.in_portions(wide, 4, "every entry");
  EXPECT_EQ(portions.left(), 4u);
  curator.release(data, portions, std::vector<std::uint64_t>{0, 2, 3}, wide, one_of);
  const Noisy last = curator.release(data, portions, std::vector<std::uint64_t>{1}, narrow, one_of);
  EXPECT_EQ(portions.left(), 0u);
  EXPECT_NEAR(last.deviation, 2 * std::sqrt(2.0), 1e-4);
  const Guarantee guarantee = curator.guarantee();
  EXPECT_NEAR(guarantee.used.epsilon, 1, 1e-9);
  ASSERT_EQ(guarantee.releases.size(), 1u);
  EXPECT_EQ(guarantee.releases[0].numbers, 4u);
  EXPECT_NEAR(guarantee.releases[0].deviation, 8 * std::sqrt(2.0), 1e-3);
  EXPECT_NE(message_of([&] { curator.in_portions(narrow, 1, "more"); }).find("budget"), std::string::npos);
}

TEST(Portions, AnswerForAUnitOnce) {
  Curator curator = seeded(1);
  const Data data({1, 2});
  const auto noise = AdditiveNoise::laplace(range(1), 1, 1);
  Portions portions = curator.in_portions(noise, 2, "every entry");
  const std::vector<std::uint64_t> first{0};
  curator.release(data, portions, first, noise, one_of);
  EXPECT_EQ(message_of([&] { curator.release(data, portions, first, noise, one_of); }),
            "every entry: unit 1 was released before");
}

TEST(Portions, BelongToTheCuratorThatOpenedThem) {
  Curator curator = seeded(1), other = seeded(1);
  const Data data({1, 2});
  const auto noise = AdditiveNoise::laplace(range(1), 1, 1);
  Portions portions = curator.in_portions(noise, 2, "every entry");
  other.in_portions(noise, 2, "every entry");
  const std::vector<std::uint64_t> first{0}, third{2};
  const auto refusal = [&](Curator& one, Portions& of, const std::vector<std::uint64_t>& units) {
    return message_of([&] { one.release(data, of, units, noise, one_of); });
  };
  EXPECT_NE(refusal(other, portions, first).find("another curator's"), std::string::npos);
  EXPECT_EQ(refusal(curator, portions, third), "every entry: there is no unit 3; there are 2");
  Portions moved = std::move(portions);
  EXPECT_NE(refusal(curator, portions, first).find("moved"), std::string::npos);
  EXPECT_EQ(refusal(curator, moved, first), "no error");
  EXPECT_EQ(moved.left(), 1u);
}

TEST(Portions, TakeNoiseOfTheSameCostOnSingleNumbersOnly) {
  Curator curator = seeded(1);
  const Data data({1, 2});
  Portions portions = curator.in_portions(AdditiveNoise::laplace(range(1), 0.5, 1), 2, "every entry");
  const std::vector<std::uint64_t> first{0};
  const auto refusal = [&](const AdditiveNoise& noise) {
    return message_of([&] { curator.release(data, portions, first, noise, one_of); });
  };
  const auto together = AdditiveNoise::laplace(Sensitivity::l1(1, kUnit, kRelation), 0.5, 1);
  EXPECT_NE(refusal(AdditiveNoise::laplace(range(1), 1, 1)).find("costs what the others cost"),
            std::string::npos);
  EXPECT_NE(refusal(together).find("single numbers"), std::string::npos);
  EXPECT_EQ(portions.left(), 2u);
}

TEST(Portions, NeedUnitsThatAreKnown) {
  Curator curator = Curator::with_budget({1, 0}, kUnit, Relation::add_remove, RandomBits::seeded(1));
  const auto noise =
      AdditiveNoise::laplace(Sensitivity::one_coordinate(1, kUnit, Relation::add_remove), 1, 1);
  EXPECT_NE(message_of([&] { curator.in_portions(noise, 2, "entries"); }).find("known"), std::string::npos);
}

}  // namespace
}  // namespace tulle
