#include "method/classification/blobs.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace tulle {
namespace {

using testing::blobs;
using testing::ClassifierRun;
using testing::short_run;

TEST(Classify, GivesWhatItPromisesWithEveryMethodAndRelation) {
  for (const Method& method : methods(Job::classification))
    for (const Neighbours& pair : method.protects)
      for (bool adaptive : {false, true}) {
        ClassifierRun run = short_run(method.name);
        run.terms.relation = pair.relation;
        if (adaptive) run.settings.set(setting::clip_quantile, 0.5);
        const Guarantee guarantee = run(blobs(50)).guarantee;
        EXPECT_EQ(guarantee.status, Guarantee::Status::proven) << method.name;
        EXPECT_LE(guarantee.used.epsilon, 1 + 1e-9) << method.name;
        EXPECT_GT(guarantee.used.epsilon, 0.95) << method.name;
        EXPECT_EQ(guarantee.unit, Unit::example);
        EXPECT_EQ(guarantee.relation, pair.relation);
      }
}

// Under add-remove how many examples there are is private, and released; under replace it is public.
TEST(Classify, SaysWhatIsPublic) {
  for (Relation relation : {Relation::add_remove, Relation::replace}) {
    ClassifierRun run = short_run("sgd");
    run.terms.relation = relation;
    const Guarantee guarantee = run(blobs(50)).guarantee;
    const bool counted = guarantee.public_facts.back() == "how many examples there are";
    EXPECT_EQ(counted, relation == Relation::replace);
    EXPECT_EQ(guarantee.releases.size(), counted ? 20u : 21u);
  }
}

std::string refusal(const ClassifierRun& run, LabelledExamples data) {
  try {
    run(std::move(data));
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Classify, RefusesWhatCannotBeLearned) {
  LabelledExamples one = blobs(5);
  one.classes = {"only"};
  one.labels.assign(5, 0);
  EXPECT_NE(refusal(short_run("sgd"), one).find("nothing to tell apart"), std::string::npos);
  LabelledExamples outside = blobs(5);
  outside.labels[3] = 7;
  EXPECT_NE(refusal(short_run("sgd"), outside).find("label 7 is outside 0..1"), std::string::npos);
  ClassifierRun run = short_run("sgd");
  run.terms.range = {1, 1};
  EXPECT_NE(refusal(run, blobs(5)).find("public bounds"), std::string::npos);
  run = short_run("sgd");
  run.terms.budget.delta = 0;
  EXPECT_NE(refusal(run, blobs(5)).find("delta"), std::string::npos);
  run = short_run("sgd");
  run.settings.set(setting::sampling_rate, 1e-300);
  EXPECT_NE(refusal(run, blobs(5)).find("sampling-rate"), std::string::npos);
  run = short_run("plain");
  EXPECT_NE(refusal(run, blobs(5)), "no error");  // it takes no sampling rate
}

// Sound forms run without examples where their number is private; published forms draw from them.
TEST(Classify, RunsWithoutExamplesWhereTheirNumberIsPrivate) {
  for (const char* method : {"sgd", "sgld", "dpd", "best", "logistic"})
    EXPECT_EQ(refusal(short_run(method), blobs(0)), "no error") << method;
  ClassifierRun run = short_run("dpd");
  run.terms.calibration = Calibration::published;
  EXPECT_NE(refusal(run, blobs(0)).find("no examples"), std::string::npos);
  run = short_run("sgd");
  run.terms.relation = Relation::replace;
  EXPECT_NE(refusal(run, blobs(0)).find("no examples"), std::string::npos);
}

TEST(Classify, RefusesADeltaThatAllowsPublishingAnExample) {
  ClassifierRun run = short_run("sgd");
  run.terms.budget.delta = 0.02;
  EXPECT_EQ(refusal(run, blobs(50)), "no error");  // how many there are is private
  run.terms.relation = Relation::replace;
  EXPECT_NE(refusal(run, blobs(50)).find("not below 1/n for the n examples"), std::string::npos);
  EXPECT_EQ(refusal(run, blobs(49)), "no error");
}

TEST(Classify, RefusesMoreExamplesThanSumsAreExactFor) {
  LabelledExamples many = blobs(1);
  many.values = FloatMatrix::Zero((1 << 22) + 1, 1);
  many.labels.assign((1 << 22) + 1, 0);
  ClassifierRun run = short_run("sgd");
  EXPECT_NE(refusal(run, std::move(many)).find("more than 4194304 examples"), std::string::npos);
}

// Before a ledger is charged.
TEST(Classify, RefusesOptionsThatWouldChangeNothing) {
  ClassifierRun run = short_run("sgd");
  run.options.dropout = Dropout::binary;
  EXPECT_NE(refusal(run, blobs(5)).find("dropout is an option of method plain"), std::string::npos);
  run = short_run("best");
  run.options.activation = Activation::tanh;
  EXPECT_NE(refusal(run, blobs(5)).find("activation relu alone"), std::string::npos);
}

TEST(Classify, ChecksLayersBeforeItPays) {
  for (const std::vector<int>& hidden : {std::vector{3, 3}, std::vector{2'000'000}}) {
    const ClassifierRun run = short_run("best");
    bool paid = false;
    EXPECT_THROW(classify(find_method("best", Job::classification), blobs(5), run.terms, run.settings,
                          {.hidden = hidden}, [&](const Curator&) { paid = true; }),
                 UsageError);
    EXPECT_FALSE(paid);
  }
}

TEST(Classify, RefusesImagesOfAnotherSizeThanTheirValues) {
  LabelledExamples images = blobs(5);
  images.height = 20;
  images.width = 20;
  EXPECT_NE(refusal(short_run("best"), images).find("images of 20 x 20 pixels"), std::string::npos);
}

TEST(Classify, RefusesClassesThatFollowFromTheExamples) {
  LabelledExamples found = blobs(5);
  found.facts = FactsFrom::examples;
  EXPECT_NE(refusal(short_run("sgd"), found).find("state the public number of classes"), std::string::npos);
  ClassifierRun plain{"plain"};
  EXPECT_EQ(refusal(plain, found), "no error");
}

TEST(Classify, StatesTheSizeOfImagesAsPublic) {
  LabelledExamples images = blobs(20);
  images.height = 1;
  images.width = static_cast<int>(images.values.cols());
  const auto facts = short_run("sgd")(std::move(images)).guarantee.public_facts;
  EXPECT_NE(std::ranges::find(facts, "the size of images"), facts.end());
}

// 50 examples at epsilon 1e-3: gradients add up to less than the noise of a step.
TEST(Classify, SaysThatABudgetIsTooSmallToLearn) {
  const auto warns = [](double epsilon, int count) {
    ClassifierRun run = short_run("sgd");
    run.terms.budget.epsilon = epsilon;
    const std::vector<std::string> remarks = run(blobs(count)).remarks;
    return std::ranges::any_of(remarks,
                               [](const auto& each) { return each.find("too small to learn") != each.npos; });
  };
  EXPECT_TRUE(warns(1e-3, 50));
  EXPECT_FALSE(warns(8, 2000));
}

// Noise beyond what float32 holds, which parameters of a network are.
TEST(Classify, StopsWhereStepsGrowBeyondSinglePrecision) {
  ClassifierRun run = short_run("sgd");
  run.settings.set(setting::clip, 1e60).set(setting::learning_rate, 0.5);
  EXPECT_NE(refusal(run, blobs(50)).find("grow without bound"), std::string::npos);
}

TEST(Classify, KnowsItsWords) {
  EXPECT_EQ(accounting_of(name(PublishedAccounting::advanced_composition)),
            PublishedAccounting::advanced_composition);
  EXPECT_EQ(dropout_of(name(Dropout::gaussian)), Dropout::gaussian);
  EXPECT_THROW(accounting_of("pld"), UsageError);
}

}  // namespace
}  // namespace tulle
