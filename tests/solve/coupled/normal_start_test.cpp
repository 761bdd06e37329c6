#include "coupled/normal_start.hpp"

#include "../../data/small_study.hpp"
#include "../../tensor/samples.hpp"
#include "coupled/all_cells.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

// Over 400 starts the mean square of a cell of the model is that of the data. That of one start has a
// relative deviation of less than 2, the mean one of less than 0.1: the bounds are 5 and 10 of them away.
TEST(NormalStart, ModelsHaveAboutTheMeanSquareOfTheirTables) {
  const Study study = matrix_study(samples::sparse(Shape{30, 20}, 1, 1, Unlisted::missing), 0, 3);
  const CoupledPasses passes(study, 1, {.use = PassesFor::least_squares});
  double squares = 0, mean = 0;
  for (float value : study.tables[0].data.values()) squares += static_cast<double>(value) * value;
  EXPECT_NEAR(passes.squares(0), squares, 1e-9 * squares);
  constexpr int kStarts = 400;
  for (int seed = 1; seed <= kStarts; ++seed) {
    const Coupled model = NormalStart(study, passes, static_cast<std::uint64_t>(seed)).model();
    mean += 2 * sum_all_cells(model, model.products[0], values_of(model), true) / kStarts;
  }
  EXPECT_GT(mean, 0.5 * squares);
  EXPECT_LT(mean, 2 * squares);
}

TEST(NormalStart, FactorsHaveValuesOfTheirOwn) {
  const Study study = matrix_study(small_counts(Unlisted::zero), 0, 2);
  const CoupledPasses passes(study, 1, {.use = PassesFor::least_squares});
  const NormalStart start(study, passes, 7);
  const Coupled model = start.model();
  for (int factor : {0, 1}) EXPECT_EQ(model.factors[factor].values, start.values(factor));
  EXPECT_NE(model.factors[0].values[0], model.factors[1].values[0]);
  EXPECT_NE(NormalStart(study, passes, 8).values(0), start.values(0));
}

}  // namespace
}  // namespace tulle
