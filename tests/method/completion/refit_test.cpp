#include "method/completion/entry/effects_of_pairs.hpp"
#include "method/private_run.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

using testing::filled;
using testing::of_pairs;
using testing::PrivateRun;

// A method on terms under which it takes one of its ways, and the ranks of two fits.
struct Refitted {
  std::string name, method;
  SparseTensor data;
  Terms terms;
  FitOptions first, other;
  Settings settings = {};
};

Terms pure(double epsilon) {
  return {.budget = {epsilon, 0}, .range = {0, 1}, .seed = 1};
}

Terms of_users(std::optional<Relation> relation) {
  return {.budget = {3, 1e-5}, .unit = Unit::user, .relation = relation, .range = {0, 1}, .seed = 1};
}

FitOptions of_rank(std::vector<int> ranks, ModelKind model = ModelKind::cp) {
  return {.model = model, .ranks = std::move(ranks), .seed = 1};
}

FitOptions ordered(std::vector<int> ranks) {
  return {.ranks = std::move(ranks),
          .orders = {{.kind = ModeOrder::Kind::stated}, {}, {.kind = ModeOrder::Kind::stated}},
          .seed = 1};
}

// Enough for what these tests compare.
FitOptions quick(FitOptions fit, const std::string& method) {
  if (find_method(method).does_read(FitOption::iterations, Calibration::sound)) fit.max_iterations = 5;
  return fit;
}

SparseTensor cube(std::uint64_t size) {
  return observe(generate_cp(Shape{size, size, size}, 2, 3, 2).noisy, 0.5, 3);
}

std::vector<Refitted> cases() {
  const Terms users = of_users({});
  Terms removal = pure(12);
  removal.relation = Relation::add_remove;
  std::vector<Refitted> all = {
      {"AtOnceWithAMean", "one-shot", cube(10), pure(0.1), of_rank({1}), of_rank({2})},
      {"AtOnce", "one-shot", cube(10), pure(12), of_rank({}), of_rank({2}, ModelKind::tucker)},
      {"InPortions", "one-shot", cube(24), pure(8), of_rank({1}), of_rank({3})},
      {"InPortionsTucker", "one-shot", cube(24), pure(8), of_rank({2, 2, 1}, ModelKind::tucker), of_rank({})},
      {"Tubal", "one-shot", cube(12), pure(8), of_rank({1}, ModelKind::tubal),
       of_rank({3}, ModelKind::tubal)},
      {"Margins", "margins", observe(filled({50, 24, 60}, of_pairs), 0.9, 1), pure(3), of_rank({1}),
       of_rank({})},
      {"MarginsOfBlocks", "margins", observe(filled({50, 24, 60}, of_pairs), 0.9, 1), pure(3), ordered({1}),
       ordered({})},
      {"Input", "input", cube(10), pure(12), of_rank({1}), of_rank({2}, ModelKind::tucker)},
      {"InputTubal", "input", cube(10), pure(12), of_rank({1}, ModelKind::tubal), of_rank({2})},
      {"InputOfUsers", "input", testing::small_ratings(), of_users(Relation::replace), of_rank({1}),
       of_rank({2}), Settings().set(setting::entries_per_user, 3)},
      {"InputAtPrivatePositions", "input", cube(6), removal, of_rank({1}), of_rank({2}, ModelKind::tucker)},
      {"Local", "local", cube(10), pure(12), of_rank({1}), of_rank({2})},
      {"AlsOfEntries", "als", cube(12), pure(1), of_rank({2}), of_rank({2}, ModelKind::tucker)},
      {"AlsOfEntriesSwept", "als", cube(12), pure(100), of_rank({2}), of_rank({2}, ModelKind::tucker),
       Settings().set(setting::steps, 2)},
      {"UsersOfFewPositions", "als", testing::small_ratings(), users, of_rank({2}),
       of_rank({1}, ModelKind::tucker)},
      {"AlsOfUsers", "als", testing::small_ratings(), users, of_rank({2}), of_rank({2}, ModelKind::tucker),
       Settings().set(setting::steps, 2)},
  };
  for (Refitted& each : all)
    for (FitOptions* fit : {&each.first, &each.other}) *fit = quick(*fit, each.method);
  return all;
}

