#include "ledger/chain.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/account/event_text.hpp>
#include <tulle/privacy/account/filter.hpp>
#include <tulle/privacy/curator.hpp>
#include <tulle/privacy/ledger/fingerprint.hpp>
#include <tulle/privacy/ledger/ledger.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>

namespace tulle {
namespace {

using ::testing::HasSubstr;

// A run that plans these releases, for what with_grant() makes.
Curator run_of(const std::vector<Event>& releases, Unit unit = Unit::user,
               Relation relation = Relation::add_remove, const std::string& mode = "person") {
  Curator run = Curator::with_budget({100, 0.1}, unit, relation);
  if (unit == Unit::user) run.set_scope({.mode = mode});
  run.plan(releases);
  return run;
}

Curator pure_run(const Budget& budget, RandomBits bits = RandomBits::secure()) {
  Curator run = Curator::with_budget(budget, Unit::user, Relation::add_remove, std::move(bits));
  run.set_scope({.mode = "person"});
  return run;
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class LedgerTest : public testing::Test {
 protected:
  LedgerTest()
      : folder_(std::filesystem::temp_directory_path() /
                fmt::format("tulle-ledger-{}-{}", getpid(), count_++)) {
    std::filesystem::create_directory(folder_);
  }
  ~LedgerTest() override { std::filesystem::remove_all(folder_); }

  std::string path() const { return folder_ / "ledger.db"; }

  Ledger with_grant(double epsilon, double delta = 0) {
    Ledger ledger = Ledger::open_or_make(path());
    ledger.create({"ratings", "", Unit::user, Relation::add_remove, "person"});
    ledger.grant("ratings", {epsilon, delta}, "for a test");
    return ledger;
  }

  void tamper(const std::string& command) {
    sqlite3* database = nullptr;
    sqlite3_open(path().c_str(), &database);
    ASSERT_EQ(sqlite3_exec(database, command.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
  }

 private:
  static inline int count_ = 0;
  std::filesystem::path folder_;
};

TEST_F(LedgerTest, RemembersAcrossOpenings) {
  with_grant(1).charge("ratings", run_of({Event::pure(0.25).times(2)}), "a run");
  const LedgerStatement statement = Ledger::open(path()).statement("ratings");
  EXPECT_EQ(statement.granted.epsilon, 1);
  EXPECT_DOUBLE_EQ(statement.spent, 0.5);
  ASSERT_EQ(statement.charges.size(), 1u);
  EXPECT_EQ(statement.charges[0].what, "a run");
  EXPECT_FALSE(statement.charges[0].delivered);
  EXPECT_EQ(statement.account.unit, Unit::user);
}

TEST_F(LedgerTest, DeliveryIsASecondRow) {
  Ledger ledger = with_grant(1);
  const auto first = ledger.charge("ratings", run_of({Event::pure(0.25)}), "first");
  ledger.charge("ratings", run_of({Event::pure(0.25)}), "second");
  ledger.deliver(first);
  const auto charges = ledger.statement("ratings").charges;
  EXPECT_TRUE(charges[0].delivered);
  EXPECT_FALSE(charges[1].delivered);
  EXPECT_DOUBLE_EQ(ledger.statement("ratings").spent, 0.5);  // charged counts, delivered or not
  EXPECT_THROW(ledger.deliver(1), Error);
}

TEST_F(LedgerTest, RefusesWhatIsNotGrantedAndRecordsNothing) {
  Ledger ledger = with_grant(1);
  ledger.charge("ratings", run_of({Event::pure(0.75)}), "most of it");
  const auto before = ledger.history();
  EXPECT_THROW(ledger.charge("ratings", run_of({Event::pure(0.5)}), "too much"), Error);
  EXPECT_EQ(ledger.history(), before);
  EXPECT_THROW(ledger.charge("ratings", run_of({Event::pure(0.25 * (1 + 1e-12))}), "a little more"), Error);
  ledger.charge("ratings", run_of({Event::pure(0.25)}), "the rest");
}

TEST_F(LedgerTest, ComposesRatherThanAddsUp) {
  Ledger ledger = with_grant(2, 1e-6);
  const Event run = Event::gaussian(10);
  const double once = epsilon_upper(std::vector{run}, Relation::add_remove, 1e-6).value;
  for (int i = 0; i < 9; ++i) ledger.charge("ratings", run_of({run}), "a run");
  EXPECT_LT(ledger.statement("ratings").spent, 4 * once);
}

// A run may have all of what was granted: the filter for several runs, which halves delta, is not needed for
// one.
TEST_F(LedgerTest, OneRunMaySpendTheWholeGrant) {
  constexpr double kDelta = 1e-5;
  for (const Event& run :
       {Event::gaussian(4), Event::gaussian(1.5).sampled(PoissonSampler(0.01).sampling()).times(300)}) {
    const double alone = epsilon_upper(std::vector{run}, Relation::add_remove, kDelta).value;
    Ledger ledger = with_grant(alone, kDelta);
    EXPECT_GT(adaptive_epsilon_upper(std::vector{run}, Relation::add_remove, alone, kDelta).value, alone);
    EXPECT_EQ(ledger.statement("ratings").spent, 0);
    ledger.charge("ratings", run_of({run}), "all of it");
    EXPECT_DOUBLE_EQ(ledger.statement("ratings").spent, alone);
    EXPECT_THROW(ledger.charge("ratings", run_of({Event::pure(1e-9)}), "a little more"), Error);
    std::filesystem::remove(path());
  }
}

TEST_F(LedgerTest, OneRunMaySpendNoMoreThanTheGrant) {
  const Event run = Event::gaussian(4);
  const double alone = epsilon_upper(std::vector{run}, Relation::add_remove, 1e-5).value;
  Ledger ledger = with_grant(alone * (1 - 1e-6), 1e-5);
  EXPECT_THROW(ledger.charge("ratings", run_of({run}), "too much"), Error);
  ledger.charge("ratings", run_of({Event::pure(alone / 100)}), "a little");
  ledger.grant("ratings", {alone / 50, 0}, "enough for a first run, not for the second");
  EXPECT_THROW(ledger.charge("ratings", run_of({run}), "the whole of it"), Error);
}

// A grant of many parts: before the first charge a checkpoint sums them up, which is no charge.
TEST_F(LedgerTest, OneRunMaySpendTheWholeOfManyGrants) {
  const Event run = Event::gaussian(4);
  const double alone = epsilon_upper(std::vector{run}, Relation::add_remove, 0x1p-16).value;
  Ledger ledger = with_grant(alone, 0x1p-17);
  for (int i = 0; i < 64; ++i) ledger.grant("ratings", {0, 0x1p-23}, "a part");
  ledger.charge("ratings", run_of({run}), "all of it");
  ASSERT_EQ(ledger.history("ratings")[66].kind, "checkpoint");
  EXPECT_DOUBLE_EQ(ledger.statement("ratings").spent, alone);
  EXPECT_THROW(ledger.charge("ratings", run_of({Event::pure(1e-9)}), "a little more"), Error);
}

TEST_F(LedgerTest, GrantsAddUp) {
  Ledger ledger = with_grant(1, 1e-6);
  ledger.grant("ratings", {0.5, 1e-6}, "more");
  EXPECT_EQ(ledger.statement("ratings").granted.epsilon, 1.5);
  EXPECT_EQ(ledger.statement("ratings").granted.delta, 2e-6);
  EXPECT_THROW(ledger.grant("ratings", {-1, 0}, ""), Error);
  EXPECT_THROW(ledger.grant("nobody", {1, 0}, ""), Error);
}

TEST_F(LedgerTest, KeepsDataSetsApart) {
  Ledger ledger = with_grant(1);
  ledger.create({"flows", "", Unit::entry, Relation::replace});
  EXPECT_THROW(ledger.create({"flows", "", Unit::entry, Relation::replace}), Error);
  EXPECT_THROW(
      ledger.charge("flows", run_of({Event::pure(0.1)}, Unit::entry, Relation::replace), "nothing granted"),
      Error);
  EXPECT_EQ(ledger.accounts(), (std::vector<std::string>{"ratings", "flows"}));
  EXPECT_EQ(ledger.history("flows").size(), 1u);
}

TEST_F(LedgerTest, RefusesOtherData) {
  Ledger ledger = Ledger::open_or_make(path());
  ledger.create({"ratings", "abc", Unit::user, Relation::add_remove, "person"});
  ledger.grant("ratings", {1, 0}, "");
  EXPECT_THROW(ledger.charge("ratings", run_of({Event::pure(0.1)}), "other data", "xyz"), Error);
  ledger.charge("ratings", run_of({Event::pure(0.1)}), "its data", "abc");
}

// An account of two tables is charged for both, in any order, and for one of them; not for a third.
TEST_F(LedgerTest, AnAccountOfSeveralTablesIsForThemAndNoOthers) {
  std::vector<std::string> files;
  for (const char* text : {"1 1 5", "1 2 3", "1 2 4"}) {
    files.push_back(fmt::format("{}.{}", path(), files.size()));
    std::ofstream(files.back()) << text;
  }
  const auto of = [&](const std::vector<std::size_t>& tables) {
    std::vector<std::string> paths;
    for (const std::size_t table : tables) paths.push_back(files[table]);
    return fingerprint_of_files(paths);
  };
  EXPECT_EQ(of({0}), fingerprint_of_file(files[0])) << "as before there were several";
  EXPECT_EQ(of({0, 1, 1}), of({1, 0}));
  Ledger ledger = Ledger::open_or_make(path());
  ledger.create({"tables", of({0, 1}), Unit::user, Relation::add_remove, "person"});
  ledger.grant("tables", {1, 0}, "");
  const auto charged = [&](const std::vector<std::size_t>& tables) {
    return refusal([&] { ledger.charge("tables", run_of({Event::pure(0.1)}), "run", of(tables)); });
  };
  for (const std::vector<std::size_t>& tables : {std::vector<std::size_t>{0, 1}, {1, 0}, {0}, {1}})
    EXPECT_EQ(charged(tables), "no error");
  EXPECT_THAT(charged({0, 2}), HasSubstr("not those of 'tables'")) << "the second table is another one";
  EXPECT_THAT(charged({2}), HasSubstr("not those of 'tables'"));
  ledger.create({"one", of({1}), Unit::user, Relation::add_remove, "person"});
  ledger.grant("one", {1, 0}, "");
  EXPECT_THROW(ledger.check_charge("one", run_of({Event::pure(0.1)}), of({0, 1})), Error);
  EXPECT_NO_THROW(ledger.check_charge("one", run_of({Event::pure(0.1)}), of({1})));
}

// A name may hold a line end, and a file may hold a list of files: neither passes for other files.
TEST_F(LedgerTest, AFolderHasTheFingerprintOfNoOtherFolderAndOfNoFile) {
  const std::filesystem::path folder = path() + ".files";
  std::filesystem::create_directories(folder);
  const auto written = [&](const std::string& name, const std::string& bytes) {
    std::ofstream(folder / name) << bytes;
    return (folder / name).string();
  };
  const std::string one = written("1.txt", "one"), two = written("2.txt", "two");
  const std::string of_one = fingerprint_of_file(one), of_two = fingerprint_of_file(two);
  const std::string both_in_a_name = written(fmt::format("1.txt\n{}  2.txt", of_two), "one");
  const std::string both = fingerprint_of_folder({one, two});
  EXPECT_EQ(both.size(), 64u);
  EXPECT_NE(both, fingerprint_of_folder({both_in_a_name}));
  for (const std::string& list : {fmt::format("{}  1.txt\n{}  2.txt\n", of_one, of_two),
                                  fmt::format("tulle folder;5:1.txt;64:{};5:2.txt;64:{};", of_one, of_two)})
    EXPECT_NE(both, fingerprint_of_file(written("list", list))) << list;
  std::filesystem::remove_all(folder);
}

TEST_F(LedgerTest, FindsEveryKindOfEdit) {
  for (const char* edit :
       {"UPDATE ledger SET content = replace(content, '0.25', '0.01') WHERE number = 3",
        "UPDATE ledger SET time = '1999-01-01T00:00:00Z' WHERE number = 2",
        "DELETE FROM ledger WHERE number = 2", "UPDATE ledger SET hash = previous WHERE number = 4",
        "UPDATE ledger SET account = 'flows' WHERE number = 3"}) {
    std::filesystem::remove(path());
    Ledger ledger = with_grant(1);
    ledger.charge("ratings", run_of({Event::pure(0.25)}), "a run");
    ledger.charge("ratings", run_of({Event::pure(0.25)}), "a run");
    EXPECT_EQ(ledger.verify(), 4u);
    tamper(edit);
    EXPECT_THROW(Ledger::open(path()).verify(), Error) << edit;
  }
}

TEST_F(LedgerTest, FindsRowsDroppedFromTheEndByTheHeadThatWasNoted) {
  Ledger ledger = with_grant(1);
  ledger.charge("ratings", run_of({Event::pure(0.25)}), "a run");
  const std::string head = ledger.statement("ratings").head;
  ledger.charge("ratings", run_of({Event::pure(0.25)}), "another");
  EXPECT_EQ(ledger.verify(head), 4u);
  tamper("DELETE FROM ledger WHERE number >= 3");
  EXPECT_EQ(ledger.verify(), 2u);
  EXPECT_THROW(ledger.verify(head), Error);
}

TEST_F(LedgerTest, RefusesASeededRunAndSaysWhy) {
  Ledger ledger = with_grant(1);
  const Curator seeded = pure_run({0.5, 0}, RandomBits::seeded(1));
  const auto before = ledger.history();
  try {
    ledger.charge("ratings", seeded, "a seeded run");
    FAIL() << "a seeded run was charged";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("reproducible, not private"), std::string::npos);
    EXPECT_NE(message.find("without a seed"), std::string::npos);
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
  EXPECT_EQ(ledger.history(), before);
}

TEST_F(LedgerTest, RefusesRunsThatItCannotAddUp) {
  Ledger ledger = with_grant(1, 1e-6);
  EXPECT_THROW(ledger.charge("ratings", run_of({Event::pure(0.1)}, Unit::entry), "another unit"), Error);
  EXPECT_THROW(ledger.charge("ratings", run_of({Event::pure(0.1)}, Unit::user, Relation::zero_out),
                             "another relation"),
               Error);
  EXPECT_THROW(ledger.charge("ratings", Curator::without_privacy(), "no noise"), Error);
  EXPECT_THROW(ledger.charge("ratings",
                             Curator::as_published({"a paper", {1, 0}, "its range is private"}, Unit::user,
                                                   Relation::add_remove),
                             "a claim"),
               Error);
  EXPECT_THROW(ledger.charge("ratings", pure_run({0.1, 1e-7}), "no plan"), Error);
  ledger.charge("ratings", pure_run({0.1, 0}), "a pure budget");
  EXPECT_DOUBLE_EQ(ledger.statement("ratings").spent, 0.1);
}

// Losses of users of one mode and of users of another add up to a number that is true for nobody.
TEST_F(LedgerTest, RefusesUsersOfAnotherMode) {
  Ledger ledger = with_grant(1);
  const auto of_mode = [](const std::string& mode) {
    return run_of({Event::pure(0.1)}, Unit::user, Relation::add_remove, mode);
  };
  const auto before = ledger.history();
  EXPECT_NE(refusal([&] { ledger.charge("ratings", of_mode("film"), "a run"); }).find("users of mode film"),
            std::string::npos);
  EXPECT_NE(refusal([&] { ledger.charge("ratings", of_mode(""), "a run"); }).find("does not name its mode"),
            std::string::npos);
  EXPECT_EQ(ledger.history(), before);
  ledger.charge("ratings", of_mode("person"), "a run");
  EXPECT_EQ(ledger.statement("ratings").account.mode, "person");
  EXPECT_NE(refusal([&] {
              ledger.create({"films", "", Unit::user, Relation::replace});
            }).find("go together"),
            std::string::npos);
  EXPECT_NE(refusal([&] {
              ledger.create({"cells", "", Unit::entry, Relation::replace, "film"});
            }).find("go together"),
            std::string::npos);
}

// A ledger as it was written before accounts named a mode, with its hash.
TEST_F(LedgerTest, AnAccountForUsersWithoutAModeOpensButIsNotCharged) {
  Ledger::open_or_make(path());
  LedgerRow row = next_row({}, "ratings", "create",
                           "{\"fingerprint\":\"\",\"unit\":\"user\",\"relation\":\"add-remove\"}");
  tamper(fmt::format("INSERT INTO ledger VALUES (1, '{}', 'ratings', 'create', '{}', '{}', '{}')", row.time,
                     row.content, row.previous, row.hash));
  Ledger ledger = Ledger::open(path());
  EXPECT_EQ(ledger.verify(), 1u);
  EXPECT_EQ(ledger.statement("ratings").account.mode, "");
  ledger.grant("ratings", {1, 0}, "");
  const std::string message = refusal([&] { ledger.charge("ratings", run_of({Event::pure(0.1)}), "a run"); });
  EXPECT_NE(message.find("does not say which mode"), std::string::npos) << message;
  EXPECT_NE(message.find("create an account that does"), std::string::npos) << message;
}

// Beyond 64 rows a checkpoint states the balance: it must be the same as that of all rows, and a forged one
// must be found.
TEST_F(LedgerTest, CheckpointsStandForTheRowsBeforeThem) {
  Ledger ledger = with_grant(1);
  ledger.create({"flows", "", Unit::user, Relation::add_remove, "person"});
  ledger.grant("flows", {1, 0}, "");
  const Curator one = run_of({Event::pure(0.001).times(2)}), other = run_of({Event::laplace(250)});
  for (int i = 0; i < 75; ++i) {
    ledger.charge("ratings", i % 2 ? one : other, "a run");
    ledger.deliver(ledger.charge("ratings", one, "a run"));
    if (i % 10 == 0) ledger.charge("flows", one, "another");
  }
  const auto rows = ledger.history("ratings");
  const auto is_checkpoint = [](const LedgerRow& row) { return row.kind == "checkpoint"; };
  EXPECT_EQ(std::count_if(rows.begin(), rows.end(), is_checkpoint), 3);
  EXPECT_EQ(ledger.verify(), ledger.history().size());
  const LedgerStatement statement = ledger.statement("ratings");
  EXPECT_EQ(statement.charges.size(), 150u);
  EXPECT_EQ(statement.granted.epsilon, 1);
  EXPECT_NEAR(statement.spent, (75 + 37) * 0.002 + 38 * 0.004, 1e-12);
  // What is left can be spent to the end and no further.
  const double left = 1 - statement.spent;
  EXPECT_THROW(ledger.charge("ratings", run_of({Event::pure(left * 1.001)}), "too much"), Error);
  ledger.charge("ratings", run_of({Event::pure(left)}), "the rest");
}

// A checkpoint that states less than was spent, in a chain whose hashes are all as they should be: whoever
// can write the file can write such a chain. Only adding the rows up again finds it.
TEST_F(LedgerTest, FindsAForgedCheckpointInAChainThatHoldsTogether) {
  Ledger ledger = with_grant(1);
  for (int i = 0; i < 70; ++i) ledger.charge("ratings", run_of({Event::pure(0.01)}), "a run");
  std::vector<LedgerRow> rows = ledger.history();
  const auto forged = std::ranges::find(rows, std::string("checkpoint"), &LedgerRow::kind);
  ASSERT_NE(forged, rows.end());
  const std::size_t count = forged->content.find("\"count\":");
  ASSERT_NE(count, std::string::npos) << forged->content;
  forged->content.replace(forged->content.find_first_of("0123456789", count), 2, "1");
  std::optional<LedgerRow> last;
  for (LedgerRow& row : rows) {
    row = next_row(last, row.account, row.kind, row.content);
    tamper(fmt::format(
        "UPDATE ledger SET time = '{}', content = '{}', previous = '{}', hash = '{}' WHERE number = {}",
        row.time, row.content, row.previous, row.hash, row.number));
    last = row;
  }
  EXPECT_NO_THROW(check_chain(rows));
  EXPECT_LT(ledger.statement("ratings").spent, 0.7) << "the forgery works";
  EXPECT_EQ(refusal([&] { ledger.verify(); }),
            fmt::format("ledger: row {} (checkpoint of ratings) is not what the rows before it add up to; it "
                        "was forged",
                        forged->number));
}

// A charge reads few rows, and checks those.
TEST_F(LedgerTest, AChargeFindsAnEditedRowAmongThoseItReads) {
  Ledger ledger = with_grant(1);
  ledger.charge("ratings", run_of({Event::pure(0.5)}), "half of it");
  tamper("UPDATE ledger SET content = replace(content, '0.5', '0.1') WHERE number = 3");
  EXPECT_THROW(ledger.charge("ratings", run_of({Event::pure(0.75)}), "too much"), Error);
}

TEST_F(LedgerTest, IsNotMadeByLookingAtIt) {
  EXPECT_NE(refusal([&] { Ledger::open(path()); }).find("there is no ledger"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path()));
  std::ofstream(path()).close();
  EXPECT_NE(refusal([&] { Ledger::open(path()); }).find("there is no ledger"), std::string::npos);
  EXPECT_EQ(std::filesystem::file_size(path()), 0u);
  EXPECT_THROW(Ledger::open_or_make(":memory:"), UsageError);
  EXPECT_THROW(Ledger::open_or_make(""), UsageError);
}

// Whatever the umask, and the journal too: it holds rows while they are written.
TEST_F(LedgerTest, IsForItsOwnerAlone) {
  const mode_t before = umask(0);
  Ledger ledger = with_grant(1);
  const auto rights = [](const std::string& file) { return std::filesystem::status(file).permissions(); };
  constexpr auto kOwner = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
  EXPECT_EQ(rights(path()), kOwner);
  // A run that is charged for while its journal is there.
  sqlite3* database = nullptr;
  sqlite3_open(path().c_str(), &database);
  EXPECT_EQ(sqlite3_exec(database, "BEGIN IMMEDIATE; DELETE FROM ledger", nullptr, nullptr, nullptr),
            SQLITE_OK);
  EXPECT_EQ(rights(path() + "-journal"), kOwner);
  sqlite3_close(database);
  umask(before);
}

TEST(LedgerAddress, IsShownWithoutItsPassword) {
  for (const char* address :
       {"postgresql://me:secret@host:port/base", "postgresql://me:se/cret@host/base",
        "postgresql://me:x@secret@host/base", "postgresql://me:%secret@host/base",
        "postgresql://me@host/base?password=secret&port=none", "postgresql://me:secret@[::1/base",
        "postgresq://me:secret@host/base", "postgresql:/me:secret@host/base", "mysql://me:x:secret@host/base",
        "/no/such/folder/password=secret"}) {
    const std::string message = refusal([&] { Ledger::open(address); });
    EXPECT_NE(message, "no error");
    EXPECT_EQ(message.find("secret"), std::string::npos) << message;
    EXPECT_EQ(message.find("cret"), std::string::npos) << message;
  }
}

TEST_F(LedgerTest, SaysWhenTheFileIsNoLedger) {
  std::ofstream(path()) << "this is no database, and long enough to look at in full: "
                        << std::string(200, 'x');
  EXPECT_THROW(Ledger::open(path()), Error);
}

TEST(EventText, ComesBackTheSame) {
  const std::vector<Event> events = {Event::gaussian(1.1).sampled(PoissonSampling::what_if(0.01)).times(100),
                                     Event::laplace(2.5),
                                     Event::discrete_gaussian(1000.5, 10, 3),
                                     Event::discrete_laplace(50, 4),
                                     Event::pure(0.1),
                                     Event::approximate(0.5, 1e-9),
                                     Event::gaussian(3).sampled(FixedBatch(10, 1000))};
  EXPECT_EQ(events_from_json(to_json(events)), events);
  EXPECT_THROW(events_from_json("[{\"mechanism\": \"gaussian\", \"noise_multiplier\": -1, \"count\": 1}]"),
               Error);
  EXPECT_THROW(events_from_json("[{\"mechanism\": \"magic\", \"count\": 1}]"), Error);
  EXPECT_THROW(events_from_json("nonsense"), Error);
}

}  // namespace
}  // namespace tulle
