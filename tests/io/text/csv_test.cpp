#include "io/expect_error.hpp"
#include "text/formats.hpp"

#include <tulle/base/threads.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

Dataset parse(std::string_view text, const ReadOptions& options = {}, std::size_t chunk_bytes = kChunkBytes) {
  Source source = Source::memory("x.csv", text);
  return read_csv(source, ',', options, chunk_bytes);
}

CellList parse_cells(std::string_view text, const ReadOptions& options) {
  Source source = Source::memory("x.csv", text);
  return read_csv_cells(source, ',', options);
}

const Cells& cells(const Dataset& data) {
  return std::get<SparseTensor>(data.tensor).cells();
}

std::vector<float> values(const Dataset& data) {
  const auto span = std::get<SparseTensor>(data.tensor).values();
  return {span.begin(), span.end()};
}

using Strings = std::vector<std::string>;

TEST(Csv, NumbersLabelsAsTheyAppear) {
  const Dataset data = parse("user,movie,stars\nzoe,Alien,5\nadam,Brazil,3.5\nzoe,Brazil,4\n");
  EXPECT_EQ(data.modes, (std::vector<Mode>{{"user", {"zoe", "adam"}}, {"movie", {"Alien", "Brazil"}}}));
  EXPECT_EQ(cells(data), Cells(Shape{2, 2}, {{0, 1, 0}, {0, 1, 1}}));
  EXPECT_EQ(values(data), (std::vector<float>{5, 3.5, 4}));
}

TEST(Csv, WithoutAHeader) {
  const Dataset data = parse("a,b,1\nb,a,2\n");
  EXPECT_EQ(data.modes, (std::vector<Mode>{{"column1", {"a", "b"}}, {"column2", {"b", "a"}}}));
  EXPECT_EQ(parse("1,a,b\n2,b,a\n", {.columns = {"3", "2", "1"}}).modes,
            (std::vector<Mode>{{"column3", {"b", "a"}}, {"column2", {"a", "b"}}}));
  EXPECT_EQ(parse("a,b,1\nb,a,2\n", {.header = true}).modes, (std::vector<Mode>{{"a", {"b"}}, {"b", {"a"}}}));
  EXPECT_MESSAGE(parse("a,b,c\nb,a,2\n", {.header = false}),
                 "x.csv:1: the value 'c' is not a number; correct the line");
}

TEST(Csv, AFileWithoutHeaderAndRowsHasTheModesThatAreStated) {
  EXPECT_EQ(parse("", {.header = false, .may_be_empty = true, .order = 3}).modes,
            (std::vector<Mode>{{"column1", {}}, {"column2", {}}, {"column3", {}}}));
  EXPECT_EQ(parse("\n", {.header = false, .columns = {"4", "7/60", "1"}, .may_be_empty = true}).modes,
            (std::vector<Mode>{{"column4", {}}, {"column7/60", {}}}));
  EXPECT_MESSAGE(parse("", {.header = true, .may_be_empty = true, .order = 3}),
                 "x.csv: no entries; give at least one line of labels and a value");
}

// The names of a header do not stand in the way of places.
TEST(Csv, HeaderOfNumbers) {
  EXPECT_EQ(parse("3,1,2\na,b,7\n", {.header = true}).modes, (std::vector<Mode>{{"3", {"a"}}, {"1", {"b"}}}));
}

TEST(Csv, AValueBeyondFloat32IsTheLargestWhereItIsToBeClamped) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  EXPECT_EQ(values(parse("a,b,1e39\nb,a,-1e400\n", {.clamp_to_float32 = true, .header = false})),
            (std::vector<float>{kLargest, -kLargest}));
  for (const char* text : {"a,b,inf\n", "a,b,nan\n"})
    EXPECT_THROW(parse(text, {.clamp_to_float32 = true, .header = false}), Error);
}

TEST(Csv, Tabs) {
  Source source = Source::memory("x.tsv", "a,1\tb\t1\n");
  EXPECT_EQ(read_csv(source, '\t', {}).modes[0].labels, Strings{"a,1"});
}

