// What a guarantee rests on, asked of a C++ program's doors: a test for each row of docs/guarantee-checks.md.
// tests/cli/doors_test.py and tests/python/doors_test.py ask the same of the others.
#include <tulle/base/error.hpp>
#include <tulle/io/read_documents.hpp>
#include <tulle/job/classify.hpp>
#include <tulle/job/completion_run.hpp>
#include <tulle/job/counts/request.hpp>
#include <tulle/job/coupled/request.hpp>
#include <tulle/job/payment.hpp>
#include <tulle/job/warm_start.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace tulle {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Doors : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

  std::string ratings() const {
    return file("ratings.csv",
                "user,film,rating\nann,Alien,0.2\nbob,Brazil,0.4\ncid,Cube,0.9\nann,Cube,0.1\n");
  }

  std::filesystem::path folder_;
};

// What only a program can ask for.
using DoorsOfPrograms = Doors;

template <class Run>
std::string refusal(const Run& run) {
  try {
    run();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no refusal";
}

SparseTensor some_ratings() {
  SparseTensor cells(Shape{8, 6}, Unlisted::missing);
  for (Index i = 0; i < 8; ++i)
    for (Index j = 0; j < 6; ++j)
      if ((i + j) % 3 > 0) cells.append(std::array{i, j}, static_cast<float>(i + j) / 14);
  return cells;
}

CompletionJob entry_job(std::string method, std::optional<Relation> relation = {}) {
  return {.method = std::move(method),
          .terms = {.budget = {1, 1e-4}, .relation = relation, .range = {0, 1}},
          .fit = {.ranks = {1}, .seed = 1}};
}

CompletionJob removal_job() {
  return entry_job("input", Relation::add_remove);
}

CompletionJob job_of_users() {
  CompletionJob job = entry_job("als");
  job.terms.unit = Unit::user;
  return job;
}

DataOptions public_films(const std::string& path) {
  return {.train = path, .public_modes = {{"film", ""}}};
}

ClassificationJob classifier(std::optional<Relation> relation = {}) {
  ClassificationJob job{.method = "sgd"};
  job.terms.budget = {1, 1e-5};
  job.terms.relation = relation;
  job.terms.range = {0, 1};
  job.settings.set(setting::steps, 2).set(setting::sampling_rate, 1);
  job.options.hidden = std::vector<int>();
  return job;
}

TopicJob topics_job() {
  return {
      .method = "histogram", .terms = {.budget = {1, 0}, .unit = Unit::document}, .options = {.topics = 2}};
}

// A model that was fitted to the same data without privacy would carry them into the new one, and a mode that
// is held is published as it is.
TEST_F(Doors, WarmStartIsFromAModelOfWhichTheOwnerSaysWhyItMay) {
  const Completion plain = entry_job("plain").run(some_ratings());
  CompletionJob job = entry_job("one-shot");
  job.fit.ranks.clear();
  job.fit.held = {0};
  const auto from = [&](WarmStart start) {
    job.fit.from = std::move(start);
    return refusal([&] { job.run(some_ratings()); });
  };
  const auto model = std::make_shared<const Model>(plain.model);
  EXPECT_THAT(from(model), HasSubstr("the model has no guarantee that holds"));
  EXPECT_THAT(from(warm_start_of({.model = plain.model, .guarantee = to_json(plain.guarantee)}, "plain.npz")),
              HasSubstr("plain.npz: the model has no guarantee that holds"));
  EXPECT_EQ(from(WarmStart::stated_public(model)), "no refusal");
  EXPECT_THAT(sentence(job.run(some_ratings()).guarantee), HasSubstr("a model that is public"));
  const Completion first = entry_job("input").run(some_ratings());
  EXPECT_EQ(from(warm_start_of({.model = first.model, .guarantee = to_json(first.guarantee)}, "first.npz")),
            "no refusal");
  EXPECT_THAT(sentence(job.run(some_ratings()).guarantee), HasSubstr("warm start from a model with epsilon"));
}

TEST_F(Doors, PrivatePositionsAreThoseThatTheOwnerStates) {
  const CompletionJob job = removal_job();
  EXPECT_THAT(refusal([&] { job.run(some_ratings()); }), HasSubstr("state the public size of every mode"));
  EXPECT_THAT(refusal([&] { job.run(read(ratings())); }), HasSubstr("the labels of mode user are private"));
  EXPECT_THAT(refusal([&] { read_completion_data({.train = ratings()}, job); }), HasSubstr("state whether"));
  EXPECT_THAT(refusal([&] { read_completion_data(public_films(ratings()), job); }),
              HasSubstr("the positions of mode user are private"));
  EXPECT_EQ(shape(with_public_shape(job, {9, 4}).run(some_ratings()).model), Shape({9, 4}));
}

TEST_F(Doors, HiddenUsersAreNowhereInAModel) {
  const CompletionJob job = job_of_users();
  EXPECT_EQ(shape(with_public_shape(job, {8, 6}).run(some_ratings()).model), Shape({1, 6}));
  CompletionRun run(job, read_completion_data(public_films(ratings()), job));
  const CompletionOutcome outcome = run.run({}, {});
  const ModelFile saved = published_model(job, outcome, run.data());
  EXPECT_EQ(saved.modes[0], (Mode{"user", {}, true}));
  EXPECT_THAT(saved.guarantee, Not(HasSubstr("bob")));
}

TEST_F(Doors, HeaderIsStatedWhereTheFirstLineMayBePrivate) {
  const std::string unnamed = file("unnamed.csv", "1,1,0.5\n2,1,0.5\n");
  EXPECT_THAT(refusal([&] { read_completion_data({.train = unnamed}, removal_job()); }),
              HasSubstr("state whether it is (header)"));
  const DataOptions lists{.public_modes = {{"1", ""}, {"2", ""}}};
  EXPECT_THAT(refusal([&] { completion_data_of(read(unnamed), lists, privacy_of(removal_job()), 1); }),
              HasSubstr("was inferred from it"));
  EXPECT_NO_THROW(completion_data_of(read(unnamed, {.header = false}), lists, privacy_of(removal_job()), 1));
  const std::string examples = file("examples.csv", "0.1,0\n0.2,1\n");
  EXPECT_THAT(refusal([&] { reading_for(classifier(), examples, {.classes = 2}); }),
              HasSubstr("state whether it is (header)"));
  const LabelledFileOptions guessed{.classes = 2, .clamped = true};
  EXPECT_THAT(refusal([&] { classifier().run(read_labelled(examples, guessed)); }), HasSubstr("state"));
}

// What the reader makes public of data that it was not told to keep back would be in the model.
TEST_F(Doors, ReadForTheJobAreAllDataOfAPrivateRun) {
  for (const CompletionJob& job : {entry_job("input"), removal_job(), job_of_users()})
    EXPECT_THAT(refusal([&] { CompletionRun(job, read_completion_data({.train = ratings()}, {}, 1)); }),
                HasSubstr("were read for a weaker guarantee"));
  const CompletionJob users = job_of_users();
  DataOptions lists = public_films(ratings());
  lists.public_modes.push_back({"user", ""});
  EXPECT_THAT(refusal([&] { CompletionRun(users, read_completion_data(lists, removal_job())); }),
              HasSubstr("were read for a weaker guarantee than unit user under add-remove"))
      << "who the users are is public of these";
  EXPECT_NO_THROW(CompletionRun(entry_job("input"), read_completion_data(lists, removal_job())))
      << "stronger";
}

// Ten entries of a user at epsilon 5 are no guarantee of 5 for her.
TEST_F(DoorsOfPrograms, AWarmStartFromAGuaranteeForAnotherUnitIsRefused) {
  CompletionJob first = entry_job("input");
  const Completion entries = first.run(some_ratings());
  CompletionJob job = entry_job("input", Relation::replace);
  job.terms.unit = Unit::user;
  job.fit.from =
      warm_start_of({.model = entries.model, .guarantee = to_json(entries.guarantee)}, "first.npz");
  job.fit.held = {0};
  EXPECT_THAT(refusal([&] { job.run(some_ratings()); }),
              HasSubstr("does not bound what it knows of one user"));
}

TEST_F(DoorsOfPrograms, AUsersModeIsNotCalledAsAnotherOne) {
  for (const char* name : {"mode2", "2"}) {
    CompletionJob job = with_public_shape(job_of_users(), Shape{8, 6});
    job.terms.scope.mode = name;
    EXPECT_THAT(refusal([&] { job.run(some_ratings()); }), HasSubstr("which is the name of mode 2")) << name;
    job.terms.relation = Relation::zero_out;
    job.method = "gradient";
    EXPECT_THAT(refusal([&] { job.run(some_ratings()); }), HasSubstr("which is the name of mode 2")) << name;
  }
}

TEST_F(DoorsOfPrograms, FactsOfAStatedShapeDoNotReplaceThoseOfTheRelation) {
  CompletionJob job = entry_job("input");
  job.terms.shape = PublicShape{Shape{8, 6}, {"that there are 8 shops and 6 weeks"}};
  EXPECT_THAT(sentence(job.run(some_ratings()).guarantee),
              HasSubstr("which cells are observed, and their labels"));
}

TEST_F(DoorsOfPrograms, ATableIsRefusedForItsFormatNotForALineOfIt) {
  const ReadOptions stated{.header = true, .may_be_empty = true};
  const CompletionJob job = with_public_shape(removal_job(), Shape{3, 3});
  for (const char* lines : {"", "ann,Alien,0.5\n"}) {
    const std::string path = file("log.csv", fmt::format("user,film,rating\n{}", lines));
    EXPECT_THAT(refusal([&] { job.run(read(path, stated)); }),
                HasSubstr("the labels of mode user are private"))
        << lines;
  }
}

TEST_F(DoorsOfPrograms, NamesOfClassesStateHowManyThereAre) {
  const std::string path = file("examples.csv", "x,label\n0.1,0\n0.2,1\n0.3,7\n");
  const LabelledFileOptions named = reading_for(classifier(), path, {.header = true, .known = {"0", "1"}});
  EXPECT_EQ(read_labelled(path, named).labels, (std::vector<int>{0, 1, 1}));
  EXPECT_THAT(refusal([&] {
                read_labelled(path, {.header = true, .classes = 3, .known = {"0", "1"}});
              }),
              HasSubstr("state the same number"));
}

TEST_F(DoorsOfPrograms, PublicFactsFollowTheRelationOfTheJobNotThatOfTheReader) {
  const CompletionData data = read_completion_data(public_films(ratings()), job_of_users());
  const CompletionOutcome outcome = CompletionRun(entry_job("input"), data).run({}, {});
  EXPECT_THAT(sentence(outcome.completion.guarantee),
              HasSubstr("which cells are observed, and their labels"));
}

TEST_F(Doors, MergedRowsAreRefusedWhereOneRowIsMoreThanOneChange) {
  const std::string path =
      file("log.csv", "user,film,rating\nann,Alien,0.2\nann,Alien,0.9\nbob,Brazil,0.4\n");
  const ReadOptions merging{.duplicates = Duplicates::mean};
  for (const CompletionJob& job :
       {entry_job("gradient", Relation::zero_out), with_public_shape(removal_job(), {2, 2})}) {
    EXPECT_THAT(refusal([&] { job.run(read(path, merging)); }), HasSubstr("two changes where one"));
    const DataOptions options{
        .train = path, .reading = merging, .public_modes = {{"user", ""}, {"film", ""}}};
    const bool hides = job.terms.relation == Relation::add_remove;
    EXPECT_THAT(
        refusal([&] {
          CompletionRun(job, read_completion_data(hides ? options : DataOptions{path, "", merging}, job));
        }),
        HasSubstr("two changes where one"));
  }
  const CompletionJob removal = entry_job("gradient", Relation::add_remove);
  const ReadOptions stated{.duplicates = Duplicates::mean, .header = true};
  EXPECT_THAT(refusal([&] {
                CompletionRun(removal, completion_data_of(read(path, stated),
                                                          {.public_modes = {{"user", ""}, {"film", ""}}},
                                                          privacy_of(removal), 1));
              }),
              HasSubstr("two changes where one"))
      << "read before the job was known";
  const Completion replaced = entry_job("input").run(read(path, merging));
  EXPECT_THAT(sentence(replaced.guarantee), HasSubstr("an entry is a cell with all its rows"));
}

TEST_F(Doors, OneCellPerEntryIsWhatAnEntryChanges) {
  const std::string path = file("symmetric.mtx",
                                "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 0.5\n3 1 0.2\n"
                                "3 2 0.9\n");
  EXPECT_THAT(refusal([&] { entry_job("input").run(read(path)); }), HasSubstr("stands for two cells"));
  EXPECT_THROW(read_completion_data({.train = path}, entry_job("input")), Error);
  const CompletionJob job = entry_job("input");
  EXPECT_THAT(refusal([&] { CompletionRun(job, completion_data_of(read(path), {}, privacy_of(job), 1)); }),
              HasSubstr("stands for two cells"))
      << "read before the job was known";
}

TEST_F(Doors, ValidationCellsAreNotLookedAtWithoutACharge) {
  const CompletionJob job = entry_job("input");
  const SparseTensor cells = some_ratings();
  EXPECT_THAT(refusal([&] { job.run(cells, {}, &cells); }), HasSubstr("without a charge"));
  EXPECT_THAT(refusal([&] {
                CompletionRun(job, read_completion_data({.train = ratings(), .validation = 0.5}, job));
              }),
              HasSubstr("without a charge"));
}

LabelledExamples labelled_rows(int count) {
  LabelledExamples all{FloatMatrix(count, 1), {}, {"even", "odd"}, 0, 0};
  for (int row = 0; row < count; ++row) {
    all.values(row, 0) = static_cast<float>(row);
    all.labels.push_back(row % 2);
  }
  return all;
}

// One example more goes into one of the two parts, and no other one changes its place.
TEST_F(Doors, HeldOutExamplesAndCellsAreChosenEachByItself) {
  const auto parts = [](const ClassificationJob& job, int count) {
    return hold_out(job, labelled_rows(count), 0.5, 3);
  };
  const auto [fewer, other_fewer] = parts(classifier(), 20);
  const auto [more, other_more] = parts(classifier(), 21);
  EXPECT_EQ(more.size() + other_more.size(), 21u);
  for (std::size_t row = 0; row < fewer.size(); ++row)
    EXPECT_EQ(fewer.values(static_cast<Eigen::Index>(row), 0),
              more.values(static_cast<Eigen::Index>(row), 0));
  EXPECT_EQ(parts(classifier(Relation::replace), 20).first.size(), 10u) << "their number is public there";
  const CompletionJob job = removal_job();
  const auto kept = [&](const std::string& more_rows) {
    const std::string path =
        file("held.csv", "user,film,rating\nann,Alien,0.2\nbob,Brazil,0.4\n" + more_rows);
    DataOptions options{.train = path, .holdout = 0.5, .public_modes = {{"user", ""}, {"film", ""}}};
    return std::get<SparseTensor>(read_completion_data(options, job).train);
  };
  const SparseTensor before = kept(""), after = kept("ann,Brazil,0.6\n");
  EXPECT_TRUE(after.size() == before.size() || after.size() == before.size() + 1);
  for (const float value : before.values())
    EXPECT_NE(std::ranges::find(after.values(), value), after.values().end()) << value;
}

TEST_F(Doors, ClassesAreStatedSinceOneExampleMayBeAllThereIsOfOne) {
  const std::string path = file("examples.csv", "x,y,label\n0.1,0.2,0\n0.3,0.4,1\n0.3,0.9,7\n");
  EXPECT_THAT(refusal([&] { classifier().run(read_labelled(path)); }),
              HasSubstr("state the public number of classes"));
  EXPECT_THAT(refusal([&] { reading_for(classifier(), path, {.header = true}); }),
              HasSubstr("state how many classes there are"));
  const LabelledFileOptions stated = reading_for(classifier(), path, {.header = true, .classes = 3});
  const ClassificationOutcome outcome = classifier().run(read_labelled(path, stated));
  EXPECT_EQ(outcome.model.classes.size(), 3u) << "label 7 became the nearest class";
}

TEST_F(Doors, DocumentsAreAsManyAsTheFileStates) {
  const std::string listed = file("bags.tns", "1 1 3\n2 2 2\n2 3 1\n3 1 3\n");
  EXPECT_THAT(refusal([&] { topics_job().run(read_documents(listed, 3)); }),
              HasSubstr("does not state how many documents there are"));
  const std::string stated = file(
      "bags.mtx", "%%MatrixMarket matrix coordinate integer general\n3 3 4\n1 1 3\n2 2 2\n2 3 1\n3 1 3\n");
  EXPECT_THAT(refusal([&] { topics_job().run(read_documents(stated, 3)); }), "no refusal");
}

TEST_F(Doors, RangeIsStatedAndNeverTakenFromTheData) {
  CompletionJob job = entry_job("input");
  job.terms.range = {};
  EXPECT_THAT(refusal([&] { job.run(some_ratings()); }), HasSubstr("its lower end must lie below its upper"));
  ClassificationJob classes = classifier();
  classes.terms.range = {};
  LabelledExamples examples = labelled_rows(8);
  examples.facts = FactsFrom::owner;
  EXPECT_THAT(refusal([&] { classes.run(examples); }), HasSubstr("give the public bounds of the values"));
}

// Two tables of users and a public one of films.
TEST_F(Doors, TablesOfUsersAreAllThatAStudyKeepsPrivate) {
  file("r.tns", "1 1 5\n2 2 3\n3 1 1\n");
  file("v.tns", "1 2 9\n4 1 2\n");
  file("named.csv", "user,film,value\nann,1,3\n");
  file("f.tns", "1 1 2\n2 1 7\n");
  file("films.txt", "1\n2\n");
  std::string study;
  const auto asked = [&](const std::string& second, const std::string& third) {
    StudyOptions options;
    options.study = study = file(
        "study.toml",
        "entities = [\"user\", \"film\", \"tag\"]\nprivate = [\"user\"]\n"
        "[positions]\nfilm = \"films.txt\"\n[[relations]]\nname = \"r\"\nentities = [\"user\", \"film\"]\n"
        "file = \"r.tns\"\n[[relations]]\nname = \"v\"\nentities = [\"user\", \"film\"]\n" +
            second + "[[relations]]\nname = \"f\"\nentities = [\"film\", \"tag\"]\nfile = \"f.tns\"\n" +
            third);
    options.privacy.epsilon = 2;
    options.privacy.delta = 1e-3;
    options.privacy.range = Range{1, 5};
    options.settings.set(setting::steps, 2);
    return CompletionRequest(std::get<CompletionOptions>(coupled_request(options)));
  };
  const auto told = [&](const std::string& second, const std::string& third) -> std::string {
    try {
      asked(second, third);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const std::string views = "range = [0, 10]\nfile = \"v.tns\"\n", all = "public = true\n";
  EXPECT_THAT(told(views, "range = [0, 9]\n"),
              HasSubstr("relation f has no user, so the guarantee would protect nobody"));
  EXPECT_THAT(told("public = true\nfile = \"v.tns\"\n", all), HasSubstr("cannot be public"));
  EXPECT_THAT(told("file = \"v.tns\"\n", all), HasSubstr("needs range = [LOW, HIGH]"));
  EXPECT_THAT(told("range = [0, 10]\nfile = \"named.csv\"\nheader = true\n", all),
              HasSubstr("nobody would be the same in both"));
  StudyOptions plain;
  plain.study = file("plain.toml",
                     "entities = [\"user\", \"film\"]\nrank = 1\n[[relations]]\nname = \"r\"\n"
                     "entities = [\"user\", \"film\"]\nfile = \"r.tns\"\n");
  plain.privacy.epsilon = 2;
  EXPECT_THAT(refusal([&] { coupled_request(plain); }), HasSubstr("for a private study"))
      << "who asks for a budget is given privacy or a refusal";
  EXPECT_EQ(told(views, all), "");
  const auto on_other_terms = [&](const std::function<void(CompletionOptions&)>& change) {
    StudyOptions options;
    options.study = study;
    options.privacy.epsilon = 2, options.privacy.delta = 1e-3, options.privacy.range = Range{1, 5};
    auto completion = std::get<CompletionOptions>(coupled_request(options));
    change(completion);
    return refusal([&] { CompletionRequest request(completion); });
  };
  EXPECT_THAT(on_other_terms([](auto& o) {
                o.privacy.unit = Unit::entry, o.privacy.user_mode = "", o.method = "one-shot";
              }),
              HasSubstr("protects each user under add-remove"));
  EXPECT_THAT(on_other_terms([](auto& o) { o.privacy.relation = Relation::replace, o.method = "local"; }),
              HasSubstr("protects each user under add-remove"));
  EXPECT_THAT(on_other_terms([](auto& o) {
                o.data.clamp = Range{1, 2};
              }),
              HasSubstr("states how its tables are read"));
  CompletionRequest request = asked(views, all);
  const Guarantee guarantee = request.run({}).completion.guarantee;
  EXPECT_EQ(guarantee.mode, "user");
  EXPECT_TRUE(guarantee.adversary.empty()) << "who has all tables is trusted";
  EXPECT_THAT(guarantee.public_facts, Contains("relation f, all of it"));
  EXPECT_EQ(request.data().public_modes.front().labels.size(), 0u);
}

TEST_F(Doors, NormOfAMixtureIsStated) {
  EXPECT_THAT(refusal([&] { topics_job().run(Samples{.rows = Matrix::Ones(9, 3), .norm = 0, .sites = {}}); }),
              HasSubstr("give the public bound of the vectors' norms"));
}

TEST_F(Doors, BudgetIsAFiniteNumberAboveZero) {
  for (const double epsilon : {0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    CompletionJob job = entry_job("input");
    job.terms.budget = {epsilon, 0};
    EXPECT_THAT(refusal([&] { job.run(some_ratings()); }), HasSubstr("epsilon")) << epsilon;
  }
}

TEST_F(Doors, DeltaIsBelowOneOverThePublicNumberOfUnits) {
  CompletionJob job = entry_job("input");
  job.terms.budget.delta = 0.5;
  EXPECT_THAT(refusal([&] { job.run(some_ratings()); }), HasSubstr("below 1/n"));
}

TEST_F(Doors, RelationIsOneThatTheMethodProtects) {
  EXPECT_THAT(refusal([] { entry_job("als", Relation::zero_out).run(some_ratings()); }),
              HasSubstr("does not protect unit entry under zero-out"));
}

TEST_F(Doors, UserModeIsAModeOfTheDataAndNamedInTheGuarantee) {
  CompletionJob job = with_public_shape(job_of_users(), {8, 6});
  EXPECT_EQ(job.run(some_ratings()).guarantee.mode, "mode1");
  EXPECT_EQ(CompletionRun(job_of_users(), read_completion_data(public_films(ratings()), job_of_users()))
                .run({}, {})
                .completion.guarantee.mode,
            "user");
  CompletionJob misnamed = job_of_users();
  misnamed.terms.scope.mode = "film";
  EXPECT_THAT(refusal([&] {
                CompletionRun(misnamed, read_completion_data(public_films(ratings()), job_of_users()));
              }),
              HasSubstr("in the data it is 'user'"));
  job.terms.user_mode = 2;
  EXPECT_THAT(refusal([&] { job.run(some_ratings()); }), HasSubstr("1 .. 2"));
}

TEST_F(Doors, RowsOfUsersThatCountAreStatedOrChosen) {
  CountOptions options;
  options.data.train = file("log.csv", "rider,stop,hour\nann,a,1\nann,a,1\nbob,b,2\nbob,a,2\n");
  options.data.reading.columns = {"rider", "stop", "hour"};
  options.data.public_modes = {{"stop", ""}, {"hour", ""}};
  options.privacy.epsilon = 1;
  options.unit = Unit::user;
  const auto run = [&] {
    CountsRequest request(options);
    return request.run({}).outcome.guarantee;
  };
  EXPECT_THAT(refusal(run), HasSubstr("user"));
  options.user_mode = "rider";
  EXPECT_THAT(run().public_facts, Contains(HasSubstr("chooses how many rows of a user count: ")));
  options.settings.set(setting::rows_per_user, 2);
  const Guarantee guarantee = run();
  EXPECT_EQ(guarantee.mode, "rider");
  EXPECT_THAT(guarantee.public_facts, Contains("how many rows of a user count (2 at most, 2 in one cell)"));
  options.unit = Unit::event;
  EXPECT_THAT(refusal(run), HasSubstr("go together"));
}

TEST_F(Doors, PrivateKeysAreChosenAtACost) {
  CountOptions options;
  options.data.train = file("log.csv", "stop,hour\na,1\na,2\nb,1\n");
  options.data.reading.columns = {"stop", "hour"};
  options.data.public_modes = {{"hour", ""}};
  options.privacy.epsilon = 1;
  options.private_keys = {"stop"};
  EXPECT_THAT(refusal([&] { CountsRequest request(options); }), HasSubstr("one unit alone brings"));
  options.privacy.delta = 1e-6;
  CountsRequest request(options);
  const CountsFound found = request.run({});
  EXPECT_LE(found.outcome.guarantee.used.delta, 1e-6);
  EXPECT_THAT(request.model(found).modes.front().labels, ElementsAre("none"));
  EXPECT_THAT(refusal([&] { request.run({}); }), HasSubstr("once"));
}

TEST_F(Doors, WhatIsPublicIsSaidByTheGuarantee) {
  const auto facts = [](const auto& outcome) { return outcome.guarantee.public_facts; };
  EXPECT_THAT(facts(entry_job("input").run(read(ratings()))),
              Contains("which cells are observed, and their labels"));
  EXPECT_THAT(facts(with_public_shape(removal_job(), {8, 6}).run(some_ratings())),
              Contains("the size of mode mode2 (the owner's word)"));
  EXPECT_THAT(
      facts(CompletionRun(job_of_users(), read_completion_data(public_films(ratings()), job_of_users()))
                .run({}, {})
                .completion),
      Contains("the positions of mode film (found in the data; the owner's word)"));
  LabelledExamples examples = labelled_rows(8);
  examples.facts = FactsFrom::owner;
  EXPECT_THAT(facts(classifier().run(examples)), Contains("the classes"));
  const Corpus corpus{Documents(3, {0, 1, 2, 0, 1, 2, 2, 1, 0}, 3), 3, {}};
  EXPECT_THAT(facts(topics_job().run(corpus)), Contains("how many documents there are"));
}

TEST_F(Doors, PublishedFormsAreClaimedAndNeverCharged) {
  CompletionJob job = entry_job("input");
  job.terms.calibration = Calibration::published;
  job.terms.budget.delta = 0;
  EXPECT_EQ(job.run(some_ratings()).guarantee.status, Guarantee::Status::claimed);
  const std::string place = (folder_ / "ledger.db").string();
  Ledger ledger = Ledger::open_or_make(place);
  ledger.create({.name = "a", .unit = Unit::entry, .relation = Relation::replace});
  ledger.grant("a", {.epsilon = 9, .delta = 1e-3}, "all");
  Payment payment({.ledger = place, .account = "a"}, "a run", "-");
  EXPECT_THROW(job.run(some_ratings(), payment.on_first_release()), Error);
  EXPECT_EQ(ledger.statement("a").spent, 0);
}

TEST_F(Doors, SeedsAreSaidToEndPrivacy) {
  CompletionJob job = entry_job("input");
  job.terms.seed = 1;
  EXPECT_THAT(sentence(job.run(some_ratings()).guarantee), HasSubstr("NOT PRIVATE against whoever knows it"));
}

}  // namespace
}  // namespace tulle
