#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"

#include <tulle/io/memory.hpp>
#include <tulle/io/read.hpp>
#include <tulle/io/read_documents.hpp>
#include <tulle/io/read_labelled.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tulle {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Four rows, of which the second has no value: its label 'b' does not count.
const std::vector<std::int64_t> kUsers{2, 1, 2, 0};
const std::vector<std::int64_t> kFilms{0, 0, 1, 0};
const std::vector<double> kRatings{4, kNan, 5, 1};

TableInMemory ratings() {
  return {{{"user", std::span(kUsers), std::vector<std::string>{"a", "b", "c"}},
           {"film", std::span(kFilms), std::vector<std::string>{"x", "y"}}},
          std::span(kRatings),
          {}};
}

void expect_same(const Dataset& one, const Dataset& other) {
  EXPECT_EQ(one.modes, other.modes);
  EXPECT_EQ(one.tensor, other.tensor);
  EXPECT_EQ(one.merged_rows, other.merged_rows);
}

TEST(Memory, ATableIsReadAsTheSameCsvFileIs) {
  const TemporaryFolder folder;
  const std::string file = folder.write("x.csv", "user,film,rating\nc,x,4\nb,x,\nc,y,5\na,x,1\n");
  const InMemory table("X", ratings());
  EXPECT_EQ(format_of(table.path()), Format::csv);
  for (const Duplicates duplicates : {Duplicates::refuse, Duplicates::sum}) {
    const ReadOptions options{.nan_is_missing = true, .duplicates = duplicates, .header = true};
    expect_same(read(table.path(), options), read(file, options));
  }
}

TEST(Memory, AnEmptyLabelIsNoPosition) {
  TableInMemory table = ratings();
  table.modes[1].labels = {"x", ""};
  const InMemory held("X", table);
  EXPECT_MESSAGE(read(held.path(), {.nan_is_missing = true}),
                 "X row 2: film is empty; every cell needs a position in each mode");
}

TEST(Memory, AnArrayHasTheShapeThatIsStatedOrIsRefused) {
  const std::vector<double> numbers{1, 2, 3, kNan};
  const InMemory array("X", ArrayInMemory{{2, 2}, std::span(numbers)});
  EXPECT_EQ(read(array.path(), {.nan_is_missing = true, .shape = Shape{3, 2}}).shape(), (Shape{3, 2}));
  const InMemory full("X", ArrayInMemory{{1, 3}, std::span(numbers).first(3)});
  EXPECT_MESSAGE(read(full.path(), {.shape = Shape{2, 3}}), "X: is 1x3, not 2x3; give the shape that it has");
}

TEST(Memory, LabelsOfAModelAreLookedUpOrAdded) {
  const InMemory table("X", ratings());
  ReadOptions options{.nan_is_missing = true, .known = {{"user", {"a", "z"}}, {"film", {"y", "x"}}}};
  EXPECT_MESSAGE(
      read(table.path(), options),
      "X row 0: 'c' is not among the known labels of user; remove the row, or let new labels be added");
  options.grow = true;
  const Dataset grown = read(table.path(), options);
  EXPECT_EQ(grown.modes[0].labels, (std::vector<std::string>{"a", "z", "c"}));
  EXPECT_EQ(std::get<SparseTensor>(grown.tensor).cells(), Cells(Shape{3, 2}, {{2, 2, 0}, {1, 0, 1}}));
}

TEST(Memory, PositionsLieInTheirShape) {
  const std::vector<std::int32_t> rows{0, 3}, columns{1, 1};
  const std::vector<float> values{7, 8};
  const TableInMemory listed{
      {{"mode1", std::span(rows), {}}, {"mode2", std::span(columns), {}}}, std::span(values), Shape{5, 2}};
  const InMemory table("X", listed);
  EXPECT_EQ(format_of(table.path()), Format::mtx);
  EXPECT_EQ(read(table.path()).shape(), (Shape{5, 2}));
  EXPECT_MESSAGE(read(table.path(), {.shape = Shape{3, 2}}),
                 "X row 1: position 3 of mode1 is outside 0..2; correct it, or give a larger shape "
                 "(ReadOptions::shape)");
  EXPECT_EQ(read_cells(table.path()).cells, Cells(Shape{5, 2}, {{0, 3}, {1, 1}}));
}

TEST(Memory, AnArrayIsReadInFloat32AndFloat64) {
  const std::vector<float> single{1, 2, 3, std::nanf("")};
  const std::vector<double> full(single.begin(), single.end());
  const SparseTensor expected(Cells(Shape{2, 2}, {{0, 0, 1}, {0, 1, 0}}), {1, 2, 3}, Unlisted::missing);
  for (const NumbersInMemory& numbers :
       {NumbersInMemory(std::span(single)), NumbersInMemory(std::span(full))}) {
    const InMemory array("X", ArrayInMemory{{2, 2}, numbers});
    EXPECT_EQ(std::get<SparseTensor>(read(array.path(), {.nan_is_missing = true}).tensor), expected);
    EXPECT_MESSAGE(
        read(array.path()),
        "X: cell (1, 1) is NaN; replace it, or have NaN read as missing (ReadOptions::nan_is_missing)");
  }
}

TEST(Memory, ExamplesAreReadWithTheirLabels) {
  const std::vector<float> values{1, 2, 3, 4};
  const InMemory examples("X", ExamplesInMemory{{{2, 2}, std::span(values)}, {1, 0}});
  const LabelledExamples read = read_labelled(examples.path());
  EXPECT_EQ(read.labels, (std::vector<int>{1, 0}));
  EXPECT_EQ(read.values(1, 0), 3);
  EXPECT_EQ(read.classes, (std::vector<std::string>{"0", "1"}));
}

TEST(Memory, DocumentsAreATableOfWords) {
  const std::vector<double> words{1, 2, 3, 3, 2, 1};
  const InMemory table("X", ArrayInMemory{{2, 3}, std::span(words)});
  EXPECT_EQ(read_documents(table.path(), 3).documents.size(), 2u);
}

TEST(Memory, IsGoneWithItsOwner) {
  std::string path;
  {
    const InMemory table("X", ratings());
    path = table.path();
    EXPECT_TRUE(is_in_memory(path));
  }
  EXPECT_MESSAGE(read(path), "X: is no longer in memory");
}

// What is read as text is read from a text in memory too: lists, documents, studies.
TEST(Memory, ATextIsReadAsItsFileWouldBe) {
  const InMemory list("films", TextInMemory{"Alien\nBrazil\n"});
  EXPECT_EQ(read_lines(list.path()), (std::vector<std::string>{"Alien", "Brazil"}));
  EXPECT_MESSAGE(read(list.path()), "films: a text, not a tensor");
  const InMemory table("X", ratings());
  EXPECT_MESSAGE(read_lines(table.path()), "X: holds numbers, not a text");
}

TEST(Memory, TwoOfOneNameAreTwo) {
  const InMemory one("X", TextInMemory{"a\n"}), other("X", TextInMemory{"b\n"});
  EXPECT_NE(one.path(), other.path());
  EXPECT_NE(read_lines(one.path()), read_lines(other.path()));
}

}  // namespace
}  // namespace tulle
