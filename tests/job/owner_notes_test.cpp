#include <tulle/base/error.hpp>
#include <tulle/job/owner_notes.hpp>
#include <tulle/privacy/protected.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

CompletionData data_of(std::vector<float> values) {
  SparseTensor cells(Shape{2, 4}, Unlisted::missing);
  for (Index i = 0; i < values.size(); ++i) cells.append(std::vector<Index>{i % 2, i / 2}, values[i]);
  return {.modes = unnamed_modes(2), .train = std::move(cells)};
}

template <class Job>
Job private_run(const char* method, double delta, Range range) {
  Job job{.method = method};
  job.terms.budget = {1, delta};
  job.terms.range = range;
  return job;
}

CompletionJob private_job(double delta) {
  return private_run<CompletionJob>("als", delta, {1, 5});
}

ClassificationJob private_classifier(double delta) {
  return private_run<ClassificationJob>("sgd", delta, {0, 1});
}

TopicJob private_topics(double delta) {
  return private_run<TopicJob>("histogram", delta, {});
}

TEST(OwnerNotes, AreNoneWhereAllIsWell) {
  EXPECT_TRUE(owner_notes(private_job(1e-3), data_of({1, 2, 5, 4})).empty());
}

TEST(OwnerNotes, CountWhatWasClampedDroppedAndMerged) {
  CompletionData data = data_of({0, 2, 9, 4});
  data.dropped = 7;
  data.merged_rows = 3;
  data.duplicates = Duplicates::sum;
  data.test = SparseTensor(Shape{2, 4}, Unlisted::missing);
  EXPECT_EQ(owner_notes(private_job(0), data),
            (std::vector<std::string>{
                "3 rows list a cell that an earlier row lists; rows of one cell are merged into their sum.",
                "No cell was held out.",
                "2 of the values (50 %) lie outside of the range 1:5 and were clamped to it.",
                "7 of the entries (63.6 %) lie at positions that are not public, and do not count."}));
}

TEST(OwnerNotes, CompareDeltaWithTheNumberOfUnits) {
  CompletionJob job = private_job(0.3);
  EXPECT_EQ(owner_notes(job, data_of({1, 2, 3, 4})),
            std::vector<std::string>{
                "Delta 0.3 is not below 1/4, one over the number of cells: keep it far below that."});
  job.terms.unit = Unit::user;
  job.terms.user_mode = 0;
  EXPECT_TRUE(owner_notes(job, data_of({1, 2, 3, 4})).empty());
}

TEST(Losses, AreSharesOfWhatPublicListsAndTheRangeTake) {
  CompletionData data = data_of({0, 2, 9, 4});
  data.dropped = 12;
  data.merged_rows = 3;
  data.losses = {{"Of another table.", 0.2}};
  const std::vector<LostData> lost = losses(private_job(0), data);
  ASSERT_EQ(lost.size(), 3u);
  EXPECT_EQ(lost[0].what, "Of another table.");
  EXPECT_EQ(lost[1].share, 0.5);   // 2 of 4 values outside of the range
  EXPECT_EQ(lost[2].share, 0.75);  // 12 entries dropped, 4 left
  EXPECT_TRUE(losses(CompletionJob{.method = "plain"}, data).empty());
  const LabelledExamples examples{
      .values = FloatMatrix::Constant(2, 5, 3.f), .labels = {0, 1}, .classes = {"0", "1"}, .moved_labels = 1};
  EXPECT_EQ(losses(private_classifier(0), examples)[0].share, 1);
  EXPECT_EQ(losses(private_classifier(0), examples)[1].share, 0.5);
  Corpus corpus{Documents(3, {0, 1, 2}, 3), {}, {}};
  corpus.unknown_words = 1;
  EXPECT_EQ(losses(private_topics(0), corpus)[0].share, 0.25);
  EXPECT_EQ(losses(private_topics(0), Samples{Matrix{{3, 4}, {0, 1}}, 2, {}})[0].share, 0.5);
}

