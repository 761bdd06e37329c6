#include "coupled/coupled_passes.hpp"

#include "../../data/small_study.hpp"
#include "../../tensor/samples.hpp"
#include "coupled/row_equations.hpp"
#include "random_study.hpp"

#include <tulle/base/threads.hpp>
#include <tulle/solve/coupled/zero_sample.hpp>
#include <tulle/tensor/decompositions.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

// By central differences with steps of 1e-5, whose error is of the order of 1e-9.
RC_GTEST_PROP(CoupledPasses, PushMinusPullIsTheDerivativeOfTheDivergence, (std::uint64_t seed)) {
  Random random(seed);
  const Study study = random_study(random, {.powers = {0, 0.5, 1, 1.5, 2, 3}});
  const CoupledPasses passes(study, seed);
  Coupled model = random_start(study, seed);
  for (std::size_t v = 0; v < study.tables.size(); ++v)
    for (int factor : study.model.products[v].factors) {
      std::vector<double>& values = model.factors[factor].values;
      std::vector<double> pull(values.size()), push(values.size());
      passes.add_gradient(v, factor, values_of(model), 1, pull.data(), push.data());
      const std::size_t i = random.below(values.size());
      const double at = values[i], step = 1e-5 * at;
      values[i] = at + step;
      const double above = passes.divergence(v, values_of(model));
      values[i] = at - step;
      const double below = passes.divergence(v, values_of(model));
      values[i] = at;
      RC_ASSERT(std::abs((above - below) / (2 * step) - (push[i] - pull[i])) <
                1e-5 * (1 + push[i] + pull[i]));
    }
}

// With 3,600 entries and small entities, factors are multiplied before the pass and absorbed into the core.
TEST(CoupledPasses, SumsForEveryFactorOfATuckerModelAreThoseOfAllItsEntries) {
  constexpr Index kA = 30, kB = 40, kC = 3, kK = 3, kL = 2, kM = 2;
  Random random(8);
  Study study;
  study.entities = {{"A", {}}, {"B", {}}, {"C", {}}};
  study.model.axes = {{"a", "A", kA}, {"b", "B", kB}, {"c", "C", kC},
                      {"k", "", kK},  {"l", "", kL},  {"m", "", kM}};
  study.model.factors = {{"U", {0, 3}, {}}, {"V", {1, 4}, {}}, {"W", {2, 5}, {}}, {"G", {3, 4, 5}, {}}};
  study.model.products = {{"X", {0, 1, 2}, {0, 1, 2, 3}}};
  SparseTensor data(Shape{kA, kB, kC}, Unlisted::missing);
  for (Index a = 0; a < kA; ++a)
    for (Index b = 0; b < kB; ++b)
      for (Index c = 0; c < kC; ++c) data.append(std::array{a, b, c}, static_cast<float>(random.uniform()));
  study.tables.push_back({.data = data, .divergence = beta_divergence(1)});
  study.priors.resize(4);
  const Coupled model = random_start(study, 2);
  const auto &u = model.factors[0].values, &v = model.factors[1].values, &w = model.factors[2].values,
             &g = model.factors[3].values;
  std::vector<std::vector<double>> pull;
  for (const Factor& factor : model.factors) pull.emplace_back(factor.values.size());
  for (std::size_t e = 0; e < data.size(); ++e) {
    const auto cell = data.cells().cell(e);
    const Index a = cell[0], b = cell[1], c = cell[2];
    double m = 0;
    for (int pass = 0; pass < 2; ++pass)
      for (Index k = 0; k < kK; ++k)
        for (Index l = 0; l < kL; ++l)
          for (Index n = 0; n < kM; ++n) {
            const double U = u[a * kK + k], V = v[b * kL + l], W = w[c * kM + n],
                         G = g[(k * kL + l) * kM + n];
            if (pass == 0) {
              m += U * V * W * G;
              continue;
            }
            const double x = data.values()[e] / m;
            pull[0][a * kK + k] += x * V * W * G;
            pull[1][b * kL + l] += x * U * W * G;
            pull[2][c * kM + n] += x * U * V * G;
            pull[3][(k * kL + l) * kM + n] += x * U * V * W;
          }
  }
  const CoupledPasses passes(study, 1);
  for (int d = 0; d < 4; ++d) {
    std::vector<double> found(pull[d].size()), push(pull[d].size());
    passes.add_gradient(0, d, values_of(model), 1, found.data(), push.data());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i] / pull[d][i], 1, 1e-11) << d;
  }
}

