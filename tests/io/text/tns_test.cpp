#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"
#include "text/formats.hpp"

#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

Dataset parse_tns(std::string_view text, const ReadOptions& options = {},
                  std::size_t chunk_bytes = kChunkBytes) {
  Source source = Source::memory("x.tns", text);
  return read_tns(source, options, chunk_bytes);
}

CellList parse_tns_cells(std::string_view text, const ReadOptions& options) {
  Source source = Source::memory("x.tns", text);
  return read_tns_cells(source, options);
}

const SparseTensor& sparse(const Dataset& data) {
  return std::get<SparseTensor>(data.tensor);
}

TEST(Tns, ReadsCellsInTheOrderOfTheFile) {
  const Dataset data = parse_tns("# a comment\n\n2 1 4 1.5\n1\t3  1\t-2e1\r\n  2 2 2 .25 # behind\n");
  EXPECT_EQ(data.shape(), (Shape{2, 3, 4}));
  EXPECT_EQ(data.modes, unnamed_modes(3));
  const auto& tensor = sparse(data);
  EXPECT_EQ(tensor.cells(), Cells(Shape{2, 3, 4}, {{1, 0, 1}, {0, 2, 1}, {3, 0, 1}}));
  EXPECT_EQ(std::vector<float>(tensor.values().begin(), tensor.values().end()),
            (std::vector<float>{1.5, -20, 0.25}));
  EXPECT_EQ(tensor.unlisted(), Unlisted::missing);
}

TEST(Tns, TheLastLineNeedsNoEnd) {
  EXPECT_EQ(sparse(parse_tns("1 1 5")).values()[0], 5);
}

TEST(Tns, SkipsAByteOrderMark) {
  EXPECT_EQ(parse_tns("\xef\xbb\xbf"
                      "1 1 5\n")
                .listed(),
            1);
}