TEST(Losses, NameTwoValuesWithTheirPlaces) {
  CompletionData data = data_of({0, 2, 9, 7});
  data.dropped = 12;
  data.dropped_examples = {"'x' of mode film (a.csv:7)"};
  const std::vector<LostData> lost = losses(private_job(0), data);
  EXPECT_EQ(lost[0].examples, (std::vector<std::string>{"0 at mode1 1, mode2 1", "9 at mode1 1, mode2 2"}));
  EXPECT_EQ(told(lost[1]), lost[1].what + " For example 'x' of mode film (a.csv:7).");
  ClassificationJob job = private_classifier(0);
  job.options.bounds = {{0, 1}, {0, 5}};
  const LabelledExamples examples{
      .values = FloatMatrix::Constant(2, 2, 3.f), .labels = {0, 1}, .classes = {"0", "1"}};
  EXPECT_EQ(losses(job, examples)[0].share, 0.5);
  EXPECT_EQ(losses(job, examples)[0].examples[0], "3 at example 1, value 1");
}

// Whether a run is made then tells of the data, so what it tells becomes a public fact.
TEST(Losses, AreRefusedAboveTheShareThatTheOwnerStates) {
  const std::vector<LostData> lost = {{"Little is lost.", 0.01}, {"Half is lost.", 0.5}};
  Scope scope;
  try {
    refuse_losses(lost, 0.01);
    FAIL() << "half of the data is more than a hundredth";
  } catch (const Error& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("Half is lost."), said.npos);
    EXPECT_NE(said.find("nothing was charged"), said.npos);
    EXPECT_NE(said.find(kForTheOwner), said.npos);
  }
  refuse_losses(lost, std::nullopt);
  state_losses(std::nullopt, scope);
  EXPECT_TRUE(scope.public_facts.empty()) << "whatever is lost";
  refuse_losses(lost, 0.5);
  state_losses(0.5, scope);
  EXPECT_EQ(scope.public_facts,
            std::vector<std::string>{
                "that public lists leave out, and the range changes, at most 50 % of the data"});
}

TEST(OwnerNotes, OfAPlainRunAreAboutTheFileAlone) {
  const CompletionJob job{.method = "plain"};
  EXPECT_TRUE(owner_notes(job, data_of({0, 99})).empty());
}

TEST(OwnerNotes, OfExamplesCountWhatWasClampedAndMoved) {
  LabelledExamples data{.values = FloatMatrix::Constant(2, 5, 0.5f), .labels = {0, 1}, .classes = {"0", "1"}};
  EXPECT_TRUE(owner_notes(private_classifier(1e-3), data).empty());
  data.values(0, 3) = 2;
  data.values(1, 0) = std::numeric_limits<float>::quiet_NaN();
  data.moved_labels = 1;
  EXPECT_EQ(owner_notes(private_classifier(0.5), data),
            (std::vector<std::string>{
                "2 of the values (20 %) lie outside of the range 0:1 and were clamped to it.",
                "1 of the labels (50 %) are none of the 2 classes, and were replaced by one of them.",
                "Delta 0.5 is not below 1/2, one over the number of examples: keep it far below that."}));
  EXPECT_TRUE(owner_notes(ClassificationJob{.method = "plain"}, data).empty());
}

TEST(OwnerNotes, OfTextCountWordsThatAreNotInTheVocabulary) {
  Corpus corpus{Documents(3, {0, 1, 2, 0, 1, 2}, 3), {}, {}};
  EXPECT_TRUE(owner_notes(private_topics(0), corpus).empty());
  corpus.unknown_words = 2;
  EXPECT_EQ(owner_notes(private_topics(1), corpus),
            (std::vector<std::string>{
                "2 of the words (25 %) are not in the vocabulary, and do not count.",
                "Delta 1 is not below 1/2, one over the number of documents: keep it far below that."}));
  EXPECT_TRUE(owner_notes(TopicJob{.method = "plain"}, corpus).empty());
}

TEST(OwnerNotes, OfAMixtureCountVectorsThatWereShortened) {
  const Samples samples{Matrix{{3, 4}, {0, 1}, {1e200, 1e200}}, 2, {}};
  EXPECT_EQ(owner_notes(private_topics(0.5), samples),
            (std::vector<std::string>{
                "2 of the vectors (66.7 %) are longer than the norm 2, and were shortened to it.",
                "Delta 0.5 is not below 1/3, one over the number of vectors: keep it far below that."}));
}

}  // namespace
}  // namespace tulle