TEST(Csv, Quotes) {
  const Dataset data =
      parse("\"a \"\"b\"\"\",\"x,y\",\"1.5\"\r\n\"two\nlines\", c ,2\r\n\"\",\"\"\"\",3\r\n\r\n");
  EXPECT_EQ(data.modes[0].labels, (Strings{"a \"b\"", "two\nlines", ""}));
  EXPECT_EQ(data.modes[1].labels, (Strings{"x,y", " c ", "\""}));
  EXPECT_EQ(values(data), (std::vector<float>{1.5, 2, 3}));
}

TEST(Csv, ByteOrderMarkAndLineEnds) {
  const Dataset data = parse(
      "\xef\xbb\xbf"
      "u,m,v\r\n1,2,3\r\n1,3,4");
  EXPECT_EQ(data.modes[0].name, "u");
  EXPECT_EQ(values(data), (std::vector<float>{3, 4}));
}

TEST(Csv, ChosenColumns) {
  const std::string text = "id,user,time,stars,movie\n1,u,10,5,m\n2,v,20,4,m\n";
  const Dataset by_name = parse(text, {.columns = {"user", "movie", "stars"}});
  EXPECT_EQ(by_name.modes, (std::vector<Mode>{{"user", {"u", "v"}}, {"movie", {"m"}}}));
  EXPECT_EQ(values(by_name), (std::vector<float>{5, 4}));
  EXPECT_EQ(parse(text, {.columns = {"2", "5", "4"}}).modes, by_name.modes);
  EXPECT_MESSAGE(
      parse(text, {.columns = {"user", "film", "stars"}}),
      "x.csv:1: there is no column 'film'; the first line names id, user, time, stars, movie; without a "
      "header choose columns by number");
  EXPECT_MESSAGE(
      parse("user|film|stars\n1|2|3\n"),
      "x.csv:1: 0 mode columns; a tensor has 2 to 8 modes, and fields are separated by commas, in .tsv by "
      "tabs");
  EXPECT_MESSAGE(parse(text, {.columns = {"1", "6", "4"}}),
                 "x.csv:1: there is no column 6; columns run from 1 to 5");
  EXPECT_MESSAGE(parse(text, {.columns = {"user", "stars"}}),
                 "x.csv:1: 1 mode columns; a tensor has 2 to 8 modes");
  EXPECT_MESSAGE(
      parse(text, {.header = false, .columns = {"user", "movie", "stars"}}),
      "columns are chosen by name, but the file has no header; choose by number (ReadOptions::columns)");
  EXPECT_MESSAGE(parse("a,a,b,v\n1,2,3,4\n", {.columns = {"a", "b", "v"}}),
                 "x.csv:1: two columns are called 'a'; choose by number (ReadOptions::columns)");
}

TEST(Csv, AColumnOfCellsNeedsNoSecondPosition) {
  const ReadOptions column{.is_column = true};
  const Dataset data = parse("user,age\nb,30\na,20\n", column);
  EXPECT_EQ(data.modes, (std::vector<Mode>{{"user", {"b", "a"}}, {"column", {}}}));
  EXPECT_EQ(cells(data), Cells(Shape{2, 1}, {{0, 1}, {0, 0}}));
  EXPECT_EQ(cells(parse("user,x,age\nb,1,30\na,1,20\n", column)), cells(data));
  ReadOptions chosen = column;
  chosen.columns = {"user", "age"};
  EXPECT_EQ(cells(parse("age,user,note\n30,b,x\n20,a,y\n", chosen)), cells(data));
  const ReadOptions known{.is_column = true, .known = data.modes};
  EXPECT_EQ(cells(parse("age,user\n30,b\n20,a\n", known)), cells(data));
  EXPECT_EQ(cells(parse("user,column,value\nb,1,30\na,1,20\n", known)), cells(data));
  EXPECT_MESSAGE(parse("user,age\nb,30\n"), "x.csv:1: 1 mode columns; a tensor has 2 to 8 modes");
}

