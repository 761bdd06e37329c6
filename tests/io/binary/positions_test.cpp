#include "binary/positions.hpp"

#include "io/expect_error.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

namespace tulle {
namespace {

TEST(ToPosition, AcceptsWholeNumbersBelowTheSize) {
  EXPECT_EQ(to_position("x", 0, 3, 0), 0u);
  EXPECT_EQ(to_position("x", 2, 3, 0), 2u);
  EXPECT_EQ(to_position("x", 0xffff'fffe, 0xffff'ffff, 0), 0xffff'fffeu);
  EXPECT_MESSAGE(to_position("x.npz: row", 3, 3, 6),
                 "x.npz: row: element 7 is 3, but positions run from 0 to 2; write it again");
  for (double value : {-1.0, 0.5, 1e300, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(to_position("x", value, 3, 0), Error) << value;
}

// In pieces of any size.
RC_GTEST_PROP(PointerExpander, NamesTheRowOfEveryEntry, ()) {
  const auto lengths = *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 4)));
  std::vector<double> pointers = {0};
  std::vector<Index> rows;
  for (std::size_t row = 0; row < lengths.size(); ++row) {
    rows.insert(rows.end(), static_cast<std::size_t>(lengths[row]), static_cast<Index>(row));
    pointers.push_back(static_cast<double>(rows.size()));
  }
  PointerExpander expander("x", static_cast<Index>(lengths.size()), rows.size());
  const auto cut = *rc::gen::inRange<std::size_t>(0, pointers.size() + 1);
  expander.append(std::span(pointers).first(cut));
  expander.append(std::span(pointers).subspan(cut));
  RC_ASSERT(expander.take() == rows);
}

std::string refusal_of_pointers(const std::vector<double>& pointers) {
  PointerExpander expander("p", 2, 3);
  return message_of([&] {
    expander.append(pointers);
    expander.take();
  });
}

TEST(PointerExpander, RefusesWhatIsNoStepTowardsTheEntries) {
  EXPECT_EQ(refusal_of_pointers({0, 1, 3}), "(no error)");
  EXPECT_EQ(refusal_of_pointers({1, 1, 3}),
            "p: element 1 is 1, not a step from 0 towards the 3 entries; write it again");
  EXPECT_EQ(refusal_of_pointers({0, 2, 1}),
            "p: element 3 is 1, not a step from 2 towards the 3 entries; write it again");
  EXPECT_EQ(refusal_of_pointers({0, 4, 4}),
            "p: element 2 is 4, not a step from 0 towards the 3 entries; write it again");
  EXPECT_EQ(refusal_of_pointers({0, 0.5, 3}),
            "p: element 2 is 0.5, not a step from 0 towards the 3 entries; write it again");
  EXPECT_EQ(refusal_of_pointers({0, 3}),
            "p: has 2 elements, but 2 positions need one more than that; write it again");
}

}  // namespace
}  // namespace tulle
