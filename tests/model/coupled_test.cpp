#include <tulle/base/error.hpp>
#include <tulle/model/coupled.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

// X[u,p] = U[u,k] P[p,l] G[k,l] and y[u] = U[u,k] w[k].
Coupled small_model() {
  Coupled model;
  model.axes = {{"u", "user", 2}, {"p", "place", 3}, {"k", "", 2}, {"l", "", 1}};
  model.factors = {
      {"U", {0, 2}, {1, 2, 3, 4}}, {"P", {1, 3}, {1, 10, 100}}, {"G", {2, 3}, {5, 7}}, {"w", {2}, {1, -1}}};
  model.products = {{"X", {0, 1}, {0, 1, 2}}, {"y", {0}, {0, 3}}};
  return model;
}

std::string error_of(const Coupled& model) {
  try {
    check(model);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Coupled, PredictsTheProductOfItsFactors) {
  const Coupled model = small_model();
  check(model);
  const auto values = model.predict(0, Cells(Shape{2, 3}, {{0, 1, 1}, {0, 1, 2}}));
  EXPECT_EQ(values, (std::vector<double>{1 * 5 + 2 * 7, 10 * (3 * 5 + 4 * 7), 100 * (3 * 5 + 4 * 7)}));
}

TEST(Coupled, ATableWithOneIndexHasASecondModeOfOnePosition) {
  const Coupled model = small_model();
  EXPECT_EQ(model.shape(1), (Shape{2, 1}));
  EXPECT_EQ(model.predict(1, Cells(Shape{2, 1}, {{0, 1}, {0, 0}})), (std::vector<double>{-1, -1}));
}

TEST(Coupled, WritesItsFormula) {
  const Coupled model = small_model();
  EXPECT_EQ(formula(model, model.products[0]), "X[u,p] = U[u,k] P[p,l] G[k,l]");
}

TEST(Coupled, FindsProductsByName) {
  EXPECT_EQ(small_model().product_of("y"), 1);
  EXPECT_THROW(small_model().product_of("z"), UsageError);
}

TEST(Coupled, SaysWhatDoesNotFit) {
  Coupled model = small_model();
  model.products[0].axes = {0, 0};
  EXPECT_NE(error_of(model).find("stands twice"), std::string::npos);
  model = small_model();
  model.products[0].axes = {0};
  EXPECT_NE(error_of(model).find("index p of entity place is in a factor, but not on its left side"),
            std::string::npos);
  model = small_model();
  model.products[1].axes = {0, 1};
  EXPECT_NE(error_of(model).find("index p is in none of its factors"), std::string::npos);
  model = small_model();
  model.factors[0].axes = {2, 0};
  EXPECT_NE(error_of(model).find("U[k,u]: indices of entities come before latent ones"), std::string::npos);
  model = small_model();
  model.factors[1].values.pop_back();
  EXPECT_NE(error_of(model).find("2 values instead of 3"), std::string::npos);
}

}  // namespace
}  // namespace tulle
