#include "tucker/core_update.hpp"

#include "solve/tucker/some_tucker.hpp"

#include <tulle/tensor/decompositions.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

// The regressors of every cell: products of one number of each factor's row, in C order of the core, then a
// one for the level.
Eigen::MatrixXd core_regressors(const SparseTensor& cells, const Tucker& model, bool with_level) {
  const Shape& ranks = model.core.shape();
  const auto count = static_cast<Eigen::Index>(ranks.cells());
  Eigen::MatrixXd d(static_cast<Eigen::Index>(cells.size()), count + with_level);
  for (std::size_t e = 0; e < cells.size(); ++e)
    for (Eigen::Index j = 0; j < d.cols(); ++j) {
      double& product = d(static_cast<Eigen::Index>(e), j) = 1;
      if (j == count) continue;
      const auto place = samples::cell_at(ranks, static_cast<std::size_t>(j));
      for (int mode = 0; mode < cells.order(); ++mode)
        product *= model.factors[mode](cells.column(mode)[e], place[mode]);
    }
  return d;
}

void expect_minimiser(const Shape& shape, const Shape& ranks, bool with_level, std::uint64_t seed) {
  const SparseTensor cells = samples::sparse(shape, 0.8, seed, Unlisted::missing);
  RC_PRE(cells.size() > 0);
  Tucker model = samples::tucker(shape, ranks, seed);
  if (with_level)
    for (int mode = 0; mode < shape.order(); ++mode)
      model.biases.offsets.push_back(samples::matrix(shape[mode], 1, seed + 9).col(0));
  const double scale = 2;
  const Vector ridge = Vector::LinSpaced(static_cast<Eigen::Index>(ranks.cells()), 1, 2);

  Vector y(static_cast<Eigen::Index>(cells.size()));
  for (std::size_t e = 0; e < cells.size(); ++e)
    y[static_cast<Eigen::Index>(e)] = cells.values()[e] / scale - model.biases.at(cells.cells().cell(e));
  const Eigen::MatrixXd d = core_regressors(cells, model, with_level);
  Eigen::MatrixXd normal = d.transpose() * d;
  normal.diagonal().head(ridge.size()) += ridge;
  const Vector expected = solve_symmetric(normal, d.transpose() * y);

  const SortedEntries entries = sort_by_mode(cells, 0, Levels::small_first);
  update_core(entries, scale, ridge, model);
  const Eigen::Map<const Vector> core(model.core.values().data(), ridge.size());
  RC_ASSERT((core - expected.head(ridge.size())).cwiseAbs().maxCoeff() < 1e-8);
  if (with_level) RC_ASSERT(std::abs(model.biases.global - expected[ridge.size()]) < 1e-8);
  RC_ASSERT(std::abs(squared_error(entries, scale, model) - (y - d * expected).squaredNorm()) < 1e-7);
}

RC_GTEST_PROP(UpdateCore, IsTheRidgeRegressionOnTheProductsOfRows, ()) {
  const Shape shape = samples::any_shape(4, 5);
  const auto ranks =
      *rc::gen::container<std::vector<std::uint64_t>>(shape.order(), rc::gen::inRange<std::uint64_t>(1, 4));
  expect_minimiser(shape, Shape(ranks), *rc::gen::arbitrary<bool>(),
                   *rc::gen::inRange<std::uint64_t>(0, 1000));
}

// 11^3 numbers are found by conjugate gradients, 20 steps from the core as it is, each of which lowers the
// objective.
TEST(UpdateCore, OfALargeCoreLowersTheObjective) {
  const Shape shape{12, 12, 12}, ranks{11, 11, 11};
  const SparseTensor cells = samples::sparse(shape, 0.5, 4, Unlisted::missing);
  const SortedEntries entries = sort_by_mode(cells, 0, Levels::small_first);
  const Vector ridge = Vector::Constant(static_cast<Eigen::Index>(ranks.cells()), 100);
  Tucker model = samples::tucker(shape, ranks, 5);
  const auto objective = [&] {
    const Eigen::Map<const Vector> core(model.core.values().data(), ridge.size());
    return squared_error(entries, 1, model) + ridge.dot(core.cwiseAbs2());
  };
  double before = objective();
  for (int round = 0; round < 3; ++round) {
    update_core(entries, 1, ridge, model);
    EXPECT_LT(objective(), before);
    before = objective();
  }
}

}  // namespace
}  // namespace tulle
