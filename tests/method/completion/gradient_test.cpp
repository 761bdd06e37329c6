#include "method/private_run.hpp"

#include <tulle/base/threads.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

using testing::PrivateRun;

PrivateRun gradient(double epsilon = 1) {
  PrivateRun run{"gradient"};
  run.terms.budget.epsilon = epsilon;
  run.settings.set(setting::steps, 20);
  return run;
}

SparseTensor gradient_data() {
  return observe(generate_cp(Shape{10, 9, 8}, 2, 3).noisy, 0.6, 4);
}

void expect_promise_kept(const PrivateRun& run) {
  const Completion completion = run(gradient_data());
  EXPECT_EQ(completion.guarantee.status, Guarantee::Status::proven);
  EXPECT_LE(completion.guarantee.used.epsilon, 1 + 1e-9);
  EXPECT_GT(completion.guarantee.used.epsilon, 0.95);
  EXPECT_EQ(completion.guarantee.unit, run.terms.unit);
  EXPECT_EQ(completion.guarantee.relation, run.terms.relation);
  EXPECT_EQ(completion.history.size(), 20u);
}

TEST(Gradient, GivesWhatItPromisesForEveryUnitRelationAndModel) {
  for (const Neighbours& pair : find_method("gradient").protects)
    for (ModelKind model : {ModelKind::cp, ModelKind::tucker}) {
      PrivateRun run = gradient();
      run.terms.unit = pair.unit;
      run.terms.relation = pair.relation;
      run.terms.user_mode = 1;
      run.fit.model = model;
      expect_promise_kept(run);
    }
}

TEST(Gradient, GivesWhatItPromisesOnSamples) {
  PrivateRun run = gradient();
  run.terms.relation = Relation::zero_out;
  run.settings.set(setting::sampling_rate, 0.3);
  expect_promise_kept(run);
}

TEST(Gradient, GivesWhatItPromisesWhileTheClippingLengthAdapts) {
  for (const Neighbours& pair : find_method("gradient").protects) {
    PrivateRun run = gradient();
    run.terms.unit = pair.unit;
    run.terms.relation = pair.relation;
    run.settings.set(setting::clip_quantile, 0.5);
    expect_promise_kept(run);
  }
}

TEST(Gradient, StartsFromTheMean) {
  for (Unit unit : {Unit::entry, Unit::user})
    for (Relation relation : {Relation::zero_out, Relation::add_remove}) {
      PrivateRun run = gradient(1);
      run.terms.unit = unit;
      run.terms.relation = relation;
      run.settings.set(setting::learning_rate, 1e-9);
      SparseTensor high = observe(generate_cp(Shape{400, 10, 10}, 2, 3).noisy, 0.6, 4);
      for (float& value : high.values()) value = 0.9f;
      EXPECT_NEAR(testing::cp(run(high)).biases.global, 0.9, 0.15) << name(unit) << name(relation);
    }
  PrivateRun run = gradient(1e-3);  // noise alone
  run.settings.set(setting::learning_rate, 1e-9);
  EXPECT_NEAR(testing::cp(run(gradient_data())).biases.global, 0.5, 0.05);
}

// From far above and far below, half of the gradients come to be clipped. The noise of a step tells its
// clipping length.
TEST(Gradient, FindsTheClippingLength) {
  const SparseTensor many_users = observe(generate_cp(Shape{400, 4, 3}, 2, 3).noisy, 0.6, 4);
  const auto last_length = [&](Unit unit, double start) {
    PrivateRun run = gradient(20);
    run.terms.unit = unit;
    run.settings.set(setting::steps, 100);
    run.settings.set(setting::clip, start);
    run.settings.set(setting::clip_quantile, 0.5);
    run.settings.set(setting::learning_rate, 1e-6);  // the model, and so its gradients, stay what they are
    return run(many_users).guarantee.releases.back().deviation;
  };
  for (Unit unit : {Unit::entry, Unit::user}) {
    const double from_above = last_length(unit, 100), from_below = last_length(unit, 0.001);
    EXPECT_LT(from_above / from_below, 1.3);
    EXPECT_GT(from_above / from_below, 1 / 1.3);
  }
}

