#include "subjects.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tulle::attacks {
namespace {

SparseTensor one_cell(double value) {
  SparseTensor tensor(Shape{1, 1, 1}, Unlisted::missing);
  tensor.append(std::array<Index, 3>{0, 0, 0}, static_cast<float>(value));
  return tensor;
}

TEST(CompletionSubject, TheJobIsThatOfTheCommand) {
  const WorstCase worst{.data = CraftedTensor{.neighbours = {Unit::user, Relation::add_remove}},
                        .model = ModelKind::tucker,
                        .delta = 1e-6};
  const CompletionJob job = job_of(find_method("als"), worst, {2, 1e-6});
  EXPECT_EQ(job.method, "als");
  EXPECT_EQ(job.terms.budget.epsilon, 2);
  EXPECT_EQ(job.terms.unit, Unit::user);
  EXPECT_EQ(job.terms.relation, Relation::add_remove);
  EXPECT_EQ(job.fit.model, ModelKind::tucker);
}

TEST(CompletionSubject, AllParametersOfAModelAreListed) {
  Cp model{.weights = Vector::Constant(1, 2), .factors = {}, .biases = {}};
  model.factors = {(Matrix(2, 1) << 3, 4).finished(), (Matrix(1, 1) << 5).finished()};
  model.biases.global = 1;
  EXPECT_EQ(numbers_of(model), (std::vector<double>{1, 2, 3, 4, 5}));
  EXPECT_EQ(numbers_of(Topics{(Matrix(2, 1) << 3, 4).finished(), Vector::Ones(1), 0}),
            (std::vector<double>{1, 3, 4}));
}

// The model and every cell are seen by all; the transcript of releases and its log-likelihood ratio besides.
TEST(CompletionSubject, ObservesModelsReleasesAndTheLikelihoodRatio) {
  const CompletionJob job = job_of(find_method("input"), {}, {1, 0});
  const Subject subject = completion_subject(job, one_cell(0), one_cell(1), "the only value");
  RandomBits bits = RandomBits::seeded(3);
  const Observation seen = subject.run(1, bits);
  EXPECT_GT(seen.output.size(), 1u);
  ASSERT_FALSE(seen.releases.empty());
  ASSERT_TRUE(seen.log_ratio);
  EXPECT_LE(std::abs(*seen.log_ratio), 1 + 1e-6);  // pure at epsilon 1
  EXPECT_EQ(subject.account().used.epsilon, 1);
  EXPECT_TRUE(audit_exactly(*subject.pair, 1).holds());
}

TEST(CompletionSubject, EntriesNameTheirForm) {
  const AuditEntry entry =
      entry_of(find_method("als"), {.data = CraftedTensor{.canary = "the only value", .data = one_cell},
                                    .model = ModelKind::tucker,
                                    .delta = 1e-5,
                                    .trials = 7,
                                    .note = "why"});
  EXPECT_EQ(entry.name, "als");
  EXPECT_EQ(entry.model, "tucker");
  EXPECT_EQ(entry.trials, 7u);
  EXPECT_EQ(entry.note, "why");
  EXPECT_EQ(std::get<Subject>(entry.subject({1, 1e-5})).canary, "the only value");
}

TEST(CompletionSubject, ABaselineClaimsNothing) {
  const Method& plain = find_method("plain");
  const Subject subject = std::get<Subject>(entry_of(plain, plain.worst_cases.front()).subject({1, 0}));
  EXPECT_EQ(subject.claimed_epsilon, 0);
  EXPECT_FALSE(subject.pair);
  EXPECT_EQ(subject.account().status, Guarantee::Status::none);
}

}  // namespace
}  // namespace tulle::attacks
