#include "histogram.hpp"

#include "estimate.hpp"
#include "release_sum.hpp"
#include "word_moments.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/account/calibrate.hpp>
#include <tulle/solve/topics/refine.hpp>
#include <tulle/tensor/symmetric.hpp>

#include <cmath>

namespace tulle {
namespace {

// Noise on counts of multisets (word_moments.hpp says how far a replaced document moves them): the one with
// less deviation. Documents of three words, which is public of a table, are counted in whole numbers.
AdditiveNoise count_noise(const TopicRequest& request, std::uint64_t cells) {
  const auto l1 = Sensitivity::l1(kReplacedCountsL1, Unit::document, Relation::replace);
  const double epsilon = request.budget.epsilon;
  AdditiveNoise least = request.length == 3u ? AdditiveNoise::discrete_laplace(l1, epsilon, cells)
                                             : AdditiveNoise::laplace(l1, epsilon, cells);
  if (request.budget.delta == 0) return least;
  const auto l2 = Sensitivity::l2(kReplacedCountsL2, Unit::document, Relation::replace);
  AdditiveNoise gaussian =
      AdditiveNoise::gaussian(l2, gaussian_noise_for({epsilon, request.budget.delta}), cells);
  return gaussian.deviation() < least.deviation() ? gaussian : least;
}

// Every triple is counted with noise, once; pairs are sums of triples.
TopicOutcome from_triples(const TopicRequest& request, Curator& curator) {
  const Index words = request.words;
  const auto documents = static_cast<double>(request.documents);
  const AdditiveNoise noise = count_noise(request, triple_cells(words));
  curator.plan({noise.event()});
  const Noisy counts = release_sum(
      request, curator, noise, "counts of triples of words",
      [&](const Documents& site) { return triple_counts(site, request.documents, request.options.seed); });
  const Matrix second = pairs_of_triples(counts.values, words) / documents;
  const double deviation = counts.deviation * pair_deviation(words) / documents;
  const Whitening whitening =
      whiten(second, request.options.topics, noise_edge(deviation, words, second.diagonal().maxCoeff()));
  const Cube third = project(counts.values, whitening.whiten) / documents;
  const RankOneTerms terms = decompose(third, request.options.topics, {.seed = request.options.seed});
  Topics model = refine(unwhitened(whitening, terms, Distributions::nearest),
                        {counts.values, documents, counts.deviation * counts.deviation});
  return {std::move(model),
          {},
          {fmt::format("Counted every triple of words once, with {} noise of deviation {:.4g}.", noise.name(),
                       counts.deviation)}};
}

TopicOutcome run(const TopicRequest& request, Curator& curator) {
  return from_triples(request, curator);
}

}  // namespace

TopicMethod histogram_topics() {
  return {.name = "histogram",
          .title = "noisy counts of triples of words, then noise-aware estimation for free",
          .source = "Tulle",
          .guarantee = "epsilon-private, or (epsilon, delta)-private, for one document under replace",
          .details = "",
          .sound = run};
}

}  // namespace tulle
