#include "estimate/cell_effects.hpp"

#include "estimate/effects_posterior.hpp"
#include "solve/absorbing_sum.hpp"

#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/tensor/decompositions.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

Cells random_cells(const Shape& shape, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  Cells cells(shape);
  for (std::size_t c = 0; c < count; ++c) {
    std::array<Index, kMaxOrder> cell{};
    for (int mode = 0; mode < shape.order(); ++mode)
      cell[mode] = static_cast<Index>(random.below(shape[mode]));
    cells.append({cell.data(), static_cast<std::size_t>(shape.order())});
  }
  return cells;
}

Vector random_vector(Eigen::Index size, std::uint64_t seed) {
  Random random(seed);
  Vector vector(size);
  for (double& number : vector) number = random.normal();
  return vector;
}

std::vector<PairFeatures> random_features(const Shape& shape, int count) {
  std::vector<PairFeatures> features;
  for (int first = 0; first < shape.order(); ++first)
    for (int second = first + 1; second < shape.order(); ++second) {
      const auto matrix = [&](int mode) {
        const Eigen::Index rows = shape[mode];
        const Vector numbers =
            random_vector(rows * count, static_cast<std::uint64_t>(7 * first + second + mode));
        return Matrix(Eigen::Map<const Matrix>(numbers.data(), rows, count));
      };
      features.push_back({first, second, matrix(first), matrix(second)});
    }
  return features;
}

// Weights as a release has them: different for every cell in the offsets, none for the global level.
EffectWeights some_weights(const Cells& cells) {
  EffectWeights weights{.global = 0, .offsets = {}, .rows = {}, .core = 0.3};
  for (int mode = 0; mode < cells.order(); ++mode) {
    const Vector numbers = random_vector(static_cast<Eigen::Index>(cells.size()), 30 + mode).cwiseAbs();
    weights.offsets.emplace_back(numbers.begin(), numbers.end());
    weights.rows.push_back(mode == 0 ? 0.7 : 0);
  }
  return weights;
}

struct Sample {
  explicit Sample(const Shape& shape)
      : cells(random_cells(shape, 60, 1)), effects(cells, random_features(shape, 2)) {}
  Cells cells;
  CellEffects effects;
};

const Shape kShapes[] = {Shape{7, 5}, Shape{6, 5, 4}, Shape{4, 3, 5, 2}};

TEST(CellEffects, AreWhatTheirModelPredicts) {
  for (const Shape& shape : kShapes) {
    const Sample sample(shape);
    const Vector effects = random_vector(sample.effects.size(), 3);
    const Vector expected = sample.effects.expect(effects);
    const std::vector<double> predicted = sample.effects.model(effects).predict(sample.cells);
    for (std::size_t cell = 0; cell < sample.cells.size(); ++cell)
      EXPECT_NEAR(expected[cell], predicted[cell], 1e-12);
  }
}

TEST(CellEffects, GatherIsTheTranspose) {
  for (const Shape& shape : kShapes) {
    const Sample sample(shape);
    const Vector effects = random_vector(sample.effects.size(), 3);
    const Vector cells = random_vector(static_cast<Eigen::Index>(sample.cells.size()), 4);
    for (const EffectWeights& weights : {EffectWeights{}, some_weights(sample.cells)})
      EXPECT_NEAR(sample.effects.expect(effects, weights).dot(cells),
                  effects.dot(sample.effects.gather(cells, weights)), 1e-10);
  }
}

Eigen::MatrixXd dense(const CellEffects& effects, const EffectWeights& weights) {
  Eigen::MatrixXd map(static_cast<Eigen::Index>(effects.cells().size()), effects.size());
  for (Eigen::Index k = 0; k < effects.size(); ++k)
    map.col(k) = effects.expect(Vector::Unit(effects.size(), k), weights);
  return map;
}

TEST(EffectsPosterior, IsTheGaussianConditionalMean) {
  const Sample sample(Shape{6, 5, 4});
  const EffectWeights weights = some_weights(sample.cells);
  const double deviation = 0.8;
  EffectPrior prior{.noise = 0.5, .variances = {}};
  Vector variances(sample.effects.size());
  for (const CellEffects::Block& block : sample.effects.blocks()) {
    prior.variances.push_back(0.1 + 0.1 * static_cast<double>(prior.variances.size()));
    variances.segment(block.begin, block.size).setConstant(prior.variances.back());
  }
  const Eigen::MatrixXd a = dense(sample.effects, {}), s = dense(sample.effects, weights);
  const Vector y = s.transpose() * random_vector(a.rows(), 9);
  Eigen::MatrixXd cells = a * variances.asDiagonal() * a.transpose();
  cells.diagonal().array() += prior.noise;
  Eigen::MatrixXd covariance = s.transpose() * cells * s;
  covariance.diagonal().array() += deviation * deviation;
  const Vector expected = variances.asDiagonal() * a.transpose() * s * solve_symmetric(covariance, y);

  const EffectsPosterior posterior(sample.effects, weights, deviation);
  Vector start = Vector::Zero(y.size());
  const Vector found = posterior.mean(y, prior, 1e-10, start);
  EXPECT_LT((found - expected).norm(), 1e-7 * expected.norm());
}

