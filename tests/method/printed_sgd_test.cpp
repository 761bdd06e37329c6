#include "printed_sgd.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/generate.hpp>
#include <tulle/data/metrics.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

SparseTensor one_cell(float value) {
  return {Cells(Shape{1, 1, 1}, {{0}, {0}, {0}}), {value}, Unlisted::missing};
}

double number(const Model& model, int mode) {
  return std::visit(
      [&](const auto& kind) -> double {
        if constexpr (requires { kind.factors; })
          return kind.factors[mode](0, 0);
        else
          return 0;
      },
      model);
}

// a <- a + 2 step (x - a b c) b c - 2 step ridge a, from the gradient of equation 6.
TEST(PrintedSgd, TakesTheStepOfTheEquation) {
  PrintedSgd options{.ranks = {1}, .step = 0.1, .ridge = 0.01, .passes = 0, .seed = 3};
  const Model start = printed_sgd(one_cell(2), options);
  options.passes = 1;
  const Model after = printed_sgd(one_cell(2), options);
  const double a = number(start, 0), b = number(start, 1), c = number(start, 2);
  EXPECT_NEAR(number(after, 0), a + 0.2 * ((2 - a * b * c) * b * c - 0.01 * a), 1e-12);
  EXPECT_NEAR(number(after, 2), c + 0.2 * ((2 - a * b * c) * a * b - 0.01 * c), 1e-12);
}

// With a core g: equation 7.
TEST(PrintedSgd, MovesTheCoreToo) {
  PrintedSgd options{.model = "tucker",
                     .ranks = {1},
                     .step = 0.1,
                     .ridge = 0.02,
                     .core_ridge = 0.01,
                     .passes = 0,
                     .seed = 3};
  const Model start = printed_sgd(one_cell(2), options);
  options.passes = 1;
  const Model after = printed_sgd(one_cell(2), options);
  const double a = number(start, 0), b = number(start, 1), c = number(start, 2);
  const double g = std::get<Tucker>(start).core.values()[0], error = 2 - g * a * b * c;
  EXPECT_NEAR(number(after, 1), b + 0.2 * (error * g * a * c - 0.02 * b), 1e-12);
  EXPECT_NEAR(std::get<Tucker>(after).core.values()[0], g + 0.2 * (error * a * b * c - 0.01 * g), 1e-12);
}

TEST(PrintedSgd, Completes) {
  for (const char* model : {"cp", "tucker"}) {
    const Synthetic data = generate_cp(Shape{8, 8, 8}, 2, 2, kNoiseless);
    const PrintedSgd options{
        .model = model, .ranks = {3}, .step = 0.05, .ridge = 1e-5, .passes = 400, .seed = 1};
    const Model fit = printed_sgd(observe(data.truth, 0.7, 2), options);
    const DenseTensor all = reconstruct(fit);
    EXPECT_LT(rmse(data.truth.values(), all.values()), 0.05) << model;
  }
}

TEST(PrintedSgd, SaysWhenItDiverges) {
  EXPECT_THROW(printed_sgd(one_cell(1e6F), {.ranks = {1}, .step = 10}), Error);
  EXPECT_THROW(printed_sgd(one_cell(1), {.ranks = {1, 2}}), UsageError);
  EXPECT_THROW(printed_sgd(one_cell(1), {.ranks = {0}}), UsageError);
}

}  // namespace
}  // namespace tulle
