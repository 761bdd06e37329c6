#include "data/expect_error.hpp"
#include "io/temporary_folder.hpp"

#include <tulle/io/read_labelled.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace tulle {
namespace {

std::string idx(const std::vector<std::uint32_t>& sizes, const std::string& bytes) {
  std::string file = {0, 0, 8, static_cast<char>(sizes.size())};
  for (std::uint32_t size : sizes)
    for (int shift : {24, 16, 8, 0}) file += static_cast<char>(size >> shift & 0xff);
  return file + bytes;
}

TEST(ReadLabelled, FindsTheLabelsBesideImages) {
  const TemporaryFolder folder;
  const std::string images =
      folder.write("train-images-idx3-ubyte", idx({2, 1, 3}, std::string("\1\2\3\4\5\xff", 6)));
  folder.write("train-labels-idx1-ubyte", idx({2}, std::string("\0\2", 2)));
  for (const std::string& path : {images, folder / ""}) {
    const LabelledExamples examples = read_labelled(path);
    EXPECT_EQ(examples.labels, (std::vector{0, 2}));
    EXPECT_EQ(examples.values(1, 2), 255);
    EXPECT_EQ(examples.height, 1);
    EXPECT_EQ(examples.width, 3);
    EXPECT_EQ(examples.classes.size(), 3u);
  }
  EXPECT_EQ(read_labelled(images, {.classes = 5}).classes.size(), 5u);
  expect_error([&] { read_labelled(images, {.classes = 2}); },
               "labels-idx1-ubyte row 2: label 2 is outside 0..1");
  EXPECT_EQ(read_labelled(images, {.classes = 2, .clamped = true}).labels, (std::vector{0, 1}));
}

TEST(ReadLabelled, RefusesFilesThatDoNotBelongTogether) {
  const TemporaryFolder folder;
  const std::string images = folder.write("a-images-idx3-ubyte", idx({2, 1, 1}, "ab"));
  expect_error([&] { read_labelled(images); }, "no labels beside the images");
  const std::string labels = folder.write("a-labels-idx1-ubyte", idx({3}, "abc"));
  expect_error([&] { read_labelled(images); }, "3 labels, but");
  expect_error([&] { read_labelled(labels, {.labels = labels}); }, "holds labels, not images");
  expect_error([&] { read_labelled(images, {.labels = images}); }, "holds no labels");
  const std::string cut = folder.write("b-images-idx3-ubyte", idx({2, 9, 9}, "ab"));
  expect_error([&] { read_labelled(cut, {.labels = labels}); }, "ends too early");
  const std::string longer = folder.write("d-images-idx3-ubyte", idx({3, 1, 1}, "abcd"));
  expect_error([&] { read_labelled(longer, {.labels = labels}); }, "more bytes than its header states");
  // 2^8 2^28 2^28 = 2^64, which is 0 in 64 bits.
  const std::string vast = folder.write("e-images-idx3-ubyte", idx({1 << 8, 1 << 28, 1 << 28}, ""));
  expect_error([&] { read_labelled(vast, {.labels = labels}); }, "states more than");
  const std::string other = folder.write("c-images-idx3-ubyte", "hello there");
  expect_error([&] { read_labelled(other, {.labels = labels}); }, "is no idx file");
  expect_error([&] { read_labelled(folder.write("a.txt", "1,2\n")); }, "of no known format");
  expect_error([&] { read_labelled(folder / ""); }, "holds no train-images");
}

// A number may be the name of a column: what the first line is can be stated.
TEST(ReadLabelled, TakesTheFirstLineForWhatItIsStatedToBe) {
  const TemporaryFolder folder;
  const std::string numbers = folder.write("a.csv", "0,1,2\n3,4,1\n");
  EXPECT_EQ(read_labelled(numbers).size(), 2u);
  EXPECT_EQ(read_labelled(numbers, {.header = true}).size(), 1u);
  const std::string words = folder.write("b.csv", "x,class\n3,1\n");
  EXPECT_EQ(read_labelled(words).size(), 1u);
  expect_error([&] { read_labelled(words, {.header = false}); },
               "row 1, column 1: is no number; write nan where a value is missing; if the first row may be");
  EXPECT_TRUE(is_column_name("class"));
  EXPECT_FALSE(is_column_name("3") || is_column_name(""));
  EXPECT_TRUE(is_labelled_table("a.csv.gz") && !is_labelled_table("a.npz"));
}

// What a model needs to tell the class: the values.
TEST(ReadLabelled, ReadsValuesWithoutLabels) {
  const TemporaryFolder folder;
  const std::string images = folder.write("a-images-idx3-ubyte", idx({2, 1, 3}, "abcdef"));
  const LabelledFileOptions values{.known = {"0", "1"}, .values = 3, .values_alone = true};
  EXPECT_EQ(read_labelled(images, values).values(1, 0), 'd');
  const std::string plain = folder.write("a.csv", "1,2,3\n4,5,6\n"),
                    labelled = folder.write("b.csv", "1,2,3,x\n");
  EXPECT_EQ(read_labelled(plain, values).values(1, 2), 6);
  EXPECT_EQ(read_labelled(labelled, values).values.cols(), 3);
  EXPECT_TRUE(read_labelled(labelled, values).labels.empty());
  expect_error([&] { read_labelled(plain, {.values = 3}); },
               "has 3 columns, as many as an example has values;");
}

// A column that is named holds the labels, and a label that is a word makes no header.
TEST(ReadLabelled, TheLabelsColumnIsTheOneThatIsGiven) {
  const TemporaryFolder folder;
  const std::string first = folder.write("a.csv", "cat,1\ndog,2\n"),
                    named = folder.write("b.csv", "x,y\n1,0\n");
  EXPECT_EQ(read_labelled(first, {.label_column = "1", .known = {"dog", "cat"}}).labels, (std::vector{1, 0}));
  EXPECT_EQ(read_labelled(named, {.label_column = "y", .values = 2, .values_alone = true}).values.cols(), 1);
  EXPECT_TRUE(is_labelled_table("-"));
}

TEST(ReadLabelled, ImagesAreWhatIsStated) {
  const TemporaryFolder folder;
  std::string row = "0";
  for (int column = 0; column < 64; ++column) row += ",1";
  const std::string table = folder.write("a.csv", row + "\n");
  EXPECT_EQ(read_labelled(table).height, 0);
  EXPECT_EQ(read_labelled(table, {.image = std::pair(8, 8)}).height, 8);
  EXPECT_EQ(read_labelled(table, {.image = std::pair(4, 16)}).width, 16);
  expect_error([&] { read_labelled(table, {.image = std::pair(5, 5)}); }, "has 64 values, no image of 5x5");
}

// One example must not decide whether a file is read.
TEST(ReadLabelled, TakesNumbersOfAnySize) {
  const TemporaryFolder folder;
  const LabelledExamples read = read_labelled(
      folder.write("a.csv", "1e999,0\n-1e999,0\n1e-400,0\ninf,0\n-inf,0\n1,1e999\n1,-inf\n1,nan\n"),
      {.header = false, .classes = 3, .clamped = true});
  constexpr float kMost = std::numeric_limits<float>::max();
  const float expected[] = {kMost, -kMost, 0, kMost, -kMost};
  for (Eigen::Index row = 0; row < 5; ++row) EXPECT_EQ(read.values(row, 0), expected[row]) << row;
  EXPECT_EQ(read.labels, (std::vector<int>{0, 0, 0, 0, 0, 2, 0, 0}));
}

TEST(ReadLabelled, AskForTheNumberOfALabelsColumnWhoseNameIsThereTwice) {
  const TemporaryFolder folder;
  const std::string twice = folder.write("a.csv", "label,x,label\n1,0.5,0\n");
  expect_error([&] { read_labelled(twice, {.label_column = "label"}); }, "several columns are named 'label'");
  EXPECT_EQ(read_labelled(twice, {.label_column = "3", .header = true}).labels, std::vector<int>{0});
}

TEST(ReadLabelled, ReadsFilesWithoutExamplesWhereTheyMayBeEmpty) {
  const TemporaryFolder folder;
  const LabelledFileOptions private_run = {
      .header = true, .classes = 3, .clamped = true, .may_be_empty = true};
  const std::string images = folder.write("a-images-idx3-ubyte", idx({0, 8, 9}, ""));
  folder.write("a-labels-idx1-ubyte", idx({0}, ""));
  const std::string table = folder.write("a.csv", "x,y,class\n");
  for (const auto& file : {std::pair{images, 72}, {table, 2}}) {
    const LabelledExamples examples = read_labelled(file.first, private_run);
    EXPECT_EQ(examples.size(), 0u);
    EXPECT_EQ(examples.values.cols(), file.second);
    EXPECT_EQ(examples.classes.size(), 3u);
    expect_error([&] { read_labelled(file.first, {.header = true}); }, "no examples");
  }
  EXPECT_EQ(read_labelled(images, private_run).width, 9);
  expect_error([&] { read_labelled(folder.write("b.csv", ""), private_run); }, "is empty");
  const std::string huge = folder.write(
      "c-images-idx3-ubyte", std::string("\0\0\x08\3\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", 16));
  folder.write("c-labels-idx1-ubyte", idx({0}, ""));
  expect_error([&] { read_labelled(huge, private_run); }, "examples of no values, or more than");
}

TEST(ReadLabelled, TakesTheLabelFromAColumnOfATable) {
  const TemporaryFolder folder;
  const std::string plain = folder.write("a.csv", "1,2,0\n3,4,1\n");
  EXPECT_EQ(read_labelled(plain).labels, (std::vector{0, 1}));
  EXPECT_EQ(read_labelled(plain).values(1, 1), 4);
  EXPECT_EQ(read_labelled(plain, {.label_column = "1"}).labels, (std::vector{1, 3}));
  const std::string odd = folder.write("odd.csv", "1,-3\n1,nan\n1,1.5\n1,1e300\n");
  EXPECT_EQ(read_labelled(odd, {.classes = 3, .clamped = true}).labels, (std::vector{0, 0, 1, 2}));
  const std::string named = folder.write("b.csv", "x,class,y\n1,1,2\n");
  EXPECT_EQ(read_labelled(named, {.label_column = "class"}).labels, (std::vector{1}));
  EXPECT_EQ(read_labelled(named, {.label_column = "class"}).values(0, 1), 2);
  expect_error([&] { read_labelled(named, {.label_column = "kind"}); }, "no column is named 'kind'");
  expect_error([&] { read_labelled(folder.write("c.csv", "1,2\n1,2.5\n")); }, "row 2: label 2.5");
  expect_error([&] { read_labelled(folder.write("d.csv", "1,2\n1\n")); }, "row 2: 1 columns");
  expect_error([&] { read_labelled(folder.write("e.csv", "1,2\nx,2\n")); }, "row 2, column 1: is no number");
}

}  // namespace
}  // namespace tulle