TEST(Csv, DividesColumnsIntoBins) {
  const Dataset data = parse("u,t,v\na,25,1\nb,-1,2\na,7.5,3\nc,1e1,4\n", {.columns = {"u", "t/10", "v"}});
  EXPECT_EQ(data.modes[1], (Mode{"t/10", {"-1", "0", "1", "2"}}));
  EXPECT_EQ(cells(data), Cells(Shape{3, 4}, {{0, 1, 0, 2}, {3, 0, 1, 2}}));
  EXPECT_EQ(parse("a,25,1\nb,5,1\n", {.columns = {"1", "2/10", "3"}}).modes[1],
            (Mode{"column2/10", {"0", "2"}}));
  EXPECT_MESSAGE(parse("u,t,v\na,soon,1\n", {.columns = {"u", "t/10", "v"}}),
                 "x.csv:2: 'soon' in column 2 cannot be divided into bins; it must be a number");
  EXPECT_MESSAGE(parse("u,t,v\na,1e30,1\n", {.columns = {"u", "t/10", "v"}}),
                 "x.csv:2: '1e30' in column 2 cannot be divided into bins; it must be a number");
  EXPECT_EQ(parse("u,km/10,v\na,25,1\n", {.columns = {"u", "km/10", "v"}}).modes[1], (Mode{"km/10", {"25"}}));
}

// What was learned from one file says how to read the next.
TEST(Csv, KnownModes) {
  const std::vector<Mode> known{{"u", {"b", "a"}}, {"t/10", {"0", "1"}}};
  const Dataset data = parse("t,extra,u,v\n15,x,a,1\n3,y,b,2\n", {.known = known});
  EXPECT_EQ(data.modes, known);
  EXPECT_EQ(cells(data), Cells(Shape{2, 2}, {{1, 0}, {1, 0}}));
  EXPECT_EQ(cells(parse("a,15,1\nb,3,2\n", {.known = known})), cells(data));
  EXPECT_MESSAGE(parse("u,t,v\na,5,1\n\nb,99,2\nc,5,3\n", {.known = known}),
                 "x.csv:4: '9' is not among the known labels of t/10; remove the line");
  const Dataset grown = parse("u,t,v\na,99,1\nc,35,2\n", {.known = known, .grow = true});
  EXPECT_EQ(grown.modes, (std::vector<Mode>{{"u", {"b", "a", "c"}}, {"t/10", {"0", "1", "3", "9"}}}));
  EXPECT_EQ(cells(grown), Cells(Shape{3, 4}, {{1, 2}, {3, 2}}));
  EXPECT_MESSAGE(parse("a,b,c,1\n", {.known = known}),
                 "x.csv:1: 4 columns, but 2 modes and a value make 3; choose the columns that are meant "
                 "(ReadOptions::columns)");
}

TEST(Csv, KnownModesWithoutLabelsAreNumbered) {
  const ReadOptions options{.shape = Shape{9, 2}, .known = {{"row", {}}, {"u", {"b", "a"}}}};
  const Dataset data = parse("row,u,v\n 7 ,a,1\n", options);
  EXPECT_EQ(cells(data), Cells(Shape{9, 2}, {{6}, {1}}));
  EXPECT_EQ(data.modes, options.known);
  EXPECT_MESSAGE(parse("row,u,v\n10,a,1\n", options),
                 "x.csv:2: position 10 of mode 1 lies outside its size 9; correct it or give a larger shape "
                 "(ReadOptions::shape)");
  EXPECT_MESSAGE(parse("row,u,v\n0,a,1\n", options),
                 "x.csv:2: position 0 in column 1; positions count from 1");
}

TEST(Csv, MoreLabelsThanTheShapeHolds) {
  EXPECT_MESSAGE(parse("a,x,1\nb,x,2\nc,x,3\n", {.shape = Shape{2, 2}}),
                 "x.csv:3: position 3 of mode 1 lies outside its size 2; correct it or give a larger shape "
                 "(ReadOptions::shape)");
  EXPECT_EQ(parse("a,x,1\n", {.shape = Shape{2, 5}}).shape(), (Shape{2, 5}));
}

