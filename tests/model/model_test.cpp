#include <tulle/base/error.hpp>
#include <tulle/model/model.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace tulle {
namespace {

Cp rank_one() {
  Cp model{.weights = Vector::Constant(1, 2), .factors = {}, .biases = {}};
  model.factors.push_back((Matrix(2, 1) << 1, 3).finished());
  model.factors.push_back((Matrix(2, 1) << 5, 7).finished());
  return model;
}

TEST(Model, NamesAreReadBack) {
  for (const ModelKind kind : {ModelKind::cp, ModelKind::tucker, ModelKind::tubal, ModelKind::topics})
    EXPECT_EQ(model_of(name(kind)), kind);
  EXPECT_EQ(name(ModelKind::tubal), "tubal");
  EXPECT_THROW(model_of("parafac"), UsageError);
}

TEST(Model, KindsAreInTheOrderOfTheVariant) {
  EXPECT_EQ(kind(Model(Cp())), ModelKind::cp);
  const DenseTensor one(Shape{1, 1, 1});
  EXPECT_EQ(kind(Model(Tucker{.core = one, .factors = {}, .biases = {}})), ModelKind::tucker);
  EXPECT_EQ(kind(Model(Tubal{one, one, one, {}})), ModelKind::tubal);
  EXPECT_EQ(kind(Model(Topics())), ModelKind::topics);
}

TEST(Model, AnswersAsTheModelItHolds) {
  const Model model = rank_one();
  EXPECT_EQ(shape(model), (Shape{2, 2}));
  EXPECT_EQ(reconstruct(model).values()[2], 2 * 3 * 5);
  SparseTensor cells(Shape{2, 2}, Unlisted::missing);
  cells.append(std::array<Index, 2>{1, 1}, 0);
  EXPECT_EQ(predict(model, cells.cells()), (std::vector<double>{2 * 3 * 7}));
}

TEST(Model, IsFiniteIfAllOfItsParametersAre) {
  Cp model = rank_one();
  EXPECT_TRUE(is_finite(model));
  EXPECT_TRUE(is_finite(tucker_of(model)));
  model.factors[1](1, 0) = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(is_finite(model));
  EXPECT_FALSE(is_finite(tucker_of(model)));
  model = rank_one();
  model.biases.global = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(is_finite(model));
  const DenseTensor one(Shape{1, 1, 1});
  DenseTensor nan = one;
  nan.values()[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(is_finite(Tubal{one, one, one, {}}));
  EXPECT_FALSE(is_finite(Tubal{one, nan, one, {}}));
  EXPECT_FALSE(is_finite(Topics{Matrix::Ones(2, 1), Vector::Ones(1), std::nan("")}));
}

}  // namespace
}  // namespace tulle
