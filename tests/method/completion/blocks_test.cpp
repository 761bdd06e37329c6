// Methods that release sums over blocks of units, or a value per unit: the same bits for any size of a block.
#include "method/completion/entry/effects_of_pairs.hpp"
#include "method/private_run.hpp"

#include <tulle/method/completion.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tulle {
namespace {

using ::testing::HasSubstr;
using testing::PrivateRun;
using testing::small_ratings;

struct Divided {
  std::string name, method;
  SparseTensor data;
  Terms terms;
  Settings settings = {};
};

Terms of_entries(double epsilon, double delta = 0) {
  return {.budget = {epsilon, delta}, .range = {0, 1}, .seed = 1};
}

Terms terms_of_users(Relation relation) {
  return {.budget = {3, 1e-5}, .unit = Unit::user, .relation = relation, .range = {0, 1}, .seed = 1};
}

// Pairs of modes have 40 cells each, all three have one.
SparseTensor of_many_pairs() {
  return observe(testing::filled({1, 40, 40}, testing::of_pairs), 1, 1);
}

std::vector<Divided> divided() {
  const Settings swept = Settings().set(setting::steps, 2);
  return {{"AlsOfEntriesInL1", "als", small_ratings(), of_entries(1), swept},
          {"AlsOfEntriesInL2", "als", small_ratings(), of_entries(1, 1e-6),
           Settings(swept).set(setting::noise, NoiseKind::gaussian)},
          {"AlsOfUsers", "als", small_ratings(), terms_of_users(Relation::add_remove), swept},
          {"AlsOfUsersWithoutSweeps", "als", small_ratings(), terms_of_users(Relation::add_remove)},
          {"Margins", "margins", of_many_pairs(), of_entries(1)},
          {"MarginsThenEntriesInPortions", "margins", of_many_pairs(), of_entries(100)},
          {"LocalOfEntries", "local", small_ratings(), of_entries(6)},
          {"LocalOfUsers", "local", small_ratings(), terms_of_users(Relation::replace)},
          {"AutoOfEntries", "auto", small_ratings(), of_entries(1)},
          {"AutoOfUsers", "auto", small_ratings(), terms_of_users(Relation::add_remove)},
          {"AutoOfLocalUsers", "auto", small_ratings(), terms_of_users(Relation::replace)}};
}

class Blocks : public ::testing::TestWithParam<Divided> {};

TEST_P(Blocks, OfAnySizeReleaseTheSameBits) {
  const Divided& tried = GetParam();
  FitOptions fit{.seed = 1};
  if (find_method(tried.method).does_read(FitOption::iterations, Calibration::sound)) fit.max_iterations = 3;
  const auto run = [&](std::size_t block_size) {
    fit.block_size = block_size;
    return PrivateRun{tried.method, tried.terms, tried.settings, fit}(tried.data);
  };
  const Completion whole = run(0);
  ASSERT_FALSE(whole.measured->releases.empty());
  for (std::size_t block_size : {1u, 7u}) {
    const Completion divided = run(block_size);
    ASSERT_EQ(divided.measured->releases.size(), whole.measured->releases.size());
    for (std::size_t i = 0; i < whole.measured->releases.size(); ++i)
      EXPECT_EQ(divided.measured->releases[i].values, whole.measured->releases[i].values) << block_size;
    EXPECT_EQ(reconstruct(divided.model), reconstruct(whole.model));
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Blocks, ::testing::ValuesIn(divided()),
                         [](const auto& test) { return test.param.name; });

std::string refusal_of(const std::string& method, Calibration calibration = Calibration::sound) {
  PrivateRun run{.method = method, .terms = of_entries(1, 1e-6), .fit = {.seed = 1, .block_size = 7}};
  run.terms.calibration = calibration;
  return run.refusal(small_ratings());
}

TEST(BlocksOfUnits, AreRefusedByMethodsThatNeedAllUnitsTogether) {
  EXPECT_THAT(refusal_of("gradient"), HasSubstr("method gradient needs the data of all units together"));
  EXPECT_THAT(refusal_of("one-shot"), HasSubstr("method one-shot needs the data of all units together"));
  EXPECT_THAT(refusal_of("local", Calibration::published), HasSubstr("method local as published needs"));
}

TEST(BlocksOfUnits, AreRefusedByWhatReleasesNothing) {
  for (const std::vector<int>& ranks : {std::vector<int>{}, {2}}) {
    const FitOptions fit{.ranks = ranks, .block_size = 7};
    EXPECT_THROW(complete_best({.data = small_ratings(), .fit = fit}), UsageError);
    EXPECT_THROW(complete_plainly({.data = small_ratings(), .fit = fit}), UsageError);
  }
  const Completion completion = PrivateRun{.method = "als", .terms = of_entries(1)}(small_ratings());
  EXPECT_THROW(refit(*completion.measured, {.block_size = 7}), UsageError);
}

}  // namespace
}  // namespace tulle
