#include "tensor/samples.hpp"

#include <tulle/base/error.hpp>
#include <tulle/model/biases.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

RC_GTEST_PROP(Biases, AddWhatTheyAreAtEveryCell, ()) {
  const Shape shape = samples::any_shape(5, 4);
  Biases biases{2.5, {}};
  for (int mode = 0; mode < shape.order(); ++mode)
    biases.offsets.push_back(samples::matrix(shape[mode], 1, samples::any_seed()).col(0));
  check_biases(biases, shape);
  DenseTensor tensor(shape);
  add_biases(biases, tensor);
  for (std::size_t offset = 0; offset < tensor.size(); ++offset)
    RC_ASSERT(std::abs(tensor.values()[offset] - biases.at(samples::cell_at(shape, offset))) < 1e-12);
}

TEST(Biases, MayBeAGlobalLevelOnly) {
  const Biases biases{3, {}};
  EXPECT_FALSE(biases.empty());
  EXPECT_TRUE(Biases().empty());
  EXPECT_EQ(biases.at(std::vector<Index>{1, 1}), 3);
  check_biases(biases, Shape{2, 2});
}

TEST(Biases, CheckComparesSizes) {
  EXPECT_THROW(check_biases({0, {Vector::Zero(2)}}, Shape{2, 2}), Error);
  try {
    check_biases({0, {Vector::Zero(2), Vector::Zero(4)}}, Shape{2, 3});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "biases: 4 offsets for mode 2 of a 2x3 tensor");
  }
}

}  // namespace
}  // namespace tulle