// x[a,b,c] as a CP and as a Tucker model, all cells listed, so that passes are products of matrices.
Study full_study(const char* kind, double power, const Shape& shape, Index rank) {
  Study study;
  study.entities = {{"A", {}}, {"B", {}}, {"C", {}}};
  study.model.axes = {{"a", "A", shape[0]}, {"b", "B", shape[1]}, {"c", "C", shape[2]}, {"k", "", rank}};
  if (std::string_view(kind) == "cp") {
    study.model.factors = {{"U", {0, 3}, {}}, {"V", {1, 3}, {}}, {"W", {2, 3}, {}}};
    study.model.products = {{"X", {0, 1, 2}, {0, 1, 2}}};
  } else {
    study.model.axes.push_back({"l", "", 3});
    study.model.factors = {{"U", {0, 3}, {}}, {"V", {1, 4}, {}}, {"W", {2}, {}}, {"G", {3, 4}, {}}};
    study.model.products = {{"X", {0, 1, 2}, {0, 1, 2, 3}}};
  }
  if (std::string_view(kind) == "two factors of an entity") {
    study.model.factors.push_back({"D", {0, 4}, {}});
    study.model.products[0].factors.push_back(4);
  }
  SparseTensor data(shape, Unlisted::missing);
  Random random(4);
  for (Index a = 0; a < shape[0]; ++a)
    for (Index b = 0; b < shape[1]; ++b)
      for (Index c = 0; c < shape[2]; ++c)
        data.append(std::array{a, b, c}, static_cast<float>(0.1 + random.uniform()));
  study.tables.push_back({.data = std::move(data), .divergence = beta_divergence(power)});
  study.priors.resize(study.model.factors.size());
  return study;
}

// Passes that go row by row visit the entries one after another.
TEST(CoupledPasses, ProductsOfMatricesGiveTheSumsOfSingleEntries) {
  for (const char* kind : {"cp", "tucker", "two factors of an entity"})
    for (double power : {0.0, 0.5, 1.0, 2.0}) {
      const Study study = full_study(kind, power, Shape{30, 26, 7}, 5);
      const CoupledPasses matrices(study, 1), entries(study, 1, {.use = PassesFor::rows});
      const Coupled model = random_start(study, 2);
      for (std::size_t d = 0; d < model.factors.size(); ++d) {
        const int factor = static_cast<int>(d);
        if (study.model.factors.size() < 5) {
          EXPECT_TRUE(matrices.of(0, factor)[0].entries.is_matrix());
        }
        EXPECT_FALSE(entries.of(0, factor)[0].entries.is_matrix());
        const std::size_t size = model.factors[d].values.size();
        std::vector<double> pull(size), push(size), expected_pull(size), expected_push(size);
        matrices.add_gradient(0, factor, values_of(model), 1.5, pull.data(), push.data());
        entries.add_gradient(0, factor, values_of(model), 1.5, expected_pull.data(), expected_push.data());
        for (std::size_t i = 0; i < size; ++i) {
          EXPECT_NEAR(pull[i] / expected_pull[i], 1, 1e-11) << kind << power << d;
          EXPECT_NEAR(push[i] / expected_push[i], 1, 1e-11) << kind << power << d;
        }
      }
      const double expected = entries.divergence(0, values_of(model));
      EXPECT_NEAR(matrices.divergence(0, values_of(model)), expected, 1e-9 * (1 + std::abs(expected)));
    }
}

