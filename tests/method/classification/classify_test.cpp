#include "method/classification/blobs.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

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
  run = short_run("plain");
  EXPECT_NE(refusal(run, blobs(5)), "no error");  // it takes no sampling rate
}

TEST(Classify, KnowsItsWords) {
  EXPECT_EQ(accounting_of(name(PublishedAccounting::advanced_composition)),
            PublishedAccounting::advanced_composition);
  EXPECT_EQ(dropout_of(name(Dropout::gaussian)), Dropout::gaussian);
  EXPECT_THROW(accounting_of("pld"), UsageError);
}

}  // namespace
}  // namespace tulle