// The count is one more number of the same release, and the gradients' noise grows by half a per cent.
TEST(Gradient, CountsInTheSameRelease) {
  PrivateRun run = gradient();
  run.settings.set(setting::clip, 1);
  const Guarantee fixed = run(gradient_data()).guarantee;
  run.settings.set(setting::clip_quantile, 0.5);
  const Guarantee adaptive = run(gradient_data()).guarantee;
  ASSERT_EQ(adaptive.releases.size(), fixed.releases.size());
  const auto first_step = [](const Guarantee& guarantee) {
    return *std::ranges::find(guarantee.releases, "sum of gradients", &Record::what);
  };
  EXPECT_EQ(first_step(adaptive).numbers, first_step(fixed).numbers + 1);
  EXPECT_NEAR(first_step(adaptive).deviation / first_step(fixed).deviation, std::sqrt(1.01), 1e-4);
}

TEST(Gradient, TakesOrdersTwoToEight) {
  for (std::vector<std::uint64_t> sizes :
       {std::vector<std::uint64_t>{6, 7}, {3, 4, 3, 4}, {2, 3, 2, 3, 2, 3, 2, 3}}) {
    const Shape shape(sizes);
    const Completion completion = gradient()(observe(generate_cp(shape, 1, 1).noisy, 0.5, 1));
    EXPECT_EQ(tulle::shape(completion.model), shape);
  }
}

// With a large budget it is gradient descent, and finds what there is.
TEST(Gradient, LearnsWhenThereIsLittleNoise) {
  const Synthetic made = generate_cp(Shape{20, 20, 20}, 3, 11);
  PrivateRun run = gradient(50);
  run.settings.reset(setting::steps);
  run.fit.ranks = {4};
  const Completion completion = run(observe(made.noisy, 0.5, 11));
  EXPECT_LT(testing::rmse(completion.model, made.truth), 0.7 * testing::deviation_of(made.truth));
}

TEST(Gradient, DoesNotDependOnThreads) {
  for (Unit unit : {Unit::entry, Unit::user}) {
    PrivateRun run = gradient();
    run.terms.unit = unit;
    const int before = threads();
    set_threads(1);
    const auto one = testing::cp(run(gradient_data())).factors;
    set_threads(3);
    EXPECT_EQ(testing::cp(run(gradient_data())).factors, one);
    set_threads(before);
  }
}

// Noise on touched rows alone would tell who was sampled, and where there are cells at all: a row without any
// cell moves as well.
TEST(Gradient, PutsNoiseOnEveryNumber) {
  SparseTensor corner(Shape{5, 5, 5}, Unlisted::missing);
  corner.append(std::array<Index, 3>{0, 0, 0}, 0.5f);
  PrivateRun run = gradient();
  run.terms.relation = Relation::zero_out;
  run.settings.set(setting::steps, 1);
  run.settings.set(setting::learning_rate, 0.5);
  run.terms.budget.delta = 1e-3;
  const auto factors = testing::cp(run(corner)).factors;
  run.terms.seed = 2;
  const auto others = testing::cp(run(corner)).factors;
  for (int mode = 0; mode < 3; ++mode)
    for (int i = 0; i < 5; ++i)
      for (int r = 0; r < 2; ++r)
        if (factors[mode].col(r).squaredNorm() > 0 && others[mode].col(r).squaredNorm() > 0) {
          EXPECT_NE(factors[mode](i, r), others[mode](i, r));
        }
  EXPECT_EQ(run(corner).guarantee.releases.back().numbers, 3u * 5 * 2);
}

// Joint privacy: the model for all says nothing of users, the protected one has their rows.
TEST(Gradient, KeepsUsersRowsApart) {
  PrivateRun run = gradient(10);
  run.terms.unit = Unit::user;
  run.terms.user_mode = 2;
  const Completion completion = run(gradient_data());
  EXPECT_EQ(testing::cp(completion).factors[2].squaredNorm(), 0);
  ASSERT_TRUE(completion.with_user_rows);
  EXPECT_GT(std::get<Cp>(open_for_the_data_owner(*completion.with_user_rows)).factors[2].squaredNorm(), 0);
}