TEST(CoupledPasses, ProductsOfMatricesAreTheSameForAnyNumberOfThreads) {
  for (double power : {0.0, 1.0}) {
    const Study study = full_study("cp", power, Shape{90, 70, 50}, 40);  // 12.6 M products
    const CoupledPasses passes(study, 1);
    const Coupled model = random_start(study, 2);
    std::vector<std::vector<double>> found;
    const int before = threads();
    for (int count : {1, 3}) {
      set_threads(count);
      for (int factor : {0, 1, 2}) {
        std::vector<double> pull(model.factors[static_cast<std::size_t>(factor)].values.size()),
            push(pull.size());
        passes.add_gradient(0, factor, values_of(model), 1, pull.data(), push.data());
        found.push_back(std::move(pull));
      }
    }
    set_threads(before);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(found[i], found[i + 3]);
  }
}

// X_i[r,c] = B_i[r,k] C[c,k]: each table is small, all together are not.
Study small_tables(double power) {
  constexpr Index kRows = 180, kColumns = 160, kRank = 16;
  Study study;
  study.entities = {{"column", {}}};
  study.model.axes = {{"c", "column", kColumns}, {"k", "", kRank}};
  study.model.factors = {{"C", {0, 1}, {}}};
  Random random(3);
  for (int i = 0; i < 10; ++i) {
    const std::string name = fmt::format("row{}", i);
    study.entities.push_back({name, {}});
    study.model.axes.push_back({name, name, kRows});
    study.model.factors.push_back({fmt::format("B{}", i), {2 + i, 1}, {}});
    study.model.products.push_back({fmt::format("X{}", i), {2 + i, 0}, {1 + i, 0}});
    SparseTensor data(Shape{kRows, kColumns}, Unlisted::missing);
    for (Index r = 0; r < kRows; ++r)
      for (Index c = 0; c < kColumns; ++c)
        data.append(std::array{r, c}, static_cast<float>(random.uniform()));
    study.tables.push_back({.data = std::move(data), .divergence = beta_divergence(power)});
  }
  study.priors.resize(study.model.factors.size());
  return study;
}

TEST(CoupledPasses, SmallTablesSideBySideGiveTheSumOfAll) {
  for (double power : {0.0, 1.0}) {
    const Study study = small_tables(power);
    const CoupledPasses passes(study, 1);
    const Coupled model = random_start(study, 2);
    std::vector<double> works, scales;
    for (int v : passes.tables_with(0)) {
      works.push_back(passes.operations(static_cast<std::size_t>(v), 0));
      scales.push_back(1 + v);
    }
    ASSERT_TRUE(worth_side_by_side(works));
    const std::size_t size = model.factors[0].values.size();
    std::vector<double> pull(size), push(size), expected_pull(size), expected_push(size);
    passes.add_gradients(0, values_of(model), scales, pull.data(), push.data());
    for (int v : passes.tables_with(0))
      passes.add_gradient(static_cast<std::size_t>(v), 0, values_of(model), scales[v], expected_pull.data(),
                          expected_push.data());
    for (std::size_t i = 0; i < size; ++i) {
      EXPECT_NEAR(pull[i] / expected_pull[i], 1, 1e-12);
      EXPECT_NEAR(push[i] / expected_push[i], 1, 1e-12);
    }
    const std::vector<double> divergences = passes.divergences(values_of(model));
    for (std::size_t v = 0; v < divergences.size(); ++v)
      EXPECT_EQ(divergences[v], passes.divergence(v, values_of(model)));
  }
}

TEST(CoupledPasses, EquationsOfSmallTablesAreTheSumOfAll) {
  const Study study = small_tables(0);
  const CoupledPasses passes(study, 1, {.use = PassesFor::least_squares});
  const Coupled model = random_start(study, 2);
  const std::size_t size = model.factors[0].values.size(),
                    n = cells_of(model.sizes(), model.latent_axes(model.factors[0].axes));
  ASSERT_TRUE(passes.rows_share_matrix(0));
  RowEquations all{n, std::vector<double>(n * n), std::vector<double>(size)}, expected = all;
  std::vector<double> scales;
  for (int v : passes.tables_with(0)) {
    scales.push_back(1 + v);
    passes.add_equations(static_cast<std::size_t>(v), 0, values_of(model), scales.back(), n,
                         expected.matrices.data(), expected.right.data());
  }
  passes.add_equations(0, values_of(model), scales, all);
  for (std::size_t i = 0; i < all.matrices.size(); ++i)
    EXPECT_NEAR(all.matrices[i] / expected.matrices[i], 1, 1e-12);
  for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(all.right[i] / expected.right[i], 1, 1e-12);
}