TEST(Tns, HoldsTwoToEightModes) {
  EXPECT_EQ(parse_tns("1 2 3 4 5 6 7 8 1\n").shape(), (Shape{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_MESSAGE(parse_tns("1 1\n"),
                 "x.tns:1: 2 columns; a line has 2 to 8 positions and a value, separated by blanks");
  EXPECT_MESSAGE(parse_tns("#\n1 2 3 4 5 6 7 8 9 1\n"),
                 "x.tns:2: 10 columns; a line has 2 to 8 positions and a value, separated by blanks");
}

TEST(Tns, HoldsTheLargestPosition) {
  EXPECT_EQ(parse_tns("4294967295 0000000004294967295 1\n").shape(), (Shape{4294967295, 4294967295}));
  EXPECT_MESSAGE(parse_tns("1 4294967296 1\n"),
                 "x.tns:1: position 4294967296 in column 2 is larger than 4294967295; number the positions "
                 "without such gaps");
  EXPECT_MESSAGE(parse_tns("18446744073709551617 1 1\n"),
                 "x.tns:1: position 18446744073709551617 in column 1 is larger than 4294967295; number the "
                 "positions without such gaps");
}

TEST(Tns, SaysWhatIsWrongAndWhere) {
  const auto message = [](const std::string& line) {
    return message_of([&] { parse_tns("1 1 1 1\n\n" + line + "\n"); });
  };
  EXPECT_EQ(message("1 2 3"), "x.tns:3: 3 columns, but 3 positions and a value make 4; correct the line");
  EXPECT_EQ(message("1 2 3 4 5"), "x.tns:3: 5 columns, but 3 positions and a value make 4; correct the line");
  EXPECT_EQ(message("1 0 1 2"), "x.tns:3: position 0 in column 2; positions count from 1");
  EXPECT_EQ(message("1 1 -7 2"), "x.tns:3: position -7 in column 3 is negative; positions count from 1");
  EXPECT_EQ(message("a 1 1 2"),
            "x.tns:3: 'a' in column 1 is not a position; positions are whole numbers from 1");
  EXPECT_EQ(message("1 1.5 1 2"),
            "x.tns:3: '1.5' in column 2 is not a position; positions are whole numbers from 1");
  EXPECT_EQ(message("1 1 1 nan"),
            "x.tns:3: the value 'nan' is not a number; remove the line, or have NaN read as missing "
            "(ReadOptions::nan_is_missing)");
  EXPECT_EQ(message("1 1 1 -inf"),
            "x.tns:3: the value '-inf' is infinite; remove the line or give a finite value");
  EXPECT_EQ(message("1 1 1 5x"), "x.tns:3: the value '5x' is not a number; correct the line");
  EXPECT_EQ(message("1 1 1 nano"), "x.tns:3: the value 'nano' is not a number; correct the line");
  EXPECT_EQ(message("1 1 1 1e300"),
            "x.tns:3: the value 1e300 is too large; values are held in single precision, up to 3.4e38: scale "
            "the data");
  EXPECT_EQ(message("1 1 1 1e999"),
            "x.tns:3: the value 1e999 is too large; values are held in single precision, up to 3.4e38: scale "
            "the data");
  EXPECT_EQ(message(std::string("1 1 1 \0", 7)), "x.tns:3: the value '?' is not a number; correct the line");
  EXPECT_EQ(message(std::string(50, 'a') + " 1 1 1"),
            "x.tns:3: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...' in column 1 is not a position; "
            "positions are whole numbers from 1");
}

TEST(Tns, AFileWithoutLinesHasTheModesThatAreStated) {
  EXPECT_EQ(parse_tns("", {.may_be_empty = true, .order = 3}).modes, unnamed_modes(3));
  EXPECT_EQ(parse_tns("1 1 5\n", {.may_be_empty = true, .order = 3}).modes, unnamed_modes(2));
}

TEST(Tns, AValueBeyondFloat32IsTheLargestWhereItIsToBeClamped) {
  const Dataset data = parse_tns("1 1 5\n1 2 1e39\n1 3 -1e400\n", {.clamp_to_float32 = true});
  constexpr float kLargest = std::numeric_limits<float>::max();
  EXPECT_EQ(std::get<SparseTensor>(data.tensor).values()[1], kLargest);
  EXPECT_EQ(std::get<SparseTensor>(data.tensor).values()[2], -kLargest);
  EXPECT_THROW(parse_tns("1 1 -inf\n", {.clamp_to_float32 = true}), Error);
}

// Position 2 is called '7': a 2 in the file may be either.
TEST(Tns, LabelsThatAreOtherNumbersThanTheirPositionsAreNotReadByNumber) {
  const std::vector<Mode> gaps{{"user", {"2", "7"}}, {"film", {"Alien", "Cube"}}};
  EXPECT_MESSAGE(parse_tns("2 1 5\n", {.known = gaps}),
                 "x.tns: the labels of user are numbers, but not those of its positions (1 is labelled '2'); "
                 "give CSV, which uses labels");
  EXPECT_EQ(parse_tns("2 1 5\n", {.known = {{"user", {"1", "2"}}, gaps[1]}}).listed(), 1u);
}

TEST(Tns, EmptyFile) {
  for (const char* text : {"", "\n", "# only this\n\n", "\xef\xbb\xbf"})
    EXPECT_MESSAGE(parse_tns(text), "x.tns: no entries; give at least one line of positions and a value");
}

TEST(Tns, NamesBothLinesOfADuplicate) {
  EXPECT_MESSAGE(parse_tns("1 1 1\n# c\n\n2 3 4\n1 2 3\n\n2 3 5\n1 1 1\n"),
                 "x.tns:7: cell (2, 3) was given in line 4 already; keep one of the two, or have them merged "
                 "(ReadOptions::duplicates mean, last, sum or count)");
}

TEST(Tns, SkipsNanWhenItMeansMissing) {
  const Dataset data = parse_tns("1 1 nan\n1 2 3\n2 1 NaN\n", {.nan_is_missing = true});
  EXPECT_EQ(data.listed(), 1);
  EXPECT_EQ(data.shape(), (Shape{1, 2}));
  EXPECT_MESSAGE(parse_tns("1 1 nan\n", {.nan_is_missing = true}),
                 "x.tns: no entries; give at least one cell");
}

TEST(Tns, LiesInTheGivenShape) {
  EXPECT_EQ(parse_tns("1 1 1\n", {.shape = Shape{5, 6}}).shape(), (Shape{5, 6}));
  EXPECT_MESSAGE(parse_tns("1 1 1\n\n5 7 1\n6 1 1\n", {.shape = Shape{5, 6}}),
                 "x.tns:3: position 7 of mode 2 lies outside its size 6; correct it or give a larger shape "
                 "(ReadOptions::shape)");
  EXPECT_MESSAGE(parse_tns("1 1 1 1\n", {.shape = Shape{5, 6}}),
                 "x.tns:1: 4 columns, but 2 modes and a value make 3; is it the right file?");
}

TEST(Tns, KnownModes) {
  const std::vector<Mode> known{{"user", {"a", "b"}}, {"item", {}}};
  const Dataset data = parse_tns("1 9 1\n", {.known = known});
  EXPECT_EQ(data.modes, known);
  EXPECT_EQ(data.shape(), (Shape{2, 9}));
  EXPECT_MESSAGE(parse_tns("3 1 1\n", {.known = known}),
                 "x.tns:1: position 3 of mode 1 lies outside its size 2; correct it or give a larger shape "
                 "(ReadOptions::shape)");
  EXPECT_EQ(parse_tns("3 1 1\n", {.known = known, .grow = true}).shape(), (Shape{3, 1}));
}

TEST(Tns, CellsWithAndWithoutValues) {
  const ReadOptions options{.shape = Shape{3, 3}};
  const Cells expected(Shape{3, 3}, {{0, 2}, {1, 2}});
  EXPECT_EQ(parse_tns_cells("1 2\n3 3\n", options).cells, expected);
  EXPECT_EQ(parse_tns_cells("1 2 0.5\n3 3 ?\n", options).cells, expected);
  EXPECT_EQ(parse_tns_cells("1 2\n1 2\n", options).cells.size(), 2);  // asking twice is no mistake
  EXPECT_MESSAGE(parse_tns_cells("1 2\n1\n", options),
                 "x.tns:2: 1 columns, but 2 positions make 2; correct the line");
  EXPECT_MESSAGE(parse_tns_cells("1 2 1\n1 2\n", options),
                 "x.tns:2: 2 columns, but 2 positions and a value make 3; correct the line");
  EXPECT_MESSAGE(parse_tns_cells("1 4\n", options),
                 "x.tns:1: position 4 of mode 2 lies outside its size 3; correct it or give a larger shape "
                 "(ReadOptions::shape)");
}

std::string random_text(std::size_t entries) {
  Random random(11);
  std::string text;
  for (std::size_t i = 0; i < entries; ++i) {
    if (random.chance(0.1)) text += "# a line between\n";
    text += fmt::format("{} {} {} {:.6g}\n", i % 37 + 1, i / 37 + 1, random.below(9) + 1, random.normal());
  }
  return text;
}

TEST(Tns, DoesNotDependOnThreadsOrChunks) {
  const std::string text = random_text(3000);
  const int before = threads();
  set_threads(1);
  const Dataset expected = parse_tns(text);
  for (int count : {1, 2, 3})
    for (std::size_t chunk : {16, 100, 5000}) {
      set_threads(count);
      EXPECT_EQ(sparse(parse_tns(text, {}, chunk)), sparse(expected));
    }
  set_threads(before);
}

// The size of a compressed file does not tell how many entries to expect.
TEST(Tns, CompressedOrNot) {
  const TemporaryFolder folder;
  const std::string text = random_text(3000);
  Sink sink(folder / "x.tns.gz");
  sink.write(text);
  sink.commit();
  Source source(folder / "x.tns.gz");
  EXPECT_EQ(sparse(read_tns(source, {}, 200)), sparse(parse_tns(text)));
}

// Two wrong lines: the first one is reported, with its number, wherever the chunks are cut.
TEST(Tns, ReportsTheFirstWrongLineOfTheFile) {
  const std::string good = random_text(2000);
  const auto line = 1 + std::count(good.begin(), good.end(), '\n');
  const std::string text = good + "1 1 x 1\n" + random_text(100) + "1 1 1\n";
  const int before = threads();
  for (int count : {1, 2, 3})
    for (std::size_t chunk : {16, 64, 999, 1 << 20}) {
      set_threads(count);
      EXPECT_MESSAGE(
          parse_tns(text, {}, chunk),
          fmt::format("x.tns:{}: 'x' in column 3 is not a position; positions are whole numbers from 1",
                      line));
    }
  set_threads(before);
}

// Threads that come late must not touch the block that failed.
TEST(Tns, ReportsTheSameErrorEveryTime) {
  const std::string text = random_text(50) + "1 1 x 1\n" + random_text(400);
  const std::string expected = message_of([&] { parse_tns(text, {}, 64); });
  const int before = threads();
  set_threads(4);
  for (int i = 0; i < 200; ++i) EXPECT_MESSAGE(parse_tns(text, {}, 64), expected);
  set_threads(before);
}

TEST(Tns, NumbersLinesOfDuplicatesAcrossChunks) {
  const std::string good = random_text(2000);
  const auto line = 1 + std::count(good.begin(), good.end(), '\n');
  const std::string first = good.substr(0, good.find('\n', good.find("\n1 ") + 1));
  const auto first_line = 1 + std::count(first.begin(), first.end(), '\n');
  const std::string repeated = first.substr(first.rfind('\n') + 1);
  const std::string message = message_of([&] { parse_tns(good + "\n" + repeated + "\n", {}, 100); });
  EXPECT_TRUE(message.starts_with(fmt::format("x.tns:{}: cell (", line + 1))) << message;
  EXPECT_TRUE(
      message.ends_with(fmt::format("in line {} already; keep one of the two, or have them merged "
                                    "(ReadOptions::duplicates mean, last, sum or count)",
                                    first_line)))
      << message;
}

TEST(Tns, RefusesEndlessLines) {
  EXPECT_MESSAGE(parse_tns(std::string((std::size_t{1} << 27) + 1, '1')),
                 "x.tns: a line is longer than 64 MiB; is it a text file?");
}

}  // namespace
}  // namespace tulle
