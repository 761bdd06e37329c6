#include "tensor/tubal/tubes_sample.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/model/tubal.hpp>
#include <tulle/tensor/tubal/tproduct.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

DenseTensor random_tensor(const Shape& shape, std::uint64_t seed) {
  Random random(seed);
  DenseTensor tensor(shape);
  for (double& value : tensor.values()) value = random.normal();
  return tensor;
}

// n1 x n2 x tubes with rank r and all biases.
Tubal random_model(std::uint64_t n1, std::uint64_t n2, std::uint64_t r,
                   const std::vector<std::uint64_t>& tubes) {
  const auto shape = [&](std::vector<std::uint64_t> first) {
    first.insert(first.end(), tubes.begin(), tubes.end());
    return Shape(first);
  };
  Tubal model{
      random_tensor(shape({n1, r}), 1), random_tensor(shape({r}), 2), random_tensor(shape({n2, r}), 3), {}};
  model.biases.global = 0.5;
  const Shape full = model.shape();
  for (int mode = 0; mode < full.order(); ++mode)
    model.biases.offsets.push_back(Vector::LinSpaced(full[mode], -1, 1 + mode));
  return model;
}

// U * S * V^T by the t-product.
DenseTensor by_definition(const Tubal& model) {
  const std::uint64_t r = model.rank();
  DenseTensor s(model.u.shape().with(0, r));
  const std::size_t depth = s.shape().stride(1);
  for (std::size_t i = 0; i < r; ++i)
    for (std::size_t k = 0; k < depth; ++k)
      s.values()[(i * r + i) * depth + k] = model.s.values()[i * depth + k];
  DenseTensor result = t_product(t_product(model.u, s), samples::t_transpose(model.v));
  add_biases(model.biases, result);
  return result;
}

Cells some_cells(const Shape& shape, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  Cells cells(shape);
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Index> cell;
    for (Index size : shape.dimensions()) cell.push_back(static_cast<Index>(random.below(size)));
    cells.append(cell);
  }
  return cells;
}

void expect_predictions(const Tubal& model, const DenseTensor& full, const Cells& cells) {
  const auto predicted = model.predict(cells);
  ASSERT_EQ(predicted.size(), cells.size());
  for (std::size_t entry = 0; entry < cells.size(); ++entry) {
    const auto cell = cells.cell(entry);
    ASSERT_NEAR(predicted[entry], full[std::span(cell).first(full.order())], 1e-11) << entry;
  }
}

RC_GTEST_PROP(Tubal, PredictsAndReconstructsTheTProduct, ()) {
  const auto n1 = *rc::gen::inRange<std::uint64_t>(1, 8), n2 = *rc::gen::inRange<std::uint64_t>(1, 8);
  const auto r = *rc::gen::inRange<std::uint64_t>(1, 4);
  const auto tubes =
      *rc::gen::element(std::vector<std::uint64_t>{5}, std::vector<std::uint64_t>{6},
                        std::vector<std::uint64_t>{4, 3}, std::vector<std::uint64_t>{2, 1, 2, 3});
  const Tubal model = random_model(n1, n2, r, tubes);
  check(model);
  const DenseTensor full = by_definition(model), found = model.reconstruct();
  for (std::size_t i = 0; i < full.size(); ++i)
    RC_ASSERT(std::abs(full.values()[i] - found.values()[i]) < 1e-11);
  expect_predictions(model, full,
                     some_cells(full.shape(), *rc::gen::inRange<std::size_t>(0, 4), 4));  // by tubes
  expect_predictions(model, full, some_cells(full.shape(), full.size(), 5));              // by slices
}

TEST(Tubal, PredictsManyTubes) {  // more than are taken at once
  const Tubal model = random_model(40, 30, 2, {7});
  expect_predictions(model, model.reconstruct(), some_cells(model.shape(), 2000, 6));
}

TEST(Tubal, PredictsCellsOfASmallerTensor) {
  const Tubal model = random_model(4, 5, 2, {6});
  expect_predictions(model, model.reconstruct(), some_cells({3, 2, 4}, 3, 7));
}

TEST(Tubal, PredictionDoesNotDependOnThreads) {
  const Tubal model = random_model(40, 30, 3, {6});
  const Cells cells = some_cells(model.shape(), 1500, 8);
  const int before = threads();
  set_threads(1);
  const auto expected = model.predict(cells);
  for (int count : {2, 3}) {
    set_threads(count);
    EXPECT_EQ(model.predict(cells), expected);
  }
  set_threads(before);
}

std::string error_of(const auto& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Tubal, CheckRefusesSizesThatDisagree) {
  Tubal model = random_model(4, 5, 2, {6});
  EXPECT_EQ(error_of([&] { check(model); }), "no error");
  model.s = DenseTensor(Shape{3, 6});
  EXPECT_EQ(
      error_of([&] { check(model); }),
      "tubal model: U is 4x2x6, S is 3x6 and V is 5x2x6; expected n1 x r x n3.., r x n3.. and n2 x r x n3..");
  model = random_model(4, 5, 2, {6});
  model.v = DenseTensor(Shape{5, 2, 7});
  EXPECT_NE(error_of([&] { check(model); }), "no error");
  model = random_model(4, 5, 2, {6});
  model.u = DenseTensor(Shape{4, 2});
  EXPECT_EQ(error_of([&] { check(model); }), "tubal model: U is 4x2, but a tubal model has 3 modes or more");
  model = random_model(4, 5, 2, {6});
  model.biases.offsets.pop_back();
  EXPECT_EQ(error_of([&] { check(model); }), "biases: 2 modes for a 4x5x6 tensor");
}

TEST(Tubal, RefusesCellsOutside) {
  const Tubal model = random_model(4, 5, 2, {6});
  EXPECT_EQ(error_of([&] {
              model.predict(Cells(Shape{4, 5, 7}));
            }),
            "the cells are of a 4x5x7 tensor, larger than the model's 4x5x6");
}

}  // namespace
}  // namespace tulle