// Values that are not sampled change nothing at all, but for their mean, which is released before; those that
// are change the sum.
TEST(Gradient, UnitsThatAreNotSampledChangeNothing) {
  PrivateRun run = gradient(20);
  run.terms.relation = Relation::zero_out;
  run.settings.set(setting::sampling_rate, 0.5);
  run.settings.set(setting::steps, 1);
  SparseTensor other = gradient_data();
  std::swap(other.values()[0], other.values()[1]);
  int same = 0;
  constexpr int kRuns = 8;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    run.terms.seed = seed;
    same += testing::cp(run(gradient_data())).factors == testing::cp(run(other)).factors ? 1 : 0;
  }
  EXPECT_GT(same, 0);
  EXPECT_LT(same, kRuns);
}

TEST(Gradient, SaysWhatIsWrong) {
  PrivateRun run = gradient();
  run.terms.budget.delta = 0;
  EXPECT_NE(run.refusal(gradient_data()).find("a delta above 0"), std::string::npos);
  run = gradient();
  run.settings.set(setting::steps, 0);
  EXPECT_NE(run.refusal(gradient_data()).find("steps 0"), std::string::npos);
  run = gradient();
  run.settings.set(setting::entries_per_user, 3);
  EXPECT_EQ(run.refusal(gradient_data()), "entries-per-user is for unit user; omit it");
  run = gradient();
  run.settings.set(setting::sampling_rate, 1.5);
  EXPECT_NE(run.refusal(gradient_data()).find("sampling-rate 1.5"), std::string::npos);
  run = gradient();
  run.settings.set(setting::clip, -1);
  EXPECT_NE(run.refusal(gradient_data()).find("clip -1"), std::string::npos);
  run = gradient();
  run.settings.set(setting::clip_quantile, 1);
  EXPECT_NE(run.refusal(gradient_data()).find("clip-quantile 1"), std::string::npos);
  run.settings.set(setting::clip_quantile, 0.5);
  run.terms.calibration = Calibration::published;
  EXPECT_NE(run.refusal(gradient_data()).find("the sound form"), std::string::npos);
  run.settings = Settings().set(setting::sampling_rate, 0.5);
  EXPECT_NE(run.refusal(gradient_data()).find("the sound form"), std::string::npos);
  run = gradient();
  run.fit.biases = true;
  EXPECT_EQ(run.refusal(gradient_data()), "method gradient does not read FitOptions::biases; omit it");
  run = gradient();
  run.fit.ranks = {2, 3};
  EXPECT_NE(run.refusal(gradient_data()).find("one rank"), std::string::npos);
  run = gradient();
  run.terms.calibration = Calibration::published;
  run.terms.unit = Unit::user;
  EXPECT_NE(run.refusal(gradient_data()).find("unit entry"), std::string::npos);
}

PrivateRun printed(double epsilon = 1) {
  PrivateRun run{"gradient"};
  run.terms.budget = {epsilon, 0};
  run.terms.calibration = Calibration::published;
  run.settings.set(setting::steps, 1);
  run.fit.ranks = {1};
  return run;
}

TEST(GradientAsPublished, TakesStepsOrIterations) {
  PrivateRun run = printed(1);
  run.fit.max_iterations = 50;
  EXPECT_NE(run.refusal(gradient_data()).find("give one of them"), std::string::npos);
}

// The start that the printed algorithm draws, for whoever knows the seed: a run on nothing but the same seed
// with a step of no length.
std::vector<double> start_of(const PrivateRun& run) {
  PrivateRun still = run;
  still.settings.set(setting::learning_rate, 1e-300);
  const auto factors = testing::cp(still(testing::small_tensor())).factors;
  return {factors[0](0, 0), factors[1](0, 0), factors[2](0, 0)};
}

