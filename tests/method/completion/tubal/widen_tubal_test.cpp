#include "completion/tubal/widen_tubal.hpp"

#include <tulle/base/random.hpp>
#include <tulle/data/metrics.hpp>
#include <tulle/tensor/kernels/ttm.hpp>
#include <tulle/tensor/tubal/tsvd.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(WidenTubal, InterpolatesTheModelOfTheBlocks) {
  Random random(5);
  const CellBlocks blocks(Shape{13, 9, 6, 4}, {4, 3, 3, 4});
  DenseTensor values(blocks.shape());
  for (double& value : values.values()) value = random.normal();
  TSvd svd = t_svd(values);
  Tubal model{svd.u, svd.s, svd.v, {}};
  model.biases.global = 7;
  std::vector<Matrix> matrices;
  for (int mode = 0; mode < 4; ++mode) matrices.push_back(blocks.interpolation(mode));
  DenseTensor expected = ttm_chain(values, matrices, Apply::expand);
  for (double& value : expected.values()) value += 7;
  const Tubal wide = widen(model, blocks, 0);
  check(wide);
  EXPECT_EQ(wide.rank(), 3);
  EXPECT_LT(rmse(expected.values(), wide.reconstruct().values()), 1e-12);
  EXPECT_EQ(widen(model, blocks, 2).rank(), 2);
}

// A model of tubal rank 1 stays one: tubes that rounding alone makes are left out.
TEST(WidenTubal, KeepsTheTubalRank) {
  Random random(6);
  const CellBlocks blocks(Shape{12, 10, 6}, {3, 2, 2});
  DenseTensor values(blocks.shape());
  for (double& value : values.values()) value = random.normal();
  TSvd svd = t_svd(values, 1);
  EXPECT_EQ(widen({svd.u, svd.s, svd.v, {}}, blocks, 0).rank(), 1);
}

}  // namespace
}  // namespace tulle
