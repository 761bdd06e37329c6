#include "tensor/samples.hpp"

#include <tulle/base/error.hpp>
#include <tulle/tensor/shape.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace tulle {
namespace {

template <class Run>
std::string message_of(Run&& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Shape, KnowsItsSizes) {
  const Shape shape{20, 30, 4};
  EXPECT_EQ(shape.order(), 3);
  EXPECT_EQ(shape[1], 30u);
  EXPECT_EQ(shape.cells(), 2400u);
  EXPECT_EQ(shape.stride(0), 120u);
  EXPECT_EQ(shape.stride(2), 1u);
  EXPECT_EQ(shape.text(), "20x30x4");
}

TEST(Shape, ChangesOneSize) {
  EXPECT_EQ((Shape{2, 3, 4}.with(1, 9)), (Shape{2, 9, 4}));
}

RC_GTEST_PROP(Shape, OffsetsCountCellsInCOrder, ()) {
  const Shape shape = samples::any_shape(8, 4);
  const std::size_t offset = *rc::gen::inRange<std::size_t>(0, shape.cells());
  const auto cell = samples::cell_at(shape, offset);
  RC_ASSERT(shape.contains(std::span(cell.data(), shape.order())));
  RC_ASSERT(shape.offset(cell) == offset);
}

RC_GTEST_PROP(Shape, ParseReadsWhatTextWrites, ()) {
  const Shape shape = samples::any_shape(8, 1000);
  RC_ASSERT(Shape::parse(shape.text()) == shape);
}

TEST(Shape, ContainsOnlyItsCells) {
  const Shape shape{2, 3};
  EXPECT_TRUE(shape.contains(std::vector<Index>{1, 2}));
  EXPECT_FALSE(shape.contains(std::vector<Index>{2, 0}));
  EXPECT_FALSE(shape.contains(std::vector<Index>{0, 3}));
  EXPECT_FALSE(shape.contains(std::vector<Index>{0}));
}

TEST(Shape, RefusesWhatIsNone) {
  EXPECT_EQ(message_of([] { Shape{3}; }), "a tensor has 2 to 8 modes, not 1");
  EXPECT_EQ(message_of([] { Shape{1, 1, 1, 1, 1, 1, 1, 1, 1}; }), "a tensor has 2 to 8 modes, not 9");
  EXPECT_EQ(message_of([] { Shape{3, 0}; }), "mode 2 has size 0; sizes run from 1 to 4294967295");
  EXPECT_EQ(message_of([] {
              Shape{1ULL << 32, 2};
            }),
            "mode 1 has size 4294967296; sizes run from 1 to 4294967295");
  EXPECT_EQ(message_of([] {
              Shape{1ULL << 31, 1ULL << 31, 4}.cells();
            }),
            "a 2147483648x2147483648x4 tensor has more cells than fit in memory");
}

TEST(Shape, ParseRefusesOtherText) {
  for (const char* text : {"", "x", "3x", "x3", "3xx4", "3*4", "3x4x", "3 x 4", "-3x4", "3.5x2"})
    EXPECT_THROW(Shape::parse(text), UsageError) << text;
  EXPECT_THROW(Shape::parse("3"), Error);
  EXPECT_THROW(Shape::parse("99999999999999999999x2"), UsageError);
}

}  // namespace
}  // namespace tulle
