// The common part of AGN and AVN (imtiaz2017): noise on the entries of M2 and M3, each of which is held once,
// and topics from these.
#pragma once

#include <tulle/method/topics.hpp>
#include <tulle/solve/topics/power.hpp>

namespace tulle {

// Noise on the second (and, of a mixture, the first) moment, and on the third.
struct EntryNoise {
  AdditiveNoise low, third;
};

// The number of coordinates of each, and its sensitivity. Replacing a document changes two entries of the
// symmetrised M2 (or M3) by at most 1, hence by at most sqrt(2) in L2. Rows of a mixture: mixture.hpp.
struct MomentSensitivities {
  std::uint64_t low_numbers, third_numbers;
  Sensitivity low, third;
};
MomentSensitivities moment_sensitivities(const TopicRequest& request);

// Releases both, whose order in the plan is that of EntryNoise.
Releases release_entries(const TopicRequest& request, Curator& curator, const EntryNoise& noise);
TopicOutcome topics_of_entries(const Measurement& measured, const TopicOptions& options);

// As published (algorithm 1): moments of words in their order, which are not symmetric, and symmetric noise.
struct PublishedMoments {
  Matrix second;
  Cube third;
};
PublishedMoments moments_as_published(const TopicRequest& request, Curator& curator, const EntryNoise& noise);
TopicOutcome topics_as_published(const TopicRequest& request, Curator& curator, const EntryNoise& noise);

// sqrt(2 ln(1.25 / delta)) / epsilon: the classical multiplier of Gaussian noise, as the paper uses it.
double classical_multiplier(double epsilon, double delta);

void need_delta(const TopicRequest& request, const char* method);

}  // namespace tulle