// A group holds no two factors of one table, and factors of one table are in groups in their own order.
RC_GTEST_PROP(CoupledPasses, GroupsKeepTheOrderOfFactorsThatShareATable, (std::uint64_t seed)) {
  Random random(seed);
  const Study study = random_study(random, {.powers = {0, 1}});
  const CoupledPasses passes(study, seed);
  std::vector<int> group_of(study.model.factors.size(), -1);
  for (std::size_t g = 0; g < passes.groups().size(); ++g)
    for (int factor : passes.groups()[g]) {
      RC_ASSERT(group_of[static_cast<std::size_t>(factor)] == -1);
      group_of[static_cast<std::size_t>(factor)] = static_cast<int>(g);
    }
  for (int group : group_of) RC_ASSERT(group >= 0);
  for (const Product& product : study.model.products)
    for (int one : product.factors)
      for (int other : product.factors)
        if (one < other)
          RC_ASSERT(group_of[static_cast<std::size_t>(one)] < group_of[static_cast<std::size_t>(other)]);
}

// A user of n places: the first, which is hidden, has all of the component, the second has an entry.
Study with_hidden_component(Index places, std::vector<double>& component) {
  SparseTensor data(Shape{1, places}, Unlisted::zero);
  data.append(std::array<Index, 2>{0, 1}, 1);
  Study study = matrix_study(std::move(data), 1, 1);
  study.tables[0].hidden = Cells(Shape{1, places});
  study.tables[0].hidden->append(std::array<Index, 2>{0, 0});
  component.assign(places, 1e-17);
  component[0] = 1;
  return study;
}

TEST(CoupledPasses, SumsOverFewZerosDoNotCancelWithHiddenCells) {
  std::vector<double> places;
  const Study study = with_hidden_component(8, places);
  const CoupledPasses passes(study, 1);
  const double user = 1;
  double pull = 0, push = 0, exposure = 0;
  passes.add_gradient(0, 0, std::vector{&user, std::as_const(places).data()}, 1, &pull, &push);
  passes.add_exposure(0, 0, std::vector{&user, std::as_const(places).data()}, 1, &exposure);
  EXPECT_NEAR(push, 7e-17, 1e-30);
  EXPECT_NEAR(exposure, 7e-17, 1e-30);
}

TEST(CoupledPasses, WhatIsLeftOfManyZerosIsNotBelowItsRounding) {
  std::vector<double> places;
  const Study study = with_hidden_component(1000, places);
  const CoupledPasses passes(study, 1);
  ASSERT_TRUE(passes.closed(0));
  const double user = 1;
  double pull = 0, push = 0, exposure = 0;
  passes.add_gradient(0, 0, std::vector{&user, std::as_const(places).data()}, 1, &pull, &push);
  passes.add_exposure(0, 0, std::vector{&user, std::as_const(places).data()}, 1, &exposure);
  for (double sum : {push, exposure}) {
    EXPECT_GE(sum, 999e-17);
    EXPECT_LE(sum, 1e-11);
  }
}

