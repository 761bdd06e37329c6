// The exact audit. On synthetic data the auditor also sees the exact answer of every release. A run on one
// data set is recorded, with noise and exact answers; the run on the neighbouring data set is given the same
// noisy answers, so that its later queries are the same. Then
// - the two exact answers of every release differ by no more than the sensitivity that its noise is made for,
//   in the norm that it is stated in;
// - where the release is pure, the log-likelihood ratio of what was released is within its epsilon;
// - both runs make the same releases with the same noise, and publish the same: what is published is a
//   function of public facts and releases. Neither ends but for terms that the method
//   does not take.
#pragma once

#include <tulle/job/classify.hpp>
#include <tulle/job/jobs.hpp>
#include <tulle/privacy/curator.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// All that leaves a run for the public.
struct Published {
  std::vector<double> numbers;
  std::vector<std::string> lines;
};

Published published(const Completion& completion);
Published published(const TopicOutcome& outcome);
Published published(const ClassificationOutcome& outcome);

struct NeighbouringPair {
  std::string text;  // what it is, in one line
  std::function<Curator(RandomBits bits)> open;
  std::function<Published(bool second, Curator& curator)> run;
  // Where units are sampled at a rate below 1: every release is looked at with this unit and without it, and
  // all others join in both runs or in none.
  std::optional<std::uint64_t> watched;
};

// Two data sets for the same run. Entries that are blanked in the second contribute nothing (zero-out).
NeighbouringPair neighbouring_pair(const CompletionJob& job, SparseTensor first, SparseTensor second,
                                   std::optional<std::uint64_t> watched = {},
                                   std::vector<std::size_t> blanked = {});
NeighbouringPair neighbouring_pair(const TopicJob& job, TopicData first, TopicData second);
NeighbouringPair neighbouring_pair(const ClassificationJob& job, LabelledExamples first,
                                   LabelledExamples second, std::optional<std::uint64_t> watched = {});

struct ExactRelease {
  std::string what;            // in the method's words
  double ratio = 0;            // of how far the exact answers are apart to the sensitivity
  std::optional<double> loss;  // of a pure release: the log-likelihood ratio over its epsilon
};

struct ExactFinding {
  std::vector<ExactRelease> releases;
  std::string refused;  // both runs were refused in these words: the method does not take these terms
  std::string differs;  // in what else the two runs differ; empty: in nothing

  double ratio() const;  // the largest
  double loss() const;
  bool holds() const { return differs.empty() && ratio() <= 1 && loss() <= 1; }
};

ExactFinding audit_exactly(const NeighbouringPair& pair, std::uint64_t seed);

}  // namespace tulle

#pragma GCC visibility pop