class RefitOfMethods : public ::testing::TestWithParam<Refitted> {};

// Made later, of the releases that a run with another fit made, it is what that fit makes of the data at
// first.
TEST_P(RefitOfMethods, EqualsTheFirstFit) {
  const Refitted& tried = GetParam();
  const auto fitted = [&](const FitOptions& fit) {
    return PrivateRun{tried.method, tried.terms, tried.settings, fit}(tried.data);
  };
  const Completion first = fitted(tried.first), wanted = fitted(tried.other);
  ASSERT_TRUE(first.measured);
  EXPECT_EQ(first.measured->releases, wanted.measured->releases);
  const Completion again = refit(*first.measured, tried.other);
  const DenseTensor expected = reconstruct(wanted.model), got = reconstruct(again.model);
  EXPECT_TRUE(std::ranges::equal(expected.values(), got.values()));
  EXPECT_EQ(again.remarks, wanted.remarks);
}

INSTANTIATE_TEST_SUITE_P(Refit, RefitOfMethods, ::testing::ValuesIn(cases()),
                         [](const auto& tried) { return tried.param.name; });

Completion als_of_users(std::vector<int> ranks) {
  const Terms terms{.budget = {3, 1e-5}, .unit = Unit::user, .range = {0, 1}, .seed = 1};
  return PrivateRun{"als", terms, Settings().set(setting::steps, 2),
                    of_rank(std::move(ranks))}(testing::small_ratings());
}

// What als sweeps for is released for the components that were asked for.
TEST(RefitOfAls, TakesTheRankOfTheReleasesOrOffsetsAlone) {
  const Completion first = als_of_users({2});
  const auto rank = [](const Completion& fit) { return std::get<Cp>(fit.model).rank(); };
  EXPECT_EQ(rank(refit(*first.measured, of_rank({}))), rank(first));
  EXPECT_EQ(rank(refit(*first.measured, of_rank({0}))), rank(first) - 2);
  EXPECT_THROW(refit(*first.measured, of_rank({1})), UsageError);
  EXPECT_THROW(refit(*als_of_users({}).measured, of_rank({3})), UsageError);
}