TEST(CoupledPasses, ManyZerosWithoutAClosedFormAreSampledAndWeighted) {
  SparseTensor data(Shape{1000, 1000}, Unlisted::zero);
  data.append(std::array<Index, 2>{3, 4}, 2);
  Study study = matrix_study(std::move(data), 2, 1);
  study.tables[0].floor = 0.5;
  EXPECT_TRUE(samples_zeros(study.tables[0]));
  const Observations observations = observe(study.tables[0], 1);
  ASSERT_EQ(observations.blocks.size(), 2u);
  EXPECT_EQ(observations.blocks[1].entries->size(), zero_sample_size(study.tables[0]));
  EXPECT_NEAR(observations.blocks[1].data * static_cast<double>(observations.blocks[1].entries->size()),
              999'999, 1e-6);
  EXPECT_EQ(observations.blocks[1].entries->values()[0], 0.5f);
  study.tables[0].divergence = beta_divergence(1);
  study.tables[0].floor = 0;
  EXPECT_FALSE(samples_zeros(study.tables[0]));
  EXPECT_TRUE(observe(study.tables[0], 1).closed);
}

// Gradients, energies of rows and sums of squares that go row by row, against those of whole factors.
RC_GTEST_PROP(CoupledPasses, RowsAddUpToTheGradientAndTheDivergence, (std::uint64_t seed)) {
  Random random(seed);
  const Study study = random_study(random, {.powers = {0, 1, 1.5}});
  const int batches = 1 + static_cast<int>(random.below(3));
  const CoupledPasses passes(study, seed, {.use = PassesFor::rows, .batches = batches});
  const Coupled model = random_start(study, seed);
  for (std::size_t v = 0; v < study.tables.size(); ++v)
    for (int factor : study.model.products[v].factors) {
      const std::size_t size = model.factors[factor].values.size();
      const std::size_t rows = size / passes.of(v, factor).front().entries.slice();
      std::vector<double> pull(size), push(size);
      passes.add_gradient(v, factor, values_of(model), 2, pull.data(), push.data());
      RowGradient all{std::vector<double>(size), std::vector<double>(size), std::vector<double>(rows)},
          mean = all;
      passes.add_row_gradient(v, factor, values_of(model), 2, std::nullopt, all);
      for (int batch = 0; batch < batches; ++batch)  // each stands for all of them
        passes.add_row_gradient(v, factor, values_of(model), 2.0 / batches, batch, mean);
      double energy = 0, mean_energy = 0;
      for (std::size_t i = 0; i < size; ++i)
        for (const RowGradient& gradient : {all, mean}) {
          RC_ASSERT(std::abs(gradient.pull[i] - pull[i]) < 1e-9 * (1 + pull[i]));
          RC_ASSERT(std::abs(gradient.push[i] - push[i]) < 1e-9 * (1 + push[i]));
        }
      for (std::size_t row = 0; row < rows; ++row) energy += all.energy[row], mean_energy += mean.energy[row];
      const double divergence = 2 * passes.divergence(v, values_of(model));
      RC_ASSERT(std::abs(energy - divergence) < 1e-9 * (1 + std::abs(divergence)));
      RC_ASSERT(std::abs(mean_energy - divergence) < 1e-9 * (1 + std::abs(divergence)));
    }
}

// Gram matrices that are known stand for sums over entities; factors that share an entity with another one
// of their product have none to use.
RC_GTEST_PROP(CoupledPasses, KnownGramMatricesGiveTheSameSums, (std::uint64_t seed)) {
  Random random(seed);
  Study study = random_study(random, {.powers = {0}});
  const CoupledPasses passes(study, 1, {.use = PassesFor::least_squares});
  const Coupled model = random_start(study, seed);
  std::vector<std::vector<double>> grams;
  for (std::size_t d = 0; d < model.factors.size(); ++d) grams.push_back(gram_of(model, static_cast<int>(d)));
  const std::vector<const double*> values = values_of(model);
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-10 * (std::abs(a) + 1); };
  for (std::size_t v = 0; v < study.tables.size(); ++v)
    RC_ASSERT(near(passes.divergence(v, values), passes.divergence(v, {values, grams})));
  const std::vector<double> scales(study.tables.size(), 1.5);
  for (std::size_t d = 0; d < model.factors.size(); ++d) {
    const auto number = static_cast<int>(d);
    const RowEquations plain = equations_of(study, passes, number, values, scales),
                       by_grams = equations_of(study, passes, number, {values, grams}, scales);
    RC_ASSERT(plain.matrices.size() == by_grams.matrices.size());
    for (std::size_t i = 0; i < plain.matrices.size(); ++i)
      RC_ASSERT(near(plain.matrices[i], by_grams.matrices[i]));
    RC_ASSERT(plain.right == by_grams.right);
  }
}

