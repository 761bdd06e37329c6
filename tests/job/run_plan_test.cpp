#include "io/temporary_folder.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/job/classification/request.hpp>
#include <tulle/job/completion/request.hpp>
#include <tulle/job/counts/request.hpp>
#include <tulle/job/topics/request.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

std::string table(int change) {
  std::string text = "user,film,stars\n";
  for (int user = 0; user < 12; ++user)
    for (int film = 0; film < 6; ++film)
      text += fmt::format("u{},f{},{}\n", user, film, 1 + (user + film + change) % 5);
  return text;
}

CompletionOptions asked(const std::string& path) {
  CompletionOptions options;
  options.data.train = path;
  options.method = "input";
  options.privacy.epsilon = 1;
  options.privacy.range = Range{1, 5};
  options.seed = 1;
  return options;
}

TEST(RunPlan, HasTheReleasesOfTheRunAndNothingOfTheData) {
  const TemporaryFolder folder;
  const RunPlan plan = CompletionRequest(asked(folder.write("a.csv", table(0)))).plan();
  const RunPlan other = CompletionRequest(asked(folder.write("b.csv", table(1)))).plan();
  EXPECT_EQ(to_json(plan.guarantee), to_json(other.guarantee));
  CompletionRequest request(asked(folder / "a.csv"));
  const Guarantee made = request.run({}).completion.guarantee;
  ASSERT_EQ(plan.guarantee.releases.size(), made.releases.size());
  EXPECT_EQ(plan.guarantee.releases[0].what, made.releases[0].what);
  EXPECT_EQ(plan.guarantee.releases[0].deviation, made.releases[0].deviation);
  EXPECT_FALSE(plan.account);
}

TEST(RunPlan, IsOfAPrivateRun) {
  const TemporaryFolder folder;
  CompletionOptions plain = asked(folder.write("a.csv", table(0)));
  plain.method = "plain";
  plain.privacy = {};
  EXPECT_THROW(CompletionRequest(plain).plan(), UsageError);
}

// Its data are gone then. A second call would charge for none.
TEST(RunPlan, OrRunIsOneOfARequest) {
  const TemporaryFolder folder;
  CompletionRequest planned(asked(folder.write("a.csv", table(0))));
  planned.plan();
  EXPECT_THROW(planned.run({}), UsageError);
  CompletionRequest made(asked(folder / "a.csv"));
  made.run({});
  EXPECT_THROW(made.run({}), UsageError);
  EXPECT_THROW(made.plan(), UsageError);

  CountOptions counts;
  counts.data.train = folder.write("events.tns", "1 1 5\n");
  counts.data.reading.shape = Shape{2, 2};
  counts.privacy.epsilon = 1;
  CountsRequest events(counts);
  events.plan();
  EXPECT_THROW(events.run({}), UsageError);

  TopicsOptions topics;
  topics.input = folder.write("words.txt", "1 2\n2 1\n");
  topics.topics = 1;
  topics.words = 2;
  topics.privacy.epsilon = 1;
  TopicsRequest documents(topics);
  documents.plan();
  EXPECT_THROW(documents.run({}), UsageError);

  ClassifierOptions classes;
  classes.train = folder.write("rows.csv", "x,y,label\n0.5,0.25,0\n0.25,0.5,1\n");
  classes.file.header = true;
  classes.classes = "2";
  classes.range = Range{0, 1};
  classes.privacy.epsilon = 1;
  classes.privacy.delta = 1e-3;
  ClassifierRequest examples(classes);
  examples.plan();
  EXPECT_THROW(examples.run({}), UsageError);
  EXPECT_THROW(examples.plan(), UsageError);
}

// A range that takes much of the data stops a request before it can be charged or planned.
TEST(RunPlan, IsOfARequestThatLosesLittle) {
  const TemporaryFolder folder;
  CompletionOptions options = asked(folder.write("a.csv", table(0)));
  options.privacy.range = Range{1, 3};
  EXPECT_THROW(CompletionRequest{options}, Error);
  options.ledger.accept_losses = true;
  EXPECT_EQ(CompletionRequest(options).plan().owner_notes.size(), 1u);
}

}  // namespace
}  // namespace tulle
