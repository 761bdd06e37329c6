#include <tulle/base/error.hpp>
#include <tulle/model/model.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

Topics sample() {
  Matrix topics(3, 2);
  topics << 0.5, 0.1, 0.25, 0.2, 0.25, 0.7;
  return {topics, Vector::Constant(2, 0.5), 0};
}

TEST(Topics, AreATensorOfWordsAndTopics) {
  const Model model = sample();
  EXPECT_EQ(kind(model), ModelKind::topics);
  EXPECT_EQ(shape(model).text(), "3x2");
  Cells cells(Shape{3, 2});
  cells.append(std::array<Index, 2>{2, 1});
  EXPECT_EQ(predict(model, cells), std::vector<double>{0.7});
  EXPECT_EQ(reconstruct(model).values()[1], 0.1);
}

TEST(Topics, SizesMustAgree) {
  Topics model = sample();
  EXPECT_NO_THROW(check(model));
  model.weights = Vector::Constant(3, 0.3);
  EXPECT_THROW(check(model), Error);
  model = sample();
  model.variance = -1;
  EXPECT_THROW(check(model), Error);
  model = sample();
  model.variance = 5e-324;
  EXPECT_THROW(check(model), Error) << "whose inverse is infinite";
  model = sample();
  model.weights = Vector::Zero(2);
  EXPECT_THROW(check(model), Error);
  model.weights << 1, -0.5;
  EXPECT_THROW(check(model), Error);
  model = sample();
  model.stands_out = {true};
  EXPECT_THROW(check(model), Error);
}

TEST(Topics, AreNoiseWhereTheyAreMarked) {
  Topics model = sample();
  EXPECT_FALSE(model.is_noise(1)) << "not known";
  model.stands_out = {true, false};
  EXPECT_FALSE(model.is_noise(0));
  EXPECT_TRUE(model.is_noise(1));
}

}  // namespace
}  // namespace tulle