// A file may ask for any rank, and has room for the numbers of one.
TEST(RefitOfAls, ComputesNoMoreComponentsThanTheReleasesHave) {
  for (const Refitted& tried : cases()) {
    if (!tried.name.starts_with("AlsOf")) continue;
    const Completion first = PrivateRun{tried.method, tried.terms, tried.settings, tried.first}(tried.data);
    Measurement broken = *first.measured;
    const bool users = tried.name == "AlsOfUsers";
    for (Release& release : broken.releases)
      if (release.chosen.size() > 1) release.chosen[users ? 1 : 4] = 999'999, release.chosen.back() = 1;
    std::erase_if(broken.releases, [](const Release& release) { return release.chosen.size() == 1; });
    FitOptions fit = tried.first;
    fit.ranks = {users ? fit.ranks.front() : 999'999};
    EXPECT_THROW(refit(broken, fit), Error) << tried.name;
  }
}

// Where sweeps do not pay, their budget releases the offsets again, and all of it is in the events.
TEST(RefitOfAls, SaysWhatCombinedReleasesCost) {
  const Terms terms{.budget = {1, 1e-5}, .unit = Unit::user, .range = {0, 1}, .seed = 1};
  const SparseTensor many_positions = observe(generate_cp(Shape{30, 140}, 2, 3, 100).noisy, 0.7, 4);
  const Completion first = PrivateRun{"als", terms, {}, of_rank({})}(many_positions);
  ASSERT_EQ(first.measured->releases.size(), 1u);
  const Release& offsets = first.measured->releases.front();
  ASSERT_GT(first.guarantee.releases.size(), 1u);
  std::uint64_t released = 0;
  double precision = 0;
  for (const Event& event : offsets.events) {
    released += event.count();
    precision += static_cast<double>(event.count()) /
                 std::pow(std::get<GaussianRelease>(event.mechanism()).noise_multiplier, 2);
  }
  EXPECT_EQ(released, first.guarantee.releases.size());
  EXPECT_NEAR(1 / std::sqrt(precision), offsets.deviation,
              1e-4 * offsets.deviation);  // of length 1, on a grid
}

TEST(RefitOfOneShot, KeepsToTheKindOfModelThatWasReleasedFor) {
  const SparseTensor data = cube(10);
  const auto measured = [&](ModelKind model) {
    return PrivateRun{"one-shot", pure(2), {}, of_rank({1}, model)}(data).measured;
  };
  EXPECT_THROW(refit(*measured(ModelKind::cp), of_rank({1}, ModelKind::tubal)), UsageError);
  EXPECT_THROW(refit(*measured(ModelKind::tubal), of_rank({1})), UsageError);
}

TEST(Refit, RefusesOptionsThatTheMethodDoesNotRead) {
  for (const Refitted& tried : cases()) {
    const Completion first = PrivateRun{tried.method, tried.terms, tried.settings, tried.first}(tried.data);
    FitOptions fit = tried.first;
    fit.ridge = 0.1;
    const bool reads = find_method(tried.method).does_read(FitOption::ridge, Calibration::sound) &&
                       fit.model != ModelKind::tubal;
    try {
      refit(*first.measured, fit);
      EXPECT_TRUE(reads) << tried.name;
    } catch (const UsageError& error) {
      EXPECT_FALSE(reads) << tried.name;
      EXPECT_NE(std::string(error.what()).find("does not read FitOptions::ridge; omit it"),
                std::string::npos);
    }
  }
}

// tulle refit prints the reason.
TEST(Refit, WorksOfEveryMethodThatGivesNoReasonWhyNot) {
  for (const Job job : {Job::completion, Job::topics, Job::classification})
    for (const Method& method : methods(job)) {
      if (!method.is_private() || !method.has(Calibration::sound) || method.pick) continue;
      EXPECT_EQ(method.keeps_releases(), method.no_refit.empty()) << method.name;
    }
}

TEST(Refit, RefusesAModelToStartFrom) {
  const Completion first = PrivateRun{"one-shot", pure(2), {}, of_rank({1})}(cube(10));
  FitOptions fit = of_rank({});
  fit.from = std::make_shared<const Model>(first.model);
  EXPECT_THROW(refit(*first.measured, fit), UsageError);
}

TEST(Refit, HasFiniteParametersOrIsRefused) {
  for (const Refitted& tried : cases()) {
    const Completion first = PrivateRun{tried.method, tried.terms, tried.settings, tried.first}(tried.data);
    EXPECT_TRUE(is_finite(refit(*first.measured, tried.first).model)) << tried.name;
    Measurement huge = *first.measured;
    for (Release& release : huge.releases)
      for (double& value : release.values) value = value < 0 ? -1e308 : 1e308;
    huge.low = -1e308, huge.high = 1e307;
    try {
      EXPECT_TRUE(is_finite(refit(huge, tried.first).model)) << tried.name;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
}

// A file may say anything.
TEST(Refit, RefusesReleasesThatDoNotGoTogether) {
  for (const Refitted& tried : cases()) {
    const Completion first = PrivateRun{tried.method, tried.terms, tried.settings, tried.first}(tried.data);
    for (std::size_t i = 0; i < first.measured->releases.size(); ++i) {
      Measurement broken = *first.measured;
      if (tried.name.starts_with("InPortions") && broken.releases[i].id == "mean")
        continue;  // where windows begin: no estimate looks at it
      broken.releases[i].values.push_back(0.5);
      EXPECT_THROW(refit(broken, tried.first), Error) << tried.name << " " << broken.releases[i].id;
    }
    Measurement without = *first.measured;
    for (Release& release : without.releases) release.id = "another";
    EXPECT_THROW(refit(without, tried.first), Error) << tried.name;
  }
}

}  // namespace
}  // namespace tulle