TEST(Csv, CellsToPredict) {
  const ReadOptions options{.known = {{"u", {"a", "b"}}, {"m", {"x", "y"}}}};
  const Cells expected(Shape{2, 2}, {{0, 1}, {1, 1}});
  for (const char* text : {"a,y\nb,y\n", "u,m\na,y\nb,y\n", "m,u\ny,a\ny,b\n", "who,what\na,y\nb,y\n",
                           "u,m,v\na,y,\nb,y,?\n", "a,y,1\nb,y,2\n", "id,u,m,v\n1,a,y,0\n2,b,y,0\n"})
    EXPECT_EQ(parse_cells(text, options).cells, expected) << text;
  ReadOptions chosen = options;
  chosen.columns = {"3", "1"};
  EXPECT_EQ(parse_cells("y,?,a\ny,?,b\n", chosen).cells, expected);
  EXPECT_MESSAGE(parse_cells("u,m\nc,y\n", options),
                 "x.csv:2: 'c' is not among the known labels of u; remove the line");
}

TEST(Csv, MissingValues) {
  const std::string text = "u,m,v\na,x,\nb,x,1\nc,y,nan\nd,y,NaN\n";
  const Dataset data = parse(text, {.nan_is_missing = true});
  EXPECT_EQ(data.listed(), 1);
  EXPECT_EQ(data.modes[0].labels, Strings{"b"});
  EXPECT_MESSAGE(parse(text),
                 "x.csv:2: the value is empty; give one, or have empty values read as missing "
                 "(ReadOptions::nan_is_missing)");
}

TEST(Csv, SaysWhatIsWrongAndWhere) {
  const auto message = [](const std::string& line) {
    return message_of([&] { parse("u,m,v\n\"a\nb\",b,1\n" + line + "\n"); });
  };
  EXPECT_EQ(message("a,1"), "x.csv:4: 2 columns, but the first line has 3; correct the line");
  EXPECT_EQ(message("a,b,c,1"), "x.csv:4: 4 columns, but the first line has 3; correct the line");
  EXPECT_EQ(message("a,b,x"), "x.csv:4: the value 'x' is not a number; correct the line");
  EXPECT_EQ(message("a,b,1 2"), "x.csv:4: the value '1 2' is not a number; correct the line");
  EXPECT_EQ(message("a,b,nan"),
            "x.csv:4: the value 'nan' is not a number; remove the line, or have NaN read as missing "
            "(ReadOptions::nan_is_missing)");
  EXPECT_EQ(message("a,b,inf"),
            "x.csv:4: the value 'inf' is infinite; remove the line or give a finite value");
  EXPECT_EQ(message("a,b,1e39"),
            "x.csv:4: the value 1e39 is too large; values are held in single precision, up to 3.4e38: scale "
            "the data");
  EXPECT_EQ(message("a,,1"), "x.csv:4: column 2 is empty; every cell needs a position in each mode");
  EXPECT_EQ(message("5\" disk,b,1"),
            "x.csv:4: a quote inside a field; put the whole field into quotes and double the quote");
  EXPECT_EQ(message("\"a\"b,b,1"),
            "x.csv:4: text behind a closing quote; double quotes that belong to the text");
  EXPECT_EQ(message("x,y,2\n\"a,b,1\n1,2,3"),
            "x.csv:5: a quote is not closed; close it, or double a quote that belongs to the text");
  EXPECT_EQ(message("c,d,1\n\nc,d,2"),
            "x.csv:6: cell (c, d) was given in line 4 already; keep one of the two, or have them merged "
            "(ReadOptions::duplicates mean, last, sum or count)");
  EXPECT_MESSAGE(parse(""), "x.csv: no entries; give at least one line of labels and a value");
  EXPECT_MESSAGE(parse("\n \n"), "x.csv: no entries; give at least one line of labels and a value");
  EXPECT_MESSAGE(parse("a,b,v\n"), "x.csv: no entries; give at least one cell");
  EXPECT_MESSAGE(parse("1,2\n"), "x.csv:1: 1 mode columns; a tensor has 2 to 8 modes");
  EXPECT_MESSAGE(parse("1,2,3,4,5,6,7,8,9,10\n"), "x.csv:1: 9 mode columns; a tensor has 2 to 8 modes");
}

