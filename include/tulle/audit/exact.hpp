// The exact audit. On synthetic data the auditor also sees the exact answer of every release. A run on one
// data set is recorded, with noise and exact answers; the run on the neighbouring data set gets the same
// noisy answers, so that its later queries are the same. Then
// - the two exact answers of every release differ by at most the sensitivity that its noise is calibrated to,
//   in the norm that it is stated in;
// - if the release is pure, the log-likelihood ratio of the released values is within its epsilon; if it is a
//   choice of keys, the probability of no set of keys is larger than epsilon and delta allow;
// - both runs make the same releases with the same noise and publish the same: published output is a
//   function of public facts and releases. Both end normally, unless the method does not take the terms.
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

// Everything that a run publishes.
struct Published {
  std::vector<double> numbers;
  std::vector<std::string> lines;
};

Published published(const Completion& completion);
Published published(const TopicOutcome& outcome);
Published published(const CountOutcome& outcome);
Published published(const ClassificationOutcome& outcome);

struct NeighbouringPair {
  std::string text;  // description in one line
  std::function<Curator(RandomBits bits)> open;
  std::function<Published(bool second, Curator& curator)> run;
  // If units are sampled at a rate below 1: every release is examined with and without this unit, and each
  // other unit joins in both runs or in neither.
  std::optional<std::uint64_t> watched;
};

// Two data sets for the same run. Entries that are blanked in the second contribute nothing (zero-out).
NeighbouringPair neighbouring_pair(const CompletionJob& job, SparseTensor first, SparseTensor second,
                                   std::optional<std::uint64_t> watched = {},
                                   std::vector<std::size_t> blanked = {});
NeighbouringPair neighbouring_pair(const TopicJob& job, TopicData first, TopicData second);
NeighbouringPair neighbouring_pair(const CountJob& job, SparseTensor first, SparseTensor second);
NeighbouringPair neighbouring_pair(const ClassificationJob& job, LabelledExamples first,
                                   LabelledExamples second, std::optional<std::uint64_t> watched = {});

struct ExactRelease {
  std::string what;  // the release's name in the method
  double ratio = 0;  // distance of the exact answers over the sensitivity
  // If the release is pure, the log-likelihood ratio over its epsilon; of a choice of keys, the delta that
  // epsilon needs over that which is stated.
  std::optional<double> loss;
};

struct ExactFinding {
  std::vector<ExactRelease> releases;
  std::string refused;  // both runs were refused with this message: the method does not take these terms
  std::string differs;  // any other difference of the two runs; empty: none

  double ratio() const;  // the largest
  double loss() const;
  bool holds() const { return differs.empty() && ratio() <= 1 && loss() <= 1; }
};

ExactFinding audit_exactly(const NeighbouringPair& pair, std::uint64_t seed);

}  // namespace tulle

#pragma GCC visibility pop
