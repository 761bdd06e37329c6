#include "io/temporary_folder.hpp"

#include <tulle/base/error.hpp>
#include <tulle/job/completion_data.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

const std::string kRatings = "user,film,rating\nann,f1,5\nbob,f2,1\nann,f3,2\nbob,f1,4\n";

DataOptions ratings(const TemporaryFolder& folder, const std::string& text = kRatings) {
  DataOptions options{.train = folder.write("ratings.csv", text)};
  options.reading.columns = {"user", "film", "rating"};
  return options;
}

const DataPrivacy kUsers{.values = true, .positions = true, .user_mode = "user"};

std::string message_of(const DataOptions& options, const DataPrivacy& privacy) {
  try {
    options.check();
    read_completion_data(options, privacy, 1);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(CompletionData, OfUsersWhoComeAndGoNothingIsPublic) {
  const TemporaryFolder folder;
  DataOptions options = ratings(folder);
  options.public_modes = {{"film", folder.write("films.txt", "f1\nf2\n")}};
  const CompletionData data = read_completion_data(options, kUsers, 1);
  EXPECT_EQ(data.train_cells(), 3u);
  EXPECT_EQ(data.dropped, 1u);
  EXPECT_EQ(data.public_modes[0], (Mode{"user", {}, true}));
  EXPECT_EQ(data.public_modes[1], (Mode{"film", {"f1", "f2"}}));
  EXPECT_EQ(data.public_facts,
            std::vector<std::string>{"the positions of mode film (a list of the owner's)"});
}

TEST(CompletionData, UnderReplaceAllPositionsArePublic) {
  const TemporaryFolder folder;
  const CompletionData data = read_completion_data(ratings(folder), {.values = true}, 1);
  EXPECT_EQ(data.public_modes, data.modes);
  EXPECT_EQ(data.public_facts, std::vector<std::string>{"which cells are observed, and their labels"});
}

TEST(CompletionData, SaysHowRowsWereMerged) {
  const TemporaryFolder folder;
  DataOptions options = ratings(folder, kRatings + "ann,f1,1\n");
  options.reading.duplicates = Duplicates::mean;
  const CompletionData data = read_completion_data(options, {.values = true}, 1);
  EXPECT_EQ(data.merged_rows, 1u);
  EXPECT_TRUE(data.public_facts.back().starts_with("duplicates: mean")) << data.public_facts.back();
}

TEST(CompletionData, HoldsOutAndValidates) {
  const TemporaryFolder folder;
  DataOptions options = ratings(folder);
  options.holdout = options.validation = 0.5;
  const CompletionData data = read_completion_data(options, {}, 1);
  EXPECT_EQ(data.train_cells() + data.test->size() + data.validation->size(), 4u);
  EXPECT_EQ(data.test->size(), 2u);
}

TEST(CompletionData, RefusesWhatIsNotStated) {
  const TemporaryFolder folder;
  DataOptions options = ratings(folder);
  EXPECT_EQ(message_of(options, kUsers),
            "under add-remove the positions of mode film are private; give their public list "
            "(DataOptions::public_modes MODE=FILE), or state that those found in the data are public "
            "(DataOptions::public_modes MODE)");
  options.public_modes = {{"film", ""}, {"2", ""}};
  EXPECT_EQ(message_of(options, kUsers), "mode 2 is stated to be public twice; state it once");
  options.public_modes = {{"user", ""}, {"film", ""}};
  EXPECT_NE(message_of(options, kUsers).find("who the users are stays private"), std::string::npos);
  EXPECT_NE(message_of(options, {.values = true}).find("under relation add-remove"), std::string::npos);
  options.crop = Shape{1, 1};
  EXPECT_NE(message_of(options, kUsers).find("would cut off users"), std::string::npos);
}

TEST(CompletionData, RefusesPartsThatCannotBe) {
  const TemporaryFolder folder;
  DataOptions options = ratings(folder);
  options.holdout = 1.5;
  EXPECT_NE(message_of(options, {}).find("a fraction of 1.5"), std::string::npos);
  options.holdout = 0.5;
  options.test = options.train;
  EXPECT_NE(message_of(options, {}).find("not both"), std::string::npos);
  options.holdout.reset();
  options.clamp = Range{3, 3};
  EXPECT_NE(message_of(options, {}).find("LOW < HIGH"), std::string::npos);
}

}  // namespace
}  // namespace tulle