TEST(Csv, DoesNotDependOnThreadsOrChunks) {
  std::string text = "u,m,t,v\n";
  for (int i = 0; i < 2000; ++i)
    text += fmt::format("{},\"m,\n{}\",{},{}\n", i % 3 ? fmt::format("u{}", i * 7 % 101) : "\"q\"\"\n\n\"", i,
                        i * 31 % 977, i);
  const ReadOptions options{.columns = {"u", "m", "t/10", "v"}};
  const int before = threads();
  set_threads(1);
  const Dataset expected = parse(text, options);
  for (int count : {1, 2, 3})
    for (std::size_t chunk : {16, 100, 5000}) {
      set_threads(count);
      const Dataset data = parse(text, options, chunk);
      EXPECT_EQ(data.modes, expected.modes);
      EXPECT_EQ(data.tensor, expected.tensor);
      EXPECT_EQ(message_of([&] { parse(text + "x,y,z,1\n", options, chunk); }),
                fmt::format("x.csv:{}: 'z' in column 3 cannot be divided into bins; it must be a number",
                            1 + std::count(text.begin(), text.end(), '\n')));
    }
  set_threads(before);
}

// Labels in the order of their first appearance would depend on how many rows a cell has.
TEST(Csv, LabelsAreSortedWhereRowsAreMerged) {
  const ReadOptions merging{.duplicates = Duplicates::sum};
  const std::string_view rows = "z,10,1\na,9,2\nz,10,3\n";
  const Dataset data = parse(rows, merging);
  EXPECT_EQ(data.modes[0].labels, (Strings{"a", "z"}));
  EXPECT_EQ(data.modes[1].labels, (Strings{"9", "10"}));
  EXPECT_EQ(cells(data), Cells(Shape{2, 2}, {{1, 0, 1}, {1, 0, 1}}));
  ReadOptions known = merging;
  known.known = {{"user", {"z"}}, {"film", {}}};
  known.grow = true;
  const Dataset grown = parse("z,2,1\nc,1,2\nb,2,3\n", known);
  EXPECT_EQ(grown.modes[0].labels, (Strings{"z", "b", "c"}));
  EXPECT_EQ(cells(grown), Cells(Shape{3, 2}, {{0, 2, 1}, {1, 0, 1}}));
}

// Whatever the order of labels, the chunks and line ends within fields.
TEST(Csv, KeepsTheLineThatFirstHasEachLabel) {
  using Lines = std::vector<std::vector<std::size_t>>;
  const std::string_view rows = "user,film,v\nz,\"two\nlines\",1\n\na,10,2\nz,9,3\nb,10,4\n";
  EXPECT_EQ(parse(rows).label_lines, (Lines{{2, 5, 7}, {2, 5, 6}}));
  const Dataset sorted = parse(rows, {.duplicates = Duplicates::sum});
  EXPECT_EQ(sorted.modes[1].labels, (Strings{"9", "10", "two\nlines"}));
  EXPECT_EQ(sorted.label_lines, (Lines{{5, 7, 2}, {6, 5, 2}}));
  ReadOptions known;
  known.known = {{"user", {"a"}}, {"film", {"9"}}};
  known.grow = true;
  EXPECT_EQ(parse(rows, known).label_lines, (Lines{{0, 2, 7}, {0, 2, 5}}));
}

// A label that only one user has, and that may not even be public, moves no cell of the others.
TEST(Csv, TheOrderOfTwoLabelsDependsOnThemAlone) {
  const ReadOptions merging{.duplicates = Duplicates::mean};
  const Strings pages = {"9", "10", "11", "12", "home"};
  for (const std::string& more : Strings{"", "zz,abc,3\n", "zz,99999999999999999999,3\n", "0,-5,1\n"}) {
    Strings found = parse("7,home,5\n7,10,2\n7,9,1\nann,12,4\nann,11,3\n" + more, merging).modes[1].labels;
    std::erase_if(found, [&](const std::string& page) { return std::ranges::count(pages, page) == 0; });
    EXPECT_EQ(found, pages) << more;
  }
}