// X[u,p] and Y[u,q] of 12 x 9 and 12 x 7, the second with weight 4: all of X S and 2 Y T.
TEST(CoupledPasses, SketchesSpanTheColumnsOfAllTables) {
  Study study = matrix_study(samples::sparse(Shape{12, 9}, 1, 1, Unlisted::missing), 0, 2);
  study.entities.push_back({"tag", {}});
  study.model.axes.push_back({"q", "tag", 7});
  study.model.factors.push_back({"Q", {3, 2}, {}});
  study.model.products.push_back({"Y", {0, 3}, {0, 2}});
  study.tables.push_back({.data = samples::sparse(Shape{12, 7}, 1, 2, Unlisted::missing),
                          .divergence = beta_divergence(0),
                          .weight = 4});
  study.priors.resize(3);
  const CoupledPasses passes(study, 1, {.use = PassesFor::least_squares});
  const auto sketch = passes.sketch(0, 5, 3);
  ASSERT_TRUE(sketch);
  ASSERT_EQ(sketch->cols(), 6);  // three of each table
  // Each column of a table is in one combination: their sum is that of all columns, each with a sign.
  for (std::size_t v : {0, 1}) {
    const SparseTensor& data = study.tables[v].data;
    Matrix cells = Matrix::Zero(12, data.shape()[1]);
    for (std::size_t e = 0; e < data.size(); ++e)
      cells(data.column(0)[e], data.column(1)[e]) = data.values()[e] * (v == 0 ? 1.0 : 2.0);
    const Vector sum = sketch->middleCols(3 * static_cast<Eigen::Index>(v), 3).rowwise().sum();
    const Vector signs = least_squares(cells, sum);
    EXPECT_LT((cells * signs - sum).norm(), 1e-9);
    for (double sign : signs) EXPECT_NEAR(std::abs(sign), 1, 1e-9);
  }
  study.tables[1].data = samples::sparse(Shape{12, 7}, 0.7, 2, Unlisted::missing);
  EXPECT_FALSE(CoupledPasses(study, 1, {.use = PassesFor::least_squares}).sketch(0, 5, 3));
}

// The gradient of the Euclidean divergence is matrix * row - right.
RC_GTEST_PROP(CoupledPasses, EquationsOfLeastSquaresHaveTheGradient, (std::uint64_t seed)) {
  Random random(seed);
  Study study = random_study(random, {.powers = {0}});
  for (Table& table : study.tables) table.divergence = beta_divergence(0);
  const CoupledPasses passes(study, seed, {.use = PassesFor::least_squares});
  const Coupled model = random_start(study, seed);
  for (std::size_t v = 0; v < study.tables.size(); ++v)
    for (int factor : study.model.products[v].factors) {
      const std::vector<double>& values = model.factors[factor].values;
      const std::size_t n = cells_of(model.sizes(), model.latent_axes(model.factors[factor].axes));
      const std::size_t matrices = passes.rows_share_matrix(factor) ? 1 : values.size() / n;
      RowEquations equations{n, std::vector<double>(matrices * n * n), std::vector<double>(values.size())};
      passes.add_equations(v, factor, values_of(model), 3, n, equations.matrices.data(),
                           equations.right.data());
      std::vector<double> pull(values.size()), push(values.size());
      passes.add_gradient(v, factor, values_of(model), 3, pull.data(), push.data());
      for (std::size_t i = 0; i < values.size(); ++i) {
        double gradient = -equations.right[i];
        for (std::size_t j = 0; j < n; ++j)
          gradient += equations.matrix(i / n)[i % n * n + j] * values[i / n * n + j];
        RC_ASSERT(std::abs(gradient - (push[i] - pull[i])) < 1e-8 * (1 + push[i] + pull[i]));
      }
    }
}

}  // namespace
}  // namespace tulle