// Flaw 1 of algorithm 2: factors that move without noise. One pass over one cell gives
// a1 = a0 - eta (-2 (x - a0 b0 c0) b0 c0 + 2 lambda a0), from which x follows.
double value_read_back(const PrivateRun& run, double value) {
  constexpr double eta = 0.005, lambda = 0.01;
  const auto start = start_of(run);
  const double a0 = start[0], others = start[1] * start[2];
  const double a1 = testing::cp(run(testing::small_tensor(value))).factors[0](0, 0);
  return ((a1 - a0) / eta + 2 * lambda * a0) / (2 * others) + a0 * others;
}

TEST(GradientAsPublished, GivesTheValueAway) {
  for (double value : {0.125, 0.5, 0.8125}) EXPECT_NEAR(value_read_back(printed(), value), value, 1e-6);
}

// In sound form, what is predicted for two values far apart overlaps over the seeds.
TEST(Gradient, DoesNotGiveTheValueAway) {
  PrivateRun run = gradient();
  run.settings.set(setting::steps, 1);
  run.fit.ranks = {1};
  double most_of_low = -1e300, least_of_high = 1e300;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    run.terms.seed = seed;
    const auto predicted = [&](double value) {
      return reconstruct(run(testing::small_tensor(value)).model).values()[0];
    };
    most_of_low = std::max(most_of_low, predicted(0.125));
    least_of_high = std::min(least_of_high, predicted(0.8125));
  }
  EXPECT_GE(most_of_low, least_of_high);
}

// Flaw 3: the claim does not grow with the passes, in each of which the cell is used again.
TEST(GradientAsPublished, ClaimsTheSameForAnyNumberOfPasses) {
  PrivateRun run = printed();
  run.settings.set(setting::steps, 7);
  const Guarantee guarantee = run(testing::small_tensor()).guarantee;
  EXPECT_EQ(guarantee.status, Guarantee::Status::claimed);
  EXPECT_EQ(guarantee.used.epsilon, 1);
  EXPECT_EQ(guarantee.releases.size(), 7u);
  PrivateRun sound = gradient();
  sound.terms.budget.epsilon = 1;
  const auto noise_of = [&](int steps) {
    sound.settings.set(setting::steps, steps);
    return sound(gradient_data()).guarantee.releases.back().deviation;
  };
  EXPECT_GT(noise_of(40), 1.5 * noise_of(10));  // sound: more steps, more noise in each
}

// Noise of the exponential-norm kind for Delta = 2m on the last mode: with a step of length 1 from a known
// start, the row of that mode shows it. |n| is Gamma(d, 2m / epsilon): mean 2 d m / epsilon.
TEST(GradientAsPublished, AddsExponentialNormNoiseToTheLastMode) {
  PrivateRun run = printed(2);
  run.fit.ranks = {3};
  run.fit.ridge = 0;
  run.settings.set(setting::clip, 1e-9);  // the gradient itself disappears
  run.settings.set(setting::learning_rate, 1);
  double sum = 0;
  constexpr int kRuns = 400;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    run.terms.seed = seed;
    PrivateRun still = run;
    still.settings.set(setting::learning_rate, 1e-300);
    const auto tensor = testing::small_tensor();
    sum += (testing::cp(run(tensor)).factors[2] - testing::cp(still(tensor)).factors[2]).norm() / kRuns;
  }
  const double scale = 2e-9 / 2;
  // Standard error sqrt(3) scale / 20; five of them, and the clipped gradient of length 1e-9: false alarms
  // below 1e-6.
  EXPECT_NEAR(sum, 3 * scale, 5 * std::sqrt(3.0) * scale / 20 + 1e-9);
}

TEST(GradientAsPublished, RunsTucker) {
  PrivateRun run = printed(5);
  run.fit.model = ModelKind::tucker;
  run.fit.ranks = {2};
  run.settings.set(setting::steps, 3);
  EXPECT_EQ(kind(run(gradient_data()).model), ModelKind::tucker);
}

}  // namespace
}  // namespace tulle