// A file of which any line may be private may lack the header that it was said to have.
TEST(Csv, SaysNothingOfAPrivateFirstLine) {
  EXPECT_MESSAGE(parse("ann,Dune,4\n", {.columns = {"user", "film", "stars"}, .may_be_empty = true}),
                 "x.csv:1: there is no column 'user'; without a header choose columns by number");
}

TEST(Csv, WithoutAValueColumnEveryRowIsOne) {
  const Dataset data = parse("user,page,time\nann,home,5\nann,shop,6\n", {.columns = {"user", "page", "-"}});
  EXPECT_EQ(values(data), (std::vector<float>{1, 1}));
  EXPECT_EQ(parse("ann,home\n", {.header = false, .columns = {"1", "2", "-"}}).listed(), 1u);
  EXPECT_MESSAGE(parse("ann,home\n", {.columns = {"1", "2", "-"}}),
                 "x.csv:1: without a value column the first line does not show that it is a header; state "
                 "whether it is (header)");
}

TEST(Csv, ReadsSemicolonsAndDecimalCommasWhereTheHeaderShowsThem) {
  const Dataset data = parse("user;movie;stars\nzoe;Alien;3,5\nadam;\"Brazil; the\";4.25\n");
  EXPECT_EQ(values(data), (std::vector<float>{3.5, 4.25}));
  EXPECT_EQ(data.modes[1].labels, (Strings{"Alien", "Brazil; the"}));
}

TEST(Csv, ReadsStatedSeparatorsAndDecimalMarks) {
  const Dataset stated = parse("a|b|1,5\n", {.header = false, .separator = '|', .decimal = ','});
  EXPECT_EQ(values(stated), (std::vector<float>{1.5}));
  EXPECT_EQ(values(parse("a,b,\"1,5\"\n", {.header = false, .decimal = ','})), (std::vector<float>{1.5}));
  EXPECT_THROW(parse("user;movie;stars\nzoe;Alien;3,5\n", {.decimal = '.'}), Error);
  EXPECT_THROW(parse("user;movie;stars\nzoe;Alien;1.234,5\n"), Error);
}

// Which of the two it is follows from a line that is public, or from nothing.
TEST(Csv, GuessesNoSeparatorFromALineThatMayBePrivate) {
  EXPECT_THROW(parse("a;b;1\n", {.header = false, .may_be_empty = true}), Error);
  EXPECT_EQ(values(parse("user;movie;stars\na;b;1\n", {.header = true, .may_be_empty = true})),
            (std::vector<float>{1}));
}

TEST(Csv, DividesTimeStampsIntoBins) {
  const Dataset data =
      parse("user,at,stars\nzoe,2026-11-19T08:00:00Z,5\nadam,2026-11-10,3\nadam,2026-11-17 23:59,1\n",
            {.columns = {"user", "at/week", "stars"}});
  EXPECT_EQ(data.modes[1], (Mode{"at/week", {"2026-W46", "2026-W47"}}));
  EXPECT_EQ(cells(data), Cells(Shape{2, 2}, {{0, 1, 1}, {1, 0, 1}}));
  EXPECT_MESSAGE(parse("user,at,stars\nzoe,soon,5\n", {.columns = {"user", "at/week", "stars"}}),
                 "x.csv:2: 'soon' in column 2 is no time; write 2026-11-19T20:31:58, or seconds since 1970");
  const Dataset again = parse("user,at,stars\nzoe,2026-11-20,5\n", {.known = data.modes});
  EXPECT_EQ(cells(again)(0, 1), 1u);
}

TEST(Csv, ReadsWordsForMissingValuesAsMissing) {
  const Dataset data =
      parse("user,movie,stars\na,b,NA\na,c,null\na,d,n/a\na,e,\na,f,2\n", {.nan_is_missing = true});
  EXPECT_EQ(values(data), (std::vector<float>{2}));
  EXPECT_THROW(parse("user,movie,stars\na,b,NA\na,c,2\n"), Error);
}

}  // namespace
}  // namespace tulle
