#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/solve/tubal/decompose.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

DenseTensor random_tensor(const Shape& shape) {
  Random random(1);
  DenseTensor tensor(shape);
  for (double& value : tensor.values()) value = random.normal();
  return tensor;
}

TEST(TubalDecompose, ObjectiveIsTheRelativeError) {
  const DenseTensor x = random_tensor({7, 6, 4, 3});
  double before = 1;
  for (int rank = 1; rank <= 6; ++rank) {
    const auto fit = tubal_decompose(x, rank);
    check(fit.model);
    EXPECT_EQ(fit.model.rank(), rank);
    EXPECT_TRUE(fit.converged);
    const DenseTensor found = fit.model.reconstruct();
    double error = 0, square = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      error += std::pow(found.values()[i] - x.values()[i], 2);
      square += std::pow(x.values()[i], 2);
    }
    ASSERT_EQ(fit.history.size(), 1u);
    EXPECT_NEAR(fit.history[0].objective, std::sqrt(error / square), 1e-13);
    EXPECT_LT(fit.history[0].objective, before);
    before = fit.history[0].objective;
  }
  EXPECT_LT(before, 1e-14);
}

TEST(TubalDecompose, RefusesBadInput) {
  const auto error_of = [](const DenseTensor& tensor, int rank) -> std::string {
    try {
      tubal_decompose(tensor, rank);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_of(random_tensor({3, 4, 2}), 0), "rank 0: give 1 or more singular tubes");
  EXPECT_EQ(error_of(random_tensor({3, 4, 2}), 4),
            "rank 4 of a 3x4x2 tensor: the tubal rank lies between 1 and 3");
  EXPECT_EQ(error_of(random_tensor({3, 4}), 1),
            "the t-product needs 3 modes or more, but this is a 3x4 matrix; use a cp model for matrices");
}

}  // namespace
}  // namespace tulle
