#include "completion/user/user_sums.hpp"
#include "method/private_run.hpp"
#include "solve/absorbing_sum.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/base/rounding.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/data/generate.hpp>
#include <tulle/method/private_completion.hpp>

#include <gtest/gtest.h>

#include <map>
#include <numeric>

namespace tulle {
namespace {

Terms entry_terms(double epsilon, double delta = 0) {
  return {.budget = {epsilon, delta}, .relation = {}, .range = {0, 1}, .seed = 1};
}

Terms user_terms(double epsilon, int user_mode = 0) {
  return {.budget = {epsilon, 1e-6},
          .unit = Unit::user,
          .relation = {},
          .user_mode = user_mode,
          .range = {0, 1},
          .seed = 1};
}

Completion run(const SparseTensor& observed, const Terms& terms, const Settings& settings = {},
               int rank = 2) {
  FitOptions fit;
  fit.ranks = {rank};
  return complete_privately(find_method("als"), observed, testing::on_shape(terms, observed.shape()),
                            settings, fit);
}

std::string message_of(const SparseTensor& observed, const Terms& terms, const Settings& settings = {}) {
  try {
    run(observed, terms, settings);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

double error_on_cells(const Model& model, const SparseTensor& truth) {
  const std::vector<double> predicted = predict(model, truth.cells());
  double square = 0;
  for (std::size_t cell = 0; cell < truth.size(); ++cell)
    square += std::pow(predicted[cell] - truth.values()[cell], 2);
  return std::sqrt(square / static_cast<double>(truth.size()));
}

// Offsets of every position and noise.
SparseTensor additive(const Shape& shape, double fraction, double noise) {
  Random random(3);
  DenseTensor tensor(shape);
  std::vector<std::vector<double>> offsets;
  for (Index size : shape.dimensions()) {
    offsets.emplace_back();
    for (Index i = 0; i < size; ++i) offsets.back().push_back(0.1 * random.normal());
  }
  for (std::size_t flat = 0; flat < tensor.size(); ++flat) {
    double value = 0.5 + noise * random.normal();
    for (int mode = 0; mode < shape.order(); ++mode)
      value += offsets[mode][flat / shape.stride(mode) % shape[mode]];
    tensor.values()[flat] = std::clamp(value, 0.0, 1.0);
  }
  return observe(tensor, fraction, 5);
}

const Shape kShapes[] = {Shape{40, 30}, Shape{30, 20, 6}, Shape{12, 10, 6, 4}};

TEST(AlsForEntries, DifferentRanksAreRefused) {
  testing::PrivateRun run{"als", entry_terms(1)};
  run.fit.model = ModelKind::tucker;
  const SparseTensor observed = additive(Shape{8, 6, 4}, 0.5, 0.05);
  run.fit.ranks = {2, 2, 2};
  EXPECT_EQ(run.refusal(observed), "no error");
  run.fit.ranks = {2, 3, 3};
  EXPECT_NE(run.refusal(observed).find("one rank for all modes"), std::string::npos);
}

TEST(AlsForEntries, SpendsItsBudgetAndNoMore) {
  for (const Shape& shape : kShapes) {
    const SparseTensor observed = additive(shape, 0.5, 0.05);
    const Guarantee pure = run(observed, entry_terms(2)).guarantee;
    EXPECT_DOUBLE_EQ(pure.used.epsilon, 2);
    EXPECT_EQ(pure.used.delta, 0);
    const Guarantee swept = run(observed, entry_terms(2, 1e-7),
                                Settings().set(setting::noise, NoiseKind::gaussian).set(setting::steps, 2))
                                .guarantee;
    EXPECT_NEAR(swept.used.epsilon, 2, 1e-6);
    EXPECT_LE(swept.used.epsilon, 2 * (1 + 1e-9));
    EXPECT_LE(swept.releases.size(), 1u + 2 * shape.order());  // components that die out need no more
  }
}

TEST(AlsForEntries, FindsOffsetsWhenNoiseIsSmall) {
  for (const Shape& shape : kShapes) {
    const SparseTensor observed = additive(shape, 0.5, 0.05);
    EXPECT_LT(error_on_cells(run(observed, entry_terms(500)).model, observed), 0.055);
  }
}

TEST(AlsForEntries, FallsBackToTheLevelWhenNoiseIsLarge) {
  const SparseTensor observed = additive(Shape{40, 30}, 0.5, 0.05);
  const Cp model = std::get<Cp>(run(observed, entry_terms(0.02)).model);
  for (const Vector& offsets : model.biases.offsets)
    EXPECT_LT(offsets.norm() / std::sqrt(offsets.size()), 0.05);
}

TEST(AlsForEntries, DoesNotDependOnThreads) {
  const SparseTensor observed = additive(Shape{60, 50, 8}, 0.5, 0.05);
  const auto with_threads = [&](int count) {
    set_threads(count);
    return std::get<Cp>(run(observed, entry_terms(5, 1e-6), Settings().set(setting::steps, 1)).model);
  };
  const int before = threads();
  const Cp one = with_threads(1), three = with_threads(3);
  set_threads(before);
  for (int mode = 0; mode < 3; ++mode) {
    EXPECT_EQ(one.factors[mode], three.factors[mode]);
    EXPECT_EQ(one.biases.offsets[mode], three.biases.offsets[mode]);
  }
}

// A tucker model is the cp model with a diagonal core; ranks that differ bound its components by the least.
TEST(Als, HasTuckerModelsThatSayTheSame) {
  const SparseTensor observed = additive({12, 9, 7}, 0.5, 0.05);
  for (const Terms& given : {entry_terms(5, 1e-6), user_terms(5, 1)}) {
    const Terms terms = testing::on_shape(given, observed.shape());
    FitOptions fit{.ranks = {2}, .seed = 1};
    const auto complete = [&] {
      return complete_privately(find_method("als"), observed, terms, Settings().set(setting::steps, 1), fit);
    };
    const Completion cp = complete();
    fit.model = ModelKind::tucker;
    fit.ranks = {2, 2, 2};
    const Completion tucker = complete();
    EXPECT_TRUE(std::holds_alternative<Tucker>(tucker.model));
    const DenseTensor expected = reconstruct(cp.model), got = reconstruct(tucker.model);
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got.values()[i], expected.values()[i], 1e-9);
    EXPECT_EQ(cp.with_user_rows.has_value(), tucker.with_user_rows.has_value());
    if (tucker.with_user_rows) {
      EXPECT_TRUE(std::holds_alternative<Tucker>(open_for_the_data_owner(*tucker.with_user_rows)));
    }
  }
}

TEST(Als, KeepsTuckerCoresSmall) {
  const auto complete = [](const Shape& shape, int rank) {
    return complete_privately(find_method("als"), additive(shape, 0.5, 0.05), entry_terms(50),
                              Settings().set(setting::steps, 1),
                              {.model = ModelKind::tucker, .ranks = {rank}, .seed = 1});
  };
  EXPECT_LE(std::get<Tucker>(complete({12, 9, 7}, 1000).model).core.size(), 32u * 32 * 32);
  EXPECT_THROW(complete({6, 5, 4, 3}, 2), UsageError);
}

TEST(AlsForEntries, SaysWhatItDoesNotHave) {
  const SparseTensor observed = additive(Shape{40, 30}, 0.5, 0.05);
  EXPECT_NE(message_of(observed, entry_terms(1), Settings().set(setting::noise, NoiseKind::gaussian))
                .find("a delta above 0"),
            std::string::npos);
  EXPECT_NE(message_of(observed, entry_terms(1), Settings().set(setting::noise, NoiseKind::duchi))
                .find("laplace, gaussian"),
            std::string::npos);
}

TEST(AlsForEntries, SweepsReachTheTruthWithoutNoise) {
  const Synthetic sample = generate_cp(Shape{20, 20, 20}, 2, 1, 1e6);
  const SparseTensor observed = observe(sample.noisy, 0.5, 2);
  const Terms terms = entry_terms(1e6, 1e-6);
  const Completion swept =
      run(observed, terms, Settings().set(setting::noise, NoiseKind::gaussian).set(setting::steps, 20), 3);
  EXPECT_LT(error_on_cells(swept.model, observed),
            0.2 * error_on_cells(run(observed, terms, Settings().set(setting::steps, 0), 3).model, observed));
}

TEST(AlsForUsers, SpendsItsBudgetAndNoMore) {
  for (const Shape& shape : kShapes)
    for (int sweeps : {0, 2}) {
      const Completion completion =
          run(additive(shape, 0.5, 0.05), user_terms(1, 1), Settings().set(setting::steps, sweeps));
      EXPECT_NEAR(completion.guarantee.used.epsilon, 1, 1e-6);
      EXPECT_LE(completion.guarantee.used.epsilon, 1 + 1e-9);
      EXPECT_EQ(completion.guarantee.releases.size(), 1u + sweeps * (shape.order() - 1));
    }
}

TEST(AlsForUsers, ThePublishedModelHoldsNothingOfSingleUsers) {
  const SparseTensor observed = additive(Shape{30, 20, 6}, 0.5, 0.05);
  const Completion completion = run(observed, user_terms(100, 0), Settings().set(setting::steps, 1));
  const Cp& shared = std::get<Cp>(completion.model);
  EXPECT_TRUE(shared.factors[0].isZero(0));
  EXPECT_TRUE(shared.biases.offsets[0].isZero(0));
  ASSERT_TRUE(completion.with_user_rows);
  const Cp& full = std::get<Cp>(open_for_the_data_owner(*completion.with_user_rows));
  EXPECT_FALSE(full.biases.offsets[0].isZero(1e-6));
  for (int mode : {1, 2}) EXPECT_EQ(full.factors[mode], shared.factors[mode]);
}

TEST(AlsForUsers, FindsOffsetsWhenNoiseIsSmall) {
  for (const Shape& shape : {Shape{200, 20}, Shape{200, 12, 5}}) {
    const SparseTensor observed = additive(shape, 0.5, 0.05);
    const Completion completion = run(observed, user_terms(500), Settings().set(setting::steps, 0));
    EXPECT_LT(error_on_cells(open_for_the_data_owner(*completion.with_user_rows), observed), 0.065);
  }
}

TEST(AlsForUsers, NeedsADelta) {
  Terms terms = user_terms(1);
  terms.budget.delta = 0;
  EXPECT_NE(message_of(additive(Shape{40, 30}, 0.5, 0.05), terms).find("a delta above 0"), std::string::npos);
}

// Numbers of a cell that depend on nothing else of its user: numbers(cell), an array.
template <class Numbers>
struct TermsOfCells {
  const UserCells& data;
  Numbers numbers;

  std::size_t size() const { return numbers(0).size(); }
  HeldSizes sizes() const { return {.of_user = 0, .of_cell = size()}; }
  void start(std::size_t user, double*, double* made) const {
    for (std::size_t cell = data.begin(user); cell < data.end(user); ++cell)
      made = std::ranges::copy(numbers(cell), made).out;
  }
  void add(const HeldCell& held, double weight, double* sums) const {
    for (std::size_t i = 0; i < size(); ++i) sums[i] += weight * held.of_cell[i];
  }
  double square(const HeldCell& held) const {
    return std::inner_product(held.of_cell, held.of_cell + size(), held.of_cell, 0.0);
  }
  void prefetch_held(const HeldCell&) const {}
  void prefetch_others(std::size_t) const {}
};
template <class Numbers>
auto terms_of_cells(const UserCells& data, Numbers numbers) {
  return [&data, numbers] { return TermsOfCells<Numbers>{data, numbers}; };
}

// Every user of a 3-way tensor, taken away: the sums move by the promised length, also where her cells share
// positions.
TEST(UserSums, OneUserMovesThemByTheLength) {
  const SparseTensor few = additive(Shape{12, 5, 4}, 0.6, 0.3);
  for (Index positions : {5u, 200'000u}) {
    std::vector<std::vector<Index>> columns;
    for (int mode = 0; mode < 3; ++mode)
      columns.emplace_back(few.column(mode).begin(), few.column(mode).end());
    const SparseTensor observed(Cells(Shape{12, positions, 4}, std::move(columns)),
                                {few.values().begin(), few.values().end()}, Unlisted::missing);
    const std::size_t shared[] = {0, 1};
    const auto sums_of = [&](const SparseTensor& tensor) {
      const UserCells data(tensor, 0);
      return sums_of_equal_users(data, 1000, shared, 2, 0.7, terms_of_cells(data, [&](std::size_t cell) {
                                   return std::array<double, 2>{data.value(cell), 0.5};
                                 }));
    };
    const std::vector<double> all = sums_of(observed);
    ASSERT_EQ(all.size(), 2u * (positions + 4));
    for (Index user = 0; user < 12; ++user) {
      std::vector<std::size_t> others;
      for (std::size_t cell = 0; cell < observed.size(); ++cell)
        if (observed.cells()(cell, 0) != user) others.push_back(cell);
      const std::vector<double> rest = sums_of(observed.select(others));
      double square = 0;
      for (std::size_t k = 0; k < all.size(); ++k) square += std::pow(all[k] - rest[k], 2);
      EXPECT_NEAR(std::sqrt(square), 0.7, 1e-8);
      EXPECT_LE(std::sqrt(square), 0.7);
    }
  }
}

// What the sums are, user by user and position by position.
std::vector<double> sums_by_definition(const UserCells& data, std::span<const std::size_t> shared,
                                       double length) {
  std::vector<std::size_t> begins{0};
  for (std::size_t s : shared) begins.push_back(begins.back() + data.positions_of(s));
  std::vector<double> sums(2 * begins.back());
  const UserScale scale(length, sums.size(), 10'000);
  for (std::size_t user = 0; user < data.users(); ++user) {
    std::map<std::size_t, double> own;
    for (std::size_t cell = data.begin(user); cell < data.end(user); ++cell)
      for (std::size_t m = 0; m < shared.size(); ++m) {
        const std::size_t place = 2 * (begins[m] + data.positions(cell)[shared[m]]);
        own[place] += data.value(cell);
        own[place + 1] += 0.5;
      }
    double square = 0;
    for (const auto& [place, number] : own) square += number * number;
    for (const auto& [place, number] : own)
      sums[place] += scale.grid().round(scale.weight(std::sqrt(square)) * number);
  }
  return sums;
}

// Sums that fit in a cache, and sums that do not, which are added up position by position: of several chunks
// of users, some without a cell, with positions that most of the cells have.
TEST(UserSums, OfFewAndOfManyPositionsFollowTheDefinition) {
  const std::size_t shared[] = {0, 1};
  for (Index positions : {50u, 200'000u}) {
    Random random(3);
    SparseTensor observed(Shape{4000, positions, 7}, Unlisted::missing);
    for (Index user = 0; user < 4000; ++user) {
      const std::uint64_t cells = user % 5 == 0 ? 0 : random.below(user == 7 ? 5000 : 150);
      for (std::uint64_t cell = 0; cell < cells; ++cell) {
        const auto item =
            static_cast<Index>(random.below(random.chance(0.5) ? 3 : static_cast<std::uint64_t>(positions)));
        observed.append(std::array<Index, 3>{user, item, static_cast<Index>(random.below(7))},
                        static_cast<float>(random.normal()));
      }
    }
    const UserCells data(observed, 0);
    ASSERT_GT(data.size(), 200'000u);
    const auto found =
        sums_of_equal_users(data, 10'000, shared, 2, 0.7, terms_of_cells(data, [&](std::size_t cell) {
                              return std::array<double, 2>{data.value(cell), 0.5};
                            }));
    EXPECT_LT(testing::l2_distance(found, sums_by_definition(data, shared, 0.7)), 1e-7);
  }
}

// Users of one cell each, all of the same position: most add (1, 0), and then many (tiny, 1), which leaves a
// partial sum of about 2^12 in the first number.
TEST(UserSums, OneUserMovesALongSumByAtMostTheLength) {
  const testing::AbsorbingSum users{12, 20'000};
  const auto sums_of = [&](bool whole) {
    std::vector<float> terms = users.terms(1);
    terms.insert(terms.begin(), 1);  // lengths are a little below 1: one more reaches 2^12
    SparseTensor observed(Shape{terms.size(), 1}, Unlisted::missing);
    for (Index u = 0; u < terms.size(); ++u)
      if (whole || u != users.large()) observed.append(std::array<Index, 2>{u, 0}, terms[u]);
    const UserCells data(observed, 0);
    const std::size_t shared[] = {0};
    return sums_of_equal_users(data, 30'000, shared, 2, 1, terms_of_cells(data, [&](std::size_t cell) {
                                 const double term = data.value(cell);
                                 return std::array<double, 2>{term, term < 0.5 ? 1.0 : 0.0};
                               }));
  };
  EXPECT_LE(testing::l2_distance(sums_of(true), sums_of(false)), 1);
}

// Cells of a user at one position that all but cancel, and of which another rounding leaves a number 10^4
// times as long as what was measured: her vector is measured and added up in the same one.
TEST(UserSums, DoNotDependOnTheCallersRounding) {
  SparseTensor observed(Shape{1, 200'000}, Unlisted::missing);
  for (int cell = 0; cell < 3; ++cell) observed.append(std::array<Index, 2>{0, 0}, 1);
  const UserCells data(observed, 0);
  const std::size_t shared[] = {0};
  for (double sign : {1.0, -1.0}) {
    const std::array<double, 2> made[] = {{sign, 1e-20}, {-0.75 * 0x1p-53 * sign, 0}, {-sign, 0}};
    const auto sums = [&] {
      return sums_of_equal_users(data, 1000, shared, 2, 1,
                                 terms_of_cells(data, [&](std::size_t cell) { return made[cell]; }));
    };
    const std::vector<double> usual = sums();
    EXPECT_LE(std::hypot(usual[0], usual[1]), 1);
    const Rounding rounding = Rounding::down();
    EXPECT_EQ(sums(), usual);
  }
}

// A user whose numbers overflow cannot stop a run.
TEST(UserSums, AUserWhoseVectorIsNotFiniteAddsNothing) {
  SparseTensor observed(Shape{3, 2}, Unlisted::missing);
  for (Index u = 0; u < 3; ++u) observed.append(std::array<Index, 2>{u, 0}, static_cast<float>(u));
  const UserCells data(observed, 0);
  const std::size_t shared[] = {0};
  const double made[] = {1e200, std::numeric_limits<double>::quiet_NaN(), 2};
  const auto sums = sums_of_equal_users(data, 1000, shared, 1, 1, terms_of_cells(data, [&](std::size_t cell) {
                                          return std::array<double, 1>{made[cell]};
                                        }));
  EXPECT_NEAR(sums[0], 1, 1e-8);
  EXPECT_EQ(sums[1], 0);
}

}  // namespace
}  // namespace tulle
