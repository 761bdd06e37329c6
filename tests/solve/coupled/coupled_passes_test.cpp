#include "coupled/coupled_passes.hpp"

#include "../../data/small_study.hpp"
#include "random_study.hpp"

#include <tulle/solve/coupled/zero_sample.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

// By central differences with steps of 1e-5, whose error is of the order of 1e-9.
RC_GTEST_PROP(CoupledPasses, PushMinusPullIsTheDerivativeOfTheDivergence, (std::uint64_t seed)) {
  Random random(seed);
  const Study study = random_study(random, {.powers = {0, 0.5, 1, 1.5, 2, 3}});
  const CoupledPasses passes(study, seed);
  Coupled model = random_start(study, seed);
  for (std::size_t v = 0; v < study.tables.size(); ++v)
    for (int factor : study.model.products[v].factors) {
      std::vector<double>& values = model.factors[factor].values;
      std::vector<double> pull(values.size()), push(values.size());
      passes.add_gradient(v, factor, values_of(model), 1, pull.data(), push.data());
      const std::size_t i = random.below(values.size());
      const double at = values[i], step = 1e-5 * at;
      values[i] = at + step;
      const double above = passes.divergence(v, values_of(model));
      values[i] = at - step;
      const double below = passes.divergence(v, values_of(model));
      values[i] = at;
      RC_ASSERT(std::abs((above - below) / (2 * step) - (push[i] - pull[i])) <
                1e-5 * (1 + push[i] + pull[i]));
    }
}

TEST(CoupledPasses, ManyZerosWithoutAClosedFormAreSampledAndWeighted) {
  SparseTensor data(Shape{1000, 1000}, Unlisted::zero);
  data.append(std::array<Index, 2>{3, 4}, 2);
  Study study = matrix_study(std::move(data), 2, 1);
  study.tables[0].floor = 0.5;
  EXPECT_TRUE(samples_zeros(study.tables[0]));
  const Observations observations = observe(study.tables[0], 1);
  ASSERT_EQ(observations.blocks.size(), 2u);
  EXPECT_EQ(observations.blocks[1].entries.size(), zero_sample_size(study.tables[0]));
  EXPECT_NEAR(observations.blocks[1].data * static_cast<double>(observations.blocks[1].entries.size()),
              999'999, 1e-6);
  EXPECT_EQ(observations.blocks[1].entries.values()[0], 0.5f);
  study.tables[0].power = 1;
  study.tables[0].floor = 0;
  EXPECT_FALSE(samples_zeros(study.tables[0]));
  EXPECT_TRUE(observe(study.tables[0], 1).closed);
}

}  // namespace
}  // namespace tulle
