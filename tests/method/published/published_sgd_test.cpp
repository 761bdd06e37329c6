#include "published/published_sgd.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/generate.hpp>
#include <tulle/data/metrics.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

SparseTensor one_cell(float value) {
  return {Cells(Shape{1, 1, 1}, {{0}, {0}, {0}}), {value}, Unlisted::missing};
}

// The numbers of a 1x1x1 model before and after one pass over a cell that holds 2.
std::pair<std::vector<double>, std::vector<double>> one_pass(const ModelLayout& layout,
                                                             const PublishedLoss& loss) {
  PublishedSgd sgd(one_cell(2), layout, {0, 1}, loss, 3);
  const std::vector<double> start = sgd.numbers();
  sgd.pass(0.1);
  return {start, sgd.numbers()};
}

// a <- a + 2 rate ((x - a b c) b c - ridge a) from the gradient of equation 6; then b with the new a, then c.
TEST(PublishedSgd, TakesTheStepOfTheEquation) {
  const ModelLayout layout = ModelLayout::cp(Shape{1, 1, 1}, 1);
  const auto [start, after] = one_pass(layout, {.weight = 1, .ridge = 0.01});
  const double a = start[layout.row(0, 0)], b = start[layout.row(1, 0)], c = start[layout.row(2, 0)];
  const double a1 = a + 0.2 * ((2 - a * b * c) * b * c - 0.01 * a);
  const double b1 = b + 0.2 * ((2 - a1 * b * c) * a1 * c - 0.01 * b);
  const double c1 = c + 0.2 * ((2 - a1 * b1 * c) * a1 * b1 - 0.01 * c);
  EXPECT_NEAR(after[layout.row(0, 0)], a1, 1e-12);
  EXPECT_NEAR(after[layout.row(1, 0)], b1, 1e-12);
  EXPECT_NEAR(after[layout.row(2, 0)], c1, 1e-12);
}

// With a core g: equation 7. The core moves last.
TEST(PublishedSgd, MovesTheCoreToo) {
  const ModelLayout layout = ModelLayout::tucker(Shape{1, 1, 1}, {1, 1, 1});
  const auto [start, after] = one_pass(layout, {.weight = 1, .ridge = 0, .core_ridge = 0.01});
  const double g = start[layout.core_start()];
  const double rows = after[layout.row(0, 0)] * after[layout.row(1, 0)] * after[layout.row(2, 0)];
  EXPECT_NEAR(after[layout.core_start()], g + 0.2 * ((2 - g * rows) * rows - 0.01 * g), 1e-12);
}

TEST(PublishedSgd, Completes) {
  const Synthetic data = generate_cp(Shape{8, 8, 8}, 2, 2, kNoiseless);
  for (const ModelLayout& layout :
       {ModelLayout::cp(data.truth.shape(), 3), ModelLayout::tucker(data.truth.shape(), {3, 3, 3})}) {
    const PublishedSettings settings{{0, 1}, {.weight = 1, .ridge = 1e-5, .core_ridge = 0}, 0.01, 2000};
    const DenseTensor all = reconstruct(published_fit(observe(data.truth, 0.7, 2), layout, settings, 1));
    EXPECT_LT(rmse(data.truth.values(), all.values()), 0.05);
  }
}

TEST(PublishedSgd, SaysWhenItDiverges) {
  const PublishedSettings settings{{0, 1}, {}, 10, 100};
  EXPECT_THROW(published_fit(one_cell(1e6F), ModelLayout::cp(Shape{1, 1, 1}, 1), settings, 1), Error);
}

}  // namespace
}  // namespace tulle
