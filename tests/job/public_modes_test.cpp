#include "public_modes.hpp"

#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

const DataPrivacy kEntries{.values = true, .positions = true, .user_mode = ""};
const DataPrivacy kPrivateUsers{.values = true, .positions = true, .user_mode = "user"};

// Two modes without labels, of 3 and 4 positions.
Dataset numbered() {
  return {unnamed_modes(2), SparseTensor(Cells(Shape{3, 4}, {{2}, {3}}), {1}, Unlisted::missing)};
}

TEST(ReadingOfPrivateLines, StatesThatThereIsAHeaderWhereNamesAreUsed) {
  DataOptions options{.train = "ratings.csv", .test = ""};
  EXPECT_MESSAGE(reading_of_private_lines(options, kEntries, options.train),
                 "ratings.csv: under add-remove its first line may be private, so that it is a header is not "
                 "inferred; state whether it is (header)");
  EXPECT_EQ(reading_of_private_lines(options, kPrivateUsers, options.train).header, true);
  options.public_modes = {{"column2", ""}};  // the name of a mode without a header
  EXPECT_THROW(reading_of_private_lines(options, kEntries, options.train), UsageError);
  options.public_modes = {{"film", ""}};
  EXPECT_EQ(reading_of_private_lines(options, kEntries, options.train).header, true);
  options.reading.header = false;
  EXPECT_EQ(reading_of_private_lines(options, kPrivateUsers, options.train).header, false);
}

// A file without lines has the modes that are stated: by the shape, or the public modes and that of the
// users.
TEST(ReadingOfPrivateLines, TakesTheNumberOfModesFromWhatIsStated) {
  DataOptions options{.train = "ratings.tns", .test = ""};
  options.public_modes = {{"2", ""}, {"3", ""}};
  const ReadOptions by_modes = reading_of_private_lines(options, kPrivateUsers, options.train);
  EXPECT_EQ(by_modes.order, 3);
  EXPECT_TRUE(by_modes.may_be_empty);
  options.reading.shape = Shape{2, 2};
  const ReadOptions by_shape = reading_of_private_lines(options, kPrivateUsers, options.train);
  EXPECT_EQ(by_shape.order, 2);
  EXPECT_FALSE(by_shape.shape) << "what lies outside is dropped, not refused";
}

TEST(PublicPositions, OfNumberedModesAreTheStatedShape) {
  DataOptions options{.train = "x.tns", .test = ""};
  options.reading.shape = Shape{7, 9};
  std::vector<std::string> facts;
  const Positions positions = public_positions(options, numbered(), 0, facts);
  EXPECT_FALSE(positions[0]) << "nothing is public of the users' mode";
  EXPECT_EQ(positions[1]->size, 9u);
  EXPECT_EQ(facts, std::vector<std::string>{"the size of mode mode2 (the owner's word)"});
}

TEST(PublicPositions, ComeFromAFileOrFromTheDataAsStated) {
  const TemporaryFolder folder;
  DataOptions options{.train = "x.tns", .test = ""};
  options.public_modes = {{"1", folder.write("rows.txt", "2\n3\n")}, {"2", ""}};
  std::vector<std::string> facts;
  const Positions positions = public_positions(options, numbered(), {}, facts);
  EXPECT_EQ(positions[0]->numbers, (std::vector<Index>{1, 2}));
  EXPECT_EQ(positions[1]->size, 4u);
  EXPECT_EQ(facts,
            (std::vector<std::string>{"the positions of mode mode1 (a list of the owner's)",
                                      "the positions of mode mode2 (found in the data; the owner's word)"}));
}

TEST(PublicPositions, ThatAreNotStatedAreRefused) {
  DataOptions options{.train = "x.tns", .test = ""};
  std::vector<std::string> facts;
  EXPECT_MESSAGE(public_positions(options, numbered(), 0, facts),
                 "under add-remove the positions of mode mode2 are private; give their public list "
                 "(DataOptions::public_modes MODE=FILE), or state that those found in the data are public "
                 "(DataOptions::public_modes MODE), or give the size of every mode (ReadOptions::shape)");
  options.reading.shape = Shape{7, 9, 2};
  EXPECT_MESSAGE(public_positions(options, numbered(), 0, facts),
                 "the data have 2 modes, but sizes are stated for 3");
  options.reading.shape.reset();
  options.public_modes = {{"1", ""}, {"1", ""}};
  EXPECT_MESSAGE(public_positions(options, numbered(), 1, facts),
                 "mode 1 is stated to be public twice; state it once");
}

// That a CSV file without entries has no labels does not mean that its positions are numbers.
TEST(HasLabels, OfACsvFileWithoutEntries) {
  const auto data = [](std::vector<std::string> labels) {
    return Dataset{{{"film", std::move(labels)}}, SparseTensor(Shape{1, 1}, Unlisted::missing)};
  };
  EXPECT_TRUE(has_labels({.train = "x.csv", .test = ""}, data({}), 0));
  EXPECT_FALSE(has_labels({.train = "x.tns", .test = ""}, data({}), 0));
  EXPECT_TRUE(has_labels({.train = "x.npz", .test = ""}, data({"Alien"}), 0));
  Dataset table = data({});
  table.is_labelled = true;
  EXPECT_TRUE(has_labels({.train = "x.tns", .test = ""}, table, 0));
}

}  // namespace
}  // namespace tulle
