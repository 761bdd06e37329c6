// A completion asked for by a C++ program, as by the other doors.
#include <tulle/base/error.hpp>
#include <tulle/job/completion/request.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace tulle {
namespace {

using ::testing::HasSubstr;

class Request : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "ratings.csv")
        << "user,film,rating\nann,Alien,2\nbob,Brazil,4\ncid,Cube,5\nann,Cube,1\n";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  CompletionOptions private_run() const {
    CompletionOptions options;
    options.data.train = (folder_ / "ratings.csv").string();
    options.method = "input";
    options.fit.ranks = {1};
    options.privacy.epsilon = 1;
    options.privacy.range = Range{1, 5};
    options.seed = 1;
    return options;
  }

  std::filesystem::path folder_;
};

std::string refusal(const CompletionOptions& options) {
  try {
    CompletionRequest request(options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no refusal";
}

TEST_F(Request, RunsAndSaysWhatIsPublic) {
  CompletionRequest request(private_run());
  const CompletionOutcome outcome = request.run({});
  EXPECT_THAT(sentence(outcome.completion.guarantee),
              HasSubstr("any one entry under replace; public: which cells are observed"));
  EXPECT_EQ(outcome.train_cells, 4u);
}

TEST_F(Request, IsCheckedAsAWhole) {
  CompletionOptions options = private_run();
  options.privacy.range.reset();
  EXPECT_THAT(refusal(options), HasSubstr("a private run needs range LOW:HIGH"));
  options = private_run();
  options.privacy.epsilon.reset();
  EXPECT_THAT(refusal(options), HasSubstr("give epsilon E"));
  options = private_run();
  options.privacy.unit = Unit::user;
  EXPECT_THAT(refusal(options), HasSubstr("user-mode"));
  options = private_run();
  options.data.validation = 0.2;
  EXPECT_THAT(refusal(options), HasSubstr("looked at without a charge"));
  options = private_run();
  options.privacy.relation = Relation::add_remove;
  options.data.reading.header = true;
  EXPECT_THAT(refusal(options), HasSubstr("the positions of mode user are private"));
  options = private_run();
  options.user_output = (folder_ / "own.npz").string();
  EXPECT_THAT(refusal(options), HasSubstr("joint privacy"));
  options = private_run();
  options.fit.block_size = 2;
  EXPECT_THAT(refusal(options), HasSubstr("method input needs the data of all units together"));
}

// The reader gets its privacy from the terms: nobody states it twice.
TEST_F(Request, ReadsWhatItsTermsKeepPrivate) {
  CompletionOptions options = private_run();
  options.method = "als";
  options.privacy.delta = 1e-3;
  options.privacy.unit = Unit::user;
  options.privacy.user_mode = "user";
  options.data.public_modes = {{"film", ""}};
  CompletionRequest request(options);
  EXPECT_TRUE(request.data().privacy.positions);
  EXPECT_EQ(published_model(request.job(), request.run({}), request.data()).modes[0].labels,
            std::vector<std::string>());
}

TEST_F(Request, OfARunThatIsStoppedChargesNobody) {
  const std::string place = (folder_ / "ledger.db").string();
  Ledger ledger = Ledger::open_or_make(place);
  ledger.create({.name = "a", .unit = Unit::entry, .relation = Relation::replace});
  ledger.grant("a", {.epsilon = 9, .delta = 0}, "all");
  CompletionOptions options = private_run();
  options.seed.reset();
  options.ledger = {.ledger = place, .account = "a"};
  std::string left;
  const Watcher stopped{.when_interrupted = [&](const std::string& what) { left = what; },
                        .stopped = [] { return true; }};
  EXPECT_THROW(CompletionRequest(options).run(stopped), Error);
  EXPECT_EQ(ledger.statement("a").spent, 0);
  CompletionRequest(options).run({});
  EXPECT_GT(ledger.statement("a").spent, 0.9);
  EXPECT_THAT(left, HasSubstr("nothing was written"));
}

TEST_F(Request, TellsTheOwnerBeforeTheCharge) {
  std::ofstream(folder_ / "ratings.csv") << "user,film,rating\nann,Alien,2\nbob,Brazil,99\n";
  std::vector<std::string> told;
  const Watcher watcher{.tell_owner = [&](const std::string& note) { told.push_back(note); }};
  CompletionOptions options = private_run();
  options.ledger.accept_losses = true;
  CompletionRequest(options).run(watcher);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_THAT(told[0], HasSubstr("lie outside of the range"));
  EXPECT_THAT(told[0], HasSubstr("99 at user bob, film Brazil"));
}

TEST_F(Request, StopsWhereTheRangeTakesMuchOfTheDataUnlessThatIsAccepted) {
  std::ofstream(folder_ / "ratings.csv") << "user,film,rating\nann,Alien,2\nbob,Brazil,99\n";
  CompletionOptions options = private_run();
  EXPECT_THROW(CompletionRequest request(options), Error);
  options.ledger.most_lost = 0.1;
  EXPECT_THROW(CompletionRequest request(options), Error);
  options.ledger.most_lost = 0.5;
  EXPECT_NO_THROW(CompletionRequest request(options));
  options.ledger.accept_losses = true;
  EXPECT_THROW(CompletionRequest request(options), UsageError) << "one or the other";
  options.ledger.most_lost.reset();
  options.privacy.calibration = Calibration::published;
  options.ledger.accept_losses = false;
  EXPECT_NO_THROW(CompletionRequest request(options)) << "a form that proves nothing wastes nothing";
}

}  // namespace
}  // namespace tulle