// Offsets of deviation 2 in one mode and of almost none in the other are told apart, from a guess of 1 for
// both.
TEST(EffectsPosterior, LearnsWhichEffectsThereAre) {
  const Cells cells = random_cells(Shape{80, 80}, 4000, 5);
  const CellEffects effects(cells, {});
  Vector truth = random_vector(effects.size(), 6);
  truth.segment(1, 80) *= 2;
  truth.segment(81, 80) *= 0.01;
  const Vector values = effects.expect(truth) + random_vector(static_cast<Eigen::Index>(cells.size()), 7);
  EffectWeights weights{.global = 0, .offsets = {}, .rows = {1, 1}, .core = 1};
  weights.offsets.assign(2, std::vector<double>(cells.size(), 0.5));
  const EffectsPosterior posterior(effects, weights, 1);
  const EffectPrior learnt = posterior.learn(posterior.sums(values), {1, {25, 1, 1}}, 6);
  EXPECT_NEAR(learnt.variances[1], 4, 1.5);
  EXPECT_LT(learnt.variances[2], 0.1);
}

TEST(CellEffects, DoNotDependOnThreads) {
  const Cells cells = random_cells(Shape{300, 200, 9}, 40000, 1);
  const auto run = [&](int count) {
    set_threads(count);
    const CellEffects effects(cells, position_features(cells, 3));
    const Vector gathered = effects.gather(random_vector(static_cast<Eigen::Index>(cells.size()), 2));
    return std::pair(gathered, effects.expect(gathered));
  };
  const int before = threads();
  const auto one = run(1), three = run(3);
  set_threads(before);
  EXPECT_EQ(one.first, three.first);
  EXPECT_EQ(one.second, three.second);
}

TEST(PositionFeatures, CellsAtRandomHaveNone) {
  EXPECT_TRUE(position_features(random_cells(Shape{120, 90}, 3000, 3), 4).empty());
  EXPECT_TRUE(position_features(random_cells(Shape{60, 50, 40}, 6000, 3), 4).empty());
}

// Two groups that keep to themselves: the leading feature has one sign in the one and the other in the other.
TEST(PositionFeatures, TellGroupsApart) {
  Random random(4);
  Cells cells(Shape{60, 40});
  for (int c = 0; c < 2000; ++c) {
    const Index group = static_cast<Index>(random.below(2));
    const Index cell[] = {2 * static_cast<Index>(random.below(30)) + group,
                          2 * static_cast<Index>(random.below(20)) + group};
    cells.append(cell);
  }
  const std::vector<PairFeatures> features = position_features(cells, 4);
  ASSERT_EQ(features.size(), 1u);
  const double sign = features[0].of_first(0, 0) > 0 ? 1 : -1;
  for (Eigen::Index i = 0; i < 60; ++i)
    EXPECT_GT((i % 2 == 0 ? sign : -sign) * features[0].of_first(i, 0), 0);
  for (Eigen::Index j = 0; j < 40; ++j)
    EXPECT_GT((j % 2 == 0 ? sign : -sign) * features[0].of_second(j, 0), 0);
}

// Groups that share no cell and are all observed tie for the largest singular value, and so does the vector
// that says how often positions occur. Positions of one group have the same features, of two groups others.
TEST(PositionFeatures, TellFullyObservedGroupsApart) {
  for (const Index count : {2, 3, 4})
    for (const Index size :
         {10, 15, 50}) {  // what rounding makes of the vectors of ties differs from size to size
      Cells cells(Shape{std::uint64_t{size} * count, std::uint64_t{12} * count});
      for (Index i = 0; i < size * count; ++i)
        for (Index j = i % count; j < 12 * count; j += count) cells.append(std::array{i, j});
      const std::vector<PairFeatures> features = position_features(cells, 8);
      ASSERT_EQ(features.size(), 1u) << count << " groups of " << size;
      for (const Matrix* of : {&features[0].of_first, &features[0].of_second})
        for (Eigen::Index i = count; i < of->rows(); ++i) {
          EXPECT_LT((of->row(i) - of->row(i % count)).norm(), 1e-6);
          EXPECT_GT((of->row(i) - of->row((i + 1) % count)).norm(), 0.1);
        }
    }
}

// What is released is the transpose, up to the rounding of each of the 60 terms of a sum.
TEST(CellEffects, ExactSumsAreTheTransposeUpToTheirGrid) {
  for (const Shape& shape : kShapes) {
    const Sample sample(shape);
    const EffectWeights weights = some_weights(sample.cells);
    const Vector cells = random_vector(60, 4);
    const SumGrid grid(100, 60);
    const Vector exact = sample.effects.gather_exactly(cells, weights, grid, 0, 60);
    EXPECT_LT((exact - sample.effects.gather(cells, weights)).cwiseAbs().maxCoeff(), 60 * grid.step());
  }
}

// One row of 24,000 cells, all weights 1, and two data sets that differ in one cell by 2: the sums of the
// row, of the column and of the features differ by 2 each, and the grid adds two steps to each.
TEST(CellEffects, OneValueChangesLongSumsByAtMostTheirSensitivity) {
  const testing::AbsorbingSum row{12, 20'000};
  const SparseTensor one = testing::absorbing_row(row, 1), other = testing::absorbing_row(row, -1);
  const auto size = static_cast<Eigen::Index>(row.size());
  const CellEffects effects(one.cells(), {{0, 1, Matrix::Ones(1, 1), Matrix::Ones(size, 1)}});
  const std::vector<double> ones(row.size(), 1.0);
  const EffectWeights weights{.global = 0, .offsets = {ones, ones}, .rows = {1, 1}, .core = 1};
  const SumGrid grid(1, static_cast<double>(row.size()));
  const auto sums = [&](const SparseTensor& of) {
    const Vector values = Eigen::Map<const Eigen::VectorXf>(of.values().data(), size).cast<double>();
    return effects.gather_exactly(values, weights, grid, 0, row.size());
  };
  const double terms = effects.terms_of_a_cell() - 1;  // the global level has no weight
  EXPECT_EQ(terms, 5);
  EXPECT_LE((sums(one) - sums(other)).lpNorm<1>(), 2 * terms + 2 * terms * grid.step());
}

}  // namespace
}  // namespace tulle
