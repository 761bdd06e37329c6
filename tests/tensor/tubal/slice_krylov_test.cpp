#include "tubal/slice_krylov.hpp"

#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>

#include <Eigen/QR>
#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

template <class T>
Columns<T> random_columns(int rows, int columns, std::uint64_t seed) {
  Random random(seed);
  Columns<T> matrix(rows, columns);
  for (T& entry : matrix.reshaped()) {
    if constexpr (std::is_same_v<T, double>)
      entry = random.normal();
    else
      entry = {random.normal(), random.normal()};
  }
  return matrix;
}

template <class T>
Columns<T> orthonormal(int rows, int columns, std::uint64_t seed) {
  const Eigen::HouseholderQR<Columns<T>> qr(random_columns<T>(rows, columns, seed));
  return qr.householderQ() * Columns<T>::Identity(rows, columns);
}

// These singular values on top of noise with singular values up to `bulk`.
template <class T>
Columns<T> signal_and_noise(int rows, int columns, const std::vector<double>& signal, double bulk) {
  Columns<T> m = random_columns<T>(rows, columns, 1);
  m *= bulk / ((std::sqrt(rows) + std::sqrt(columns)) * (std::is_same_v<T, double> ? 1 : std::sqrt(2)));
  const int count = static_cast<int>(signal.size());
  const Columns<T> left = orthonormal<T>(rows, count, 2), right = orthonormal<T>(columns, count, 3);
  for (int i = 0; i < count; ++i)
    m += signal[static_cast<std::size_t>(i)] * left.col(i) * right.col(i).adjoint();
  return m;
}

template <class T>
Columns<T> shrunk_by_svd(const Columns<T>& m, double threshold) {
  const SliceSvd<T> svd = slice_svd<T>(m);
  Columns<T> left = svd.left;
  for (Eigen::Index i = 0; i < left.cols(); ++i) left.col(i) *= std::max(svd.values[i] - threshold, 0.0);
  return left * svd.right.adjoint();
}

// On one thread, as slices are: the other threads have slices of their own.
template <class T>
class SliceKrylov : public ::testing::Test {
 protected:
  SliceKrylov() { set_threads(1); }
  ~SliceKrylov() override { set_threads(before_); }

 private:
  int before_ = threads();
};
using Scalars = ::testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(SliceKrylov, Scalars);

TYPED_TEST(SliceKrylov, FindsWhatIsAboveTheBoundAndNothingElse) {
  using T = TypeParam;
  const Columns<T> m = signal_and_noise<T>(230, 220, {40, 5, 2, 1.5, 1.2, 1.2, 1.2, 1.05}, 0.9);
  Columns<T> gram = m.adjoint() * m;
  const auto few = few_eigenpairs_above<T>(gram, 1, 3);
  ASSERT_TRUE(few);
  Columns<T> copy = gram;
  const auto all = eigenpairs_above<T>(copy, 1, 220);
  ASSERT_EQ(few->values.size(), all.values.size());
  EXPECT_GE(all.values.size(), 8);
  EXPECT_LT((few->values - all.values).norm(), 1e-9 * all.largest);
  EXPECT_LT((gram * few->vectors - few->vectors * few->values.template cast<T>().asDiagonal()).norm(),
            1e-9 * all.largest);
}

// More copies of a value than a Krylov space can tell apart, or too many values: nothing rather than a part.
TYPED_TEST(SliceKrylov, NeverAnswersWithAPartOnly) {
  using T = TypeParam;
  const Columns<T> v = orthonormal<T>(240, 12, 4);
  const Columns<T> copies = v * v.adjoint();
  const auto found = few_eigenpairs_above<T>(copies, 0.5, 12);
  EXPECT_TRUE(!found || found->values.size() == 12);
  const Columns<T> noise = signal_and_noise<T>(240, 240, {}, 2);
  EXPECT_FALSE(few_eigenpairs_above<T>(noise.adjoint() * noise, 1, 5));
}

// Shrinkage takes the way through the Krylov space at these sizes; whatever way it takes, it is that of the
// full decomposition.
TYPED_TEST(SliceKrylov, ShrinkageIsThatOfTheFullDecomposition) {
  using T = TypeParam;
  for (const auto& [rows, columns, bulk] : {std::tuple(260, 210, 0.7), {210, 260, 0.99}, {220, 220, 1.3}}) {
    Columns<T> m = signal_and_noise<T>(rows, columns, {90, 4, 2, 1.5, 1.01, 0.99}, bulk);
    const Columns<T> expected = shrunk_by_svd<T>(m, 1);
    Columns<T> basis;
    for (int again = 0; again < 2; ++again) {  // without and with a last result
      Columns<T> result = m;
      const ShrunkSlice outcome =
          shrink_slice<T>(SliceMap<T>(result.data(), rows, columns), 1, rows + columns, basis);
      EXPECT_LT((result - expected).norm(), 1e-8) << rows << "x" << columns << ", bulk " << bulk;
      EXPECT_NEAR(outcome.squared_change, (m - expected).squaredNorm(), 1e-6);
    }
  }
}

TYPED_TEST(SliceKrylov, KeepsTheLargestUnderALimit) {
  using T = TypeParam;
  Columns<T> m = signal_and_noise<T>(230, 220, {9, 5, 3, 2}, 0.5), basis;
  shrink_slice<T>(SliceMap<T>(m.data(), 230, 220), 1, 2, basis);
  ASSERT_EQ(basis.cols(), 2);
  const SliceSvd<T> svd = slice_svd<T>(m);
  EXPECT_NEAR(svd.values[0], 8, 0.2);
  EXPECT_NEAR(svd.values[1], 4, 0.2);
  EXPECT_NEAR(svd.values[2], 0, 1e-9);
}

}  // namespace
}  // namespace tulle
