#include "tensor/samples.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/model/cp.hpp>
#include <tulle/model/tucker.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

Tucker any_model(const Shape& shape, const Shape& ranks, std::uint64_t seed) {
  Tucker model{samples::dense(ranks, seed), {}, {}};
  model.biases.global = 0.5;
  for (int mode = 0; mode < shape.order(); ++mode) {
    model.factors.push_back(samples::matrix(shape[mode], ranks[mode], seed + 1 + mode));
    model.biases.offsets.push_back(samples::matrix(shape[mode], 1, seed + 101 + mode).col(0));
  }
  return model;
}

double by_definition(const Tucker& model, std::span<const Index> cell) {
  double sum = model.biases.at(cell);
  for (std::size_t offset = 0; offset < model.core.size(); ++offset) {
    const auto at = samples::cell_at(model.core.shape(), offset);
    double product = model.core.values()[offset];
    for (int mode = 0; mode < model.core.order(); ++mode)
      product *= model.factors[mode](cell[mode], at[mode]);
    sum += product;
  }
  return sum;
}

Cells all_cells(const Shape& shape) {
  Cells cells(shape);
  for (std::size_t offset = 0; offset < shape.cells(); ++offset)
    cells.append(std::span(samples::cell_at(shape, offset).data(), shape.order()));
  return cells;
}

TEST(Tucker, OfACpModelSaysTheSame) {
  for (const Shape& shape : {Shape{3, 4}, Shape{4, 3, 5}, Shape{2, 3, 2, 3}})
    for (int rank : {0, 1, 2, 3}) {
      Cp cp{samples::matrix(rank, 1, 7).reshaped(), {}, {0.5, {}}};
      for (int mode = 0; mode < shape.order(); ++mode) {
        cp.factors.push_back(samples::matrix(shape[mode], rank, 8 + mode));
        cp.biases.offsets.push_back(samples::matrix(shape[mode], 1, 18 + mode).col(0));
      }
      const Tucker tucker = tucker_of(cp);
      check(tucker);
      const DenseTensor expected = cp.reconstruct(), got = tucker.reconstruct();
      for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got.values()[i], expected.values()[i], 1e-12);
    }
}

RC_GTEST_PROP(Tucker, AtPredictAndReconstructFollowTheDefinition, ()) {
  const Shape shape = samples::any_shape(5, 4);
  std::vector<std::uint64_t> ranks;
  for (int mode = 0; mode < shape.order(); ++mode) ranks.push_back(*rc::gen::inRange<std::uint64_t>(1, 4));
  const Tucker model = any_model(shape, Shape(ranks), samples::any_seed());
  check(model);
  const Cells cells = all_cells(shape);
  const auto predicted = model.predict(cells);
  const DenseTensor whole = model.reconstruct();
  RC_ASSERT(whole.shape() == shape);
  for (std::size_t entry = 0; entry < cells.size(); ++entry) {
    const auto cell = cells.cell(entry);
    const double expected = by_definition(model, std::span(cell.data(), shape.order()));
    RC_ASSERT(std::abs(predicted[entry] - expected) < 1e-10);
    RC_ASSERT(std::abs(whole.values()[entry] - expected) < 1e-10);
    RC_ASSERT(model.at(std::span(cell.data(), shape.order())) == predicted[entry]);
  }
}

TEST(Tucker, PredictionsDoNotDependOnThreads) {
  const int before = threads();
  const Shape shape{10, 12, 14};
  const Tucker model = any_model(shape, Shape{3, 4, 2}, 1);
  const Cells cells = all_cells(shape);
  set_threads(1);
  const auto expected = model.predict(cells);
  for (int count : {2, 3}) {
    set_threads(count);
    EXPECT_EQ(model.predict(cells), expected);
  }
  set_threads(before);
}

TEST(Tucker, RefusesCellsItDoesNotHave) {
  const Tucker model = any_model(Shape{3, 4}, Shape{2, 2}, 1);
  EXPECT_THROW(model.at(std::vector<Index>{3, 0}), Error);
  EXPECT_THROW(model.predict(Cells(Shape{3, 5})), Error);
  EXPECT_THROW(model.predict(Cells(Shape{3, 4, 1})), Error);
  EXPECT_TRUE(model.predict(Cells(Shape{2, 4})).empty());
}

TEST(Tucker, CheckComparesCoreAndFactors) {
  Tucker model = any_model(Shape{3, 4, 5}, Shape{2, 2, 2}, 1);
  model.factors[1] = Matrix::Zero(4, 3);
  try {
    check(model);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "tucker model: the factor of mode 2 has 3 columns, but the core is 2x2x2");
  }
  model = any_model(Shape{3, 4, 5}, Shape{2, 2, 2}, 1);
  model.factors.pop_back();
  EXPECT_THROW(check(model), Error);
  model = any_model(Shape{3, 4, 5}, Shape{2, 2, 2}, 1);
  model.biases.offsets[0] = Vector::Zero(9);
  EXPECT_THROW(check(model), Error);
}

}  // namespace
}  // namespace tulle
