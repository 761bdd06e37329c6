#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/model/cp.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

Cp random_model(const Shape& shape, int rank, std::uint64_t seed, bool biases) {
  Random random(seed);
  Cp model;
  model.weights = Vector::Ones(rank);
  for (double& weight : model.weights) weight = random.normal();
  for (Index size : shape.dimensions()) {
    Matrix factor(size, rank);
    for (double& entry : factor.reshaped()) entry = random.normal();
    model.factors.push_back(factor);
    if (biases) model.biases.offsets.push_back(Vector::Constant(size, random.normal()));
  }
  if (biases) model.biases.global = random.normal();
  return model;
}

TEST(Cp, ValueOfACell) {
  Cp model;
  model.weights = Vector::Constant(1, 2);
  model.factors = {Matrix::Constant(2, 1, 3), Matrix::Constant(3, 1, 5)};
  model.biases.global = 1;
  model.biases.offsets = {Vector::Constant(2, 0.25), Vector::Constant(3, 0.5)};
  EXPECT_EQ(model.at(std::array<Index, 2>{1, 2}), 2 * 3 * 5 + 1.75);
  EXPECT_EQ(model.rank(), 1);
  EXPECT_EQ(model.shape(), (Shape{2, 3}));
}

RC_GTEST_PROP(Cp, PredictionAndReconstructionAgree, ()) {
  const int order = *rc::gen::inRange(2, 6);
  std::vector<std::uint64_t> sizes;
  for (int mode = 0; mode < order; ++mode) sizes.push_back(*rc::gen::inRange(1, 5));
  const Shape shape(sizes);
  const Cp model = random_model(shape, *rc::gen::inRange(1, 5), *rc::gen::arbitrary<std::uint32_t>(),
                                *rc::gen::arbitrary<bool>());
  const DenseTensor dense = model.reconstruct();
  Cells cells(shape);
  for (std::size_t c = 0; c < dense.size(); ++c) {
    std::vector<Index> cell;
    for (int mode = 0; mode < order; ++mode)
      cell.push_back(static_cast<Index>(c / shape.stride(mode) % shape[mode]));
    cells.append(cell);
  }
  const auto predicted = model.predict(cells);
  for (std::size_t c = 0; c < dense.size(); ++c) {
    RC_ASSERT(std::abs(predicted[c] - dense.values()[c]) < 1e-12 * (1 + std::abs(predicted[c])));
    const auto cell = cells.cell(c);
    RC_ASSERT(std::abs(model.at({cell.data(), static_cast<std::size_t>(order)}) - predicted[c]) <
              1e-12 * (1 + std::abs(predicted[c])));
  }
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Cp, OfRankZeroIsItsBiases) {
  const Cp model = random_model(Shape{3, 4, 2}, 0, 1, true);
  check(model);
  EXPECT_EQ(model.rank(), 0);
  const DenseTensor all = model.reconstruct();
  const std::vector<Index> cell = {2, 1, 0};
  EXPECT_DOUBLE_EQ(model.at(cell), model.biases.at(cell));
  EXPECT_DOUBLE_EQ(all[cell], model.biases.at(cell));
}

TEST(Cp, SumSaysWhatBothSayTogether) {
  const Cp first{Vector::Constant(1, 2), {Matrix::Constant(2, 1, 3), Matrix::Constant(3, 1, 1)}, {0.5, {}}};
  const Cp second{Vector::Constant(2, 1),
                  {Matrix::Constant(2, 2, 1), Matrix::Constant(3, 2, 4)},
                  {0.25, {Vector::Constant(2, 10), Vector::Constant(3, 20)}}};
  for (const Cp& both : {sum(first, second), sum(second, first)}) {
    EXPECT_EQ(both.rank(), 3);
    EXPECT_DOUBLE_EQ(both.at(std::array<Index, 2>{1, 2}), 6 + 8 + 0.75 + 30);
  }
  EXPECT_DOUBLE_EQ(sum(second, second).at(std::array<Index, 2>{0, 0}), 2 * (8 + 0.25 + 30));
}

TEST(Cp, ChecksItsSizes) {
  Cp model = random_model(Shape{2, 3}, 2, 1, true);
  check(model);
  Cp columns = model;
  columns.factors[1] = Matrix::Ones(3, 4);
  EXPECT_NE(message_of([&] { check(columns); }).find("4 columns, but there are 2 weights"),
            std::string::npos);
  Cp offsets = model;
  offsets.biases.offsets[0] = Vector::Ones(5);
  EXPECT_NE(message_of([&] { check(offsets); }).find("5 offsets for mode 1"), std::string::npos);
}

TEST(Cp, RefusesCellsOfALargerTensor) {
  const Cp model = random_model(Shape{2, 3}, 2, 1, false);
  EXPECT_NE(message_of([&] {
              model.predict(Cells(Shape{2, 4}));
            }).find("larger than the model's 2x3"),
            std::string::npos);
  EXPECT_NE(message_of([&] { model.predict(Cells(Shape{2, 3, 1})); }).find("2x3x1"), std::string::npos);
}

}  // namespace
}  // namespace tulle
