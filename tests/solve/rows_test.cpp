#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/data/generate.hpp>
#include <tulle/solve/rows.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

Matrix random_matrix(Index rows, int columns, Random& random) {
  Matrix result(rows, columns);
  for (Eigen::Index i = 0; i < result.size(); ++i) result.data()[i] = random.normal();
  return result;
}

Cp random_cp(bool biases) {
  Random random(3);
  Cp model{Vector::Constant(2, 1.5), {}, {}};
  for (Index size : {9, 7, 5}) model.factors.push_back(random_matrix(size, 2, random));
  if (biases) {
    model.biases.global = 3;
    for (Index size : {9, 7, 5}) model.biases.offsets.push_back(random_matrix(size, 1, random).col(0));
  }
  return model;
}

Tucker random_tucker() {
  Random random(4);
  Tucker model{DenseTensor(Shape{2, 3, 2}), {}, {}};
  for (double& value : model.core.values()) value = random.normal();
  model.factors = {random_matrix(9, 2, random), random_matrix(7, 3, random), random_matrix(5, 2, random)};
  return model;
}

SparseTensor cells_of(const Model& model, double share) {
  return observe(reconstruct(model), share, 1);
}

double distance(const Model& a, const Model& b) {
  const DenseTensor x = reconstruct(a), y = reconstruct(b);
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    largest = std::max(largest, std::abs(x.values()[i] - y.values()[i]));
  return largest;
}

TEST(FitRows, FindsTheRowsThatMadeTheCells) {
  for (const Model& model : {Model(random_cp(false)), Model(random_cp(true)), Model(random_tucker())})
    for (int mode = 0; mode < 3; ++mode)
      EXPECT_LT(distance(fit_rows(model, mode, cells_of(model, 0.9), {.ridge = 0}), model), 1e-3)
          << name(kind(model)) << " mode " << mode;
}

TEST(FitRows, IsRidgeRegressionOfEachRow) {
  // One component, all others' products 2, values 6 in four cells: a = 4*2*6 / (4*4 + ridge*4) = 48 / 36.
  Cp model{Vector::Ones(1), {Matrix::Constant(2, 1, 9.0), Matrix::Constant(4, 1, 2.0)}, {}};
  SparseTensor rows(Shape{4, 4}, Unlisted::missing);
  for (Index j = 0; j < 4; ++j) rows.append(std::array<Index, 2>{3, j}, 6);
  const Cp fitted = std::get<Cp>(fit_rows(model, 0, rows, {.ridge = 5}));
  EXPECT_DOUBLE_EQ(fitted.factors[0](3, 0), 48.0 / 36);
  EXPECT_EQ(fitted.factors[0](2, 0), 0);  // new and without cells
  EXPECT_EQ(fitted.factors[0](1, 0), 9);  // not new and without cells
  EXPECT_EQ(fitted.shape(), (Shape{4, 4}));
}

TEST(FitRows, LooksAtItsOwnCellsOnly) {
  const Model model = random_cp(true);
  SparseTensor cells = cells_of(model, 0.8);
  const Cp before = std::get<Cp>(fit_rows(model, 0, cells));
  for (std::size_t entry = 0; entry < cells.size(); ++entry)
    if (cells.cells()(entry, 0) != 4) cells.values()[entry] = 100;
  const Cp after = std::get<Cp>(fit_rows(model, 0, cells));
  EXPECT_EQ(before.factors[0].row(4), after.factors[0].row(4));
  EXPECT_EQ(before.biases.offsets[0][4], after.biases.offsets[0][4]);
  EXPECT_NE(before.factors[0].row(3), after.factors[0].row(3));
}

TEST(FitRows, SaysWhatDoesNotFit) {
  const Model model = random_cp(false);
  EXPECT_THROW(fit_rows(model, 3, cells_of(model, 0.5)), UsageError);
  EXPECT_THROW(fit_rows(model, 0, cells_of(model, 0.5), {.ridge = -1}), UsageError);
  EXPECT_THROW(fit_rows(model, 0, SparseTensor(Shape{9, 8, 5}, Unlisted::missing)), Error);
}

}  // namespace
}  // namespace tulle
