#include "subjects.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace tulle::attacks {
namespace {

TEST(SiteSubjects, AreThereForEveryMethodThatRunsOverSites) {
  for (const Job job : {Job::completion, Job::topics})
    for (const Method& method : methods(job))
      EXPECT_TRUE(
          method.over_sites == OverSites::no ||
          std::ranges::any_of(method.worst_cases, [](const WorstCase& worst) { return worst.sites > 1; }))
          << method.name;
}

// The white box has the likelihood of the sum under the noise that the honest sites add, so the exact
// answers of the two runs, which the user's site alone gives, are as far apart as the sensitivity allows.
TEST(SiteSubjects, TheUserIsAsFarApartAsTheNoiseIsMadeFor) {
  for (const Method& method : methods(Job::completion))
    for (const WorstCase& worst : method.worst_cases) {
      if (worst.sites == 1) continue;
      const auto subject = std::get<Subject>(entry_of(method, worst).subject({1, worst.delta}));
      const ExactFinding finding = audit_exactly(subject.pair.value(), 3);
      EXPECT_TRUE(finding.holds()) << method.name << ": " << finding.differs;
      EXPECT_GT(finding.ratio(), 0.5) << method.name;
      EXPECT_NE(subject.account().adversary, "") << method.name;
    }
}

// With central trust the whole of the noise is added once.
TEST(SiteSubjects, AUserInSeveralRelationsIsAsFarApartInOnePlace) {
  int coupled = 0;
  for (const Method& method : methods(Job::completion))
    for (const WorstCase& worst : method.worst_cases) {
      if (!worst.coupling || worst.sites > 1) continue;
      ++coupled;
      const auto subject = std::get<Subject>(entry_of(method, worst).subject({1, worst.delta}));
      const ExactFinding finding = audit_exactly(subject.pair.value(), 3);
      EXPECT_TRUE(finding.holds()) << finding.differs;
      EXPECT_GT(finding.ratio(), 0.5);
      EXPECT_EQ(subject.account().adversary, "");
    }
  EXPECT_GT(coupled, 0);
}

// Keeps a cell, or a user, out of all batches but the first, and answers all releases alike, so that two runs
// have the same past but for what a site remembers.
class OnlyInTheFirstBatch : public Witness {
 public:
  explicit OnlyInTheFirstBatch(std::uint64_t unit) : unit_(unit) {}

  std::optional<std::uint64_t> watched_unit() const override { return std::nullopt; }
  void sampled(std::vector<std::uint64_t>& units) override {
    if (++batches_ > 1) std::erase(units, unit_);
  }
  bool answers() const override { return true; }
  void released(const AdditiveNoise&, const ExactAnswers& exact, std::vector<double>& values) override {
    if (batches_ > 1) later.push_back(exact.answers.front());
    std::ranges::fill(values, 1.0);
  }

  std::vector<std::vector<double>> later;  // exact answers after the first batch

 private:
  std::uint64_t unit_;
  int batches_ = 0;
};

// One user with the value in her second cell, which is the last entry.
std::vector<std::vector<double>> answers_without(std::uint64_t unit, Calibration calibration, float value) {
  SparseTensor table(Shape{2, 2}, Unlisted::missing);
  table.append(std::array<Index, 2>{0, 0}, 0.5F);
  table.append(std::array<Index, 2>{1, 0}, 0.5F);
  table.append(std::array<Index, 2>{1, 1}, value);
  CompletionJob job{.method = "dp-sgld",
                    .terms = {.budget = {1, 1e-5},
                              .unit = Unit::user,
                              .relation = Relation::add_remove,
                              .range = {0, 1},
                              .calibration = calibration,
                              .shape = PublicShape{table.shape()}},
                    .fit = {.ranks = {1}, .seed = 1}};
  job.settings.set(setting::steps, 3).set(setting::sampling_rate, 1);
  Curator curator = job.open(RandomBits::seeded(1));
  OnlyInTheFirstBatch witness(unit);
  AuditedCurator::watch(curator, witness);
  job.run(table, curator);
  return witness.later;
}

// ermis2020's site-level privacy: a user's row moves with each of her cells and stays for the next step. The
// cell is in the first batch alone, and later steps change with it all the same: sampling amplifies nothing.
// In the sound form a user who is not in a sample is not in its sum.
TEST(SiteSubjects, WhatASiteRemembersLeaksInThePublishedFormAlone) {
  constexpr std::uint64_t kCell = 2, kUser = 1;
  EXPECT_NE(answers_without(kCell, Calibration::published, 0),
            answers_without(kCell, Calibration::published, 1));
  EXPECT_EQ(answers_without(kUser, Calibration::sound, 0), answers_without(kUser, Calibration::sound, 1));
}

}  // namespace
}  // namespace tulle::attacks
