// Counts of multisets of words with noise, then noise-aware estimation (Tulle).
//
// Unit, relation:  document (or row), replace. Public: how many there are, words, topics, options, the
//                  length of documents of a table, the bound of the rows.
// Releases:        words, up to 292: counts of triples, 2 in L1, sqrt(2) in L2 (word_moments.hpp). More
//                  words: counts of pairs, the same bounds, then third moments of rows of length 1, 2 in L2
//                  and the rounding of the sum (projected.hpp). Rows: weighted moments in one vector
//                  (mixture.hpp), then steps of expectation maximisation (mixture_steps.hpp).
// After that free: whitening, power method, least squares on what was released.
// Cost:            docs/methods.md.
#include "histogram.hpp"

#include "estimate.hpp"
#include "mixture.hpp"
#include "mixture_steps.hpp"
#include "projected.hpp"
#include "word_moments.hpp"

#include <tulle/base/error.hpp>
#include <tulle/solve/topics/refine.hpp>
#include <tulle/solve/topics/refine_mixture.hpp>
#include <tulle/solve/topics/refine_pairs.hpp>
#include <tulle/tensor/symmetric.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

// Above so many words the triples are too many to count each: they are projected first.
constexpr std::uint64_t kMostTriples = std::uint64_t{1} << 22;  // of 292 words

Sensitivity l1_of_counts() {
  return Sensitivity::l1(kReplacedCountsL1, Unit::document, Relation::replace);
}
Sensitivity l2_of_counts() {
  return Sensitivity::l2(kReplacedCountsL2, Unit::document, Relation::replace);
}

// Noise on counts of triples (word_moments.hpp says how far a replaced document moves them): the one with
// less deviation. Documents of three words, which is public of a table, are counted in whole numbers.
AdditiveNoise triple_noise(const TopicRequest& request, const Curator& curator, std::uint64_t cells) {
  const Allowance allowance = curator.allowance();
  const double epsilon = allowance.epsilon;
  AdditiveNoise least = request.length == 3u ? AdditiveNoise::discrete_laplace(l1_of_counts(), epsilon, cells)
                                             : AdditiveNoise::laplace(l1_of_counts(), epsilon, cells);
  if (!allowance.noise_multiplier) return least;
  AdditiveNoise gaussian = AdditiveNoise::gaussian(l2_of_counts(), *allowance.noise_multiplier, cells);
  return curator.at_site() || gaussian.deviation() < least.deviation() ? gaussian : least;
}

// Every triple is counted with noise, once; pairs are sums of triples.
TopicOutcome from_triples(const TopicRequest& request, Curator& curator) {
  const Index words = request.words;
  const auto documents = static_cast<double>(request.documents);
  const AdditiveNoise noise = triple_noise(request, curator, triple_cells(words));
  curator.plan({{.loss = loss_of(noise)}});
  const Noisy counts = curator.release(
      request.corpus(), noise, "counts of triples of words",
      [&](const Documents& site) { return triple_counts(site, request.documents, request.options.seed); });
  const Matrix second = pairs_of_triples(counts.values, words) / documents;
  const double deviation = counts.deviation * pair_deviation(words) / documents;
  const Whitening whitening =
      whiten(second, request.options.topics, noise_edge(deviation, words, second.diagonal().maxCoeff()));
  const Cube third = project(counts.values, whitening.whiten) / documents;
  const RankOneTerms terms = decompose(third, request.options.topics, {.seed = request.options.seed});
  Topics model = refine(word_topics(whitening, terms),
                        TripleCounts{counts.values, documents, counts.deviation * counts.deviation});
  return {std::move(model),
          {},
          {fmt::format("Counted every triple of words once, with {} noise of deviation {:.4g}.", noise.name(),
                       counts.deviation)}};
}

// The share of the budget that counts of pairs get; the rest is for what few numbers are needed in the
// whitened space. Chosen on made-up documents of 1,000 words.
constexpr double kShareOfPairs = 0.6;

struct PairAndCubeNoise {
  AdditiveNoise pairs, cube;
};

std::vector<Stage> pair_and_cube_stages(Loss pairs, Loss cube) {
  return {{.loss = pairs, .share = kShareOfPairs}, {.loss = cube, .share = 1 - kShareOfPairs}};
}

// Either the pairs have Laplace noise, and the cube whatever is best with the rest; or both are Gaussian.
PairAndCubeNoise pair_and_cube_noise(const TopicRequest& request, const Curator& curator) {
  const std::uint64_t pairs = pair_cells(request.words),
                      cells = triple_cells(static_cast<std::size_t>(request.options.topics));
  const auto moves =
      Sensitivity::l2(replaced_cube(request, request.options.topics), Unit::document, Relation::replace);
  const auto offered = [&](Loss of_pairs, Loss of_cube) {
    return curator.offer(pair_and_cube_stages(of_pairs, of_cube));
  };
  const std::vector<double> pure = offered(Loss::pure, Loss::pure);
  PairAndCubeNoise least{AdditiveNoise::laplace(l1_of_counts(), pure[0], pairs),
                         AdditiveNoise::gamma_norm(moves, pure[1], cells)};
  if (request.budget.delta == 0) return least;
  const AdditiveNoise cube = AdditiveNoise::gaussian(moves, offered(Loss::pure, Loss::gaussian)[1], cells);
  if (cube.deviation() < least.cube.deviation()) least.cube = cube;
  const std::vector<double> gaussian = offered(Loss::gaussian, Loss::gaussian);
  PairAndCubeNoise both{AdditiveNoise::gaussian(l2_of_counts(), gaussian[0], pairs),
                        AdditiveNoise::gaussian(moves, gaussian[1], cells)};
  return !curator.at_site() && least.pairs.deviation() <= both.pairs.deviation() ? least : both;
}

Cube release_cube(const TopicRequest& request, Curator& curator, const AdditiveNoise& noise,
                  const ClippedRows& clipped) {
  const Noisy cells = curator.release(
      request.corpus(), noise, "third moments in the whitened space", [&](const Documents& site) {
        return isometric(symmetrised(projected_triples(site, clipped.rows, request.options.seed)));
      });
  return cube_of(cells.values, clipped.rows.cols()) * std::pow(clipped.bound, 3);
}

// Pairs are counted with noise; they give the whitened space, in which the third moments are few numbers.
TopicOutcome from_pairs(const TopicRequest& request, Curator& curator) {
  const Index words = request.words;
  const auto documents = static_cast<double>(request.documents);
  const PairAndCubeNoise noise = pair_and_cube_noise(request, curator);
  curator.plan(pair_and_cube_stages(loss_of(noise.pairs), loss_of(noise.cube)));
  const Noisy counts = curator.release(
      request.corpus(), noise.pairs, "counts of pairs of words",
      [&](const Documents& site) { return pair_counts(site, request.documents, request.options.seed); });
  const Matrix pairs = matrix_of_cells(counts.values, words);
  const double deviation = counts.deviation / 2;  // of an entry off the diagonal
  const Whitening whitening =
      whiten(pairs / documents, request.options.topics,
             noise_edge(deviation / documents, words, pairs.diagonal().maxCoeff() / documents));
  const Vector shares = pairs.rowwise().sum() / documents;
  const ClippedRows clipped = clip_rows(
      whitening.whiten,
      best_bound(whitening.whiten, shares, counts.deviation > 0 ? noise.cube.deviation() / documents : 0));
  const Cube third = release_cube(request, curator, noise.cube, clipped) / documents;
  const RankOneTerms terms = decompose(third, request.options.topics, {.seed = request.options.seed});
  Topics model = refine(word_topics(whitening, terms), PairCounts{pairs, deviation * deviation});
  return {std::move(model),
          {},
          {fmt::format("Counted every pair of words with {} noise of deviation {:.4g}, and projected triples "
                       "to {} dimensions with {} noise.",
                       noise.pairs.name(), counts.deviation, request.options.topics, noise.cube.name())}};
}

// Chosen on mixtures of 5 components in 10 dimensions made for it.
constexpr MomentWeights kMomentWeights = {0.4, 1, 1};
constexpr int kSteps = 4;
// The least and the most that moments get of the budget, and the deviation of their means with which they
// need no more: the steps lead on from there.
constexpr double kLeastShareOfMoments = 0.1, kMostShareOfMoments = 0.4, kEnoughForSteps = 4e-4;

// Noise of a mixture's releases: that of the moments, and then of each step. All Gaussian, or all with
// epsilons that add up.
class MixtureNoise {
 public:
  // Plans them.
  MixtureNoise(const TopicRequest& request, Curator& curator) : request_(request), pure_(true) {
    const Allowance all = curator.allowance();
    double deviation = of_moments(all.epsilon).deviation();
    if (all.noise_multiplier) {
      pure_ = false;
      const double gaussian = of_moments(*all.noise_multiplier).deviation();
      pure_ = !curator.at_site() && deviation <= gaussian;
      if (!pure_) deviation = gaussian;
    }
    const double excess = deviation / (static_cast<double>(request.documents) * kEnoughForSteps);
    const double share =
        std::clamp(pure_ ? excess : excess * excess, kLeastShareOfMoments, kMostShareOfMoments);
    const Loss loss = pure_ ? Loss::pure : Loss::gaussian;
    const std::vector<double> planned = curator.plan(
        {{.loss = loss, .share = share}, {.loss = loss, .share = (1 - share) / kSteps, .count = kSteps}});
    of_moments_ = planned[0], of_step_ = planned[1];
  }

  AdditiveNoise moments() const { return of_moments(of_moments_); }
  AdditiveNoise step(const StepBounds& bounds) const {
    return noise(replaced_step(request_, bounds), of_step_,
                 static_cast<std::uint64_t>(request_.options.topics) * (request_.words + 1));
  }

 private:
  AdditiveNoise of_moments(double planned) const {
    return noise(replaced_moments(request_, kMomentWeights), planned,
                 request_.words + pair_cells(request_.words) + triple_cells(request_.words));
  }

  AdditiveNoise noise(double moves, double planned, std::uint64_t numbers) const {
    const auto sensitivity = Sensitivity::l2(moves, Unit::document, Relation::replace);
    return pure_ ? AdditiveNoise::gamma_norm(sensitivity, planned, numbers)
                 : AdditiveNoise::gaussian(sensitivity, planned, numbers);
  }

  const TopicRequest& request_;
  bool pure_;
  double of_moments_, of_step_;  // epsilons, or noise multipliers
};

Topics mixture_from_moments(const TopicRequest& request, const Noisy& sums) {
  const auto rows = static_cast<double>(request.documents);
  const std::size_t first = request.words, low = first + pair_cells(first);
  std::vector<double> moments = sums.values;
  for (std::size_t i = 0; i < moments.size(); ++i)
    moments[i] /= rows * (i < first ? kMomentWeights.first
                          : i < low ? kMomentWeights.second
                                    : kMomentWeights.third);
  const double deviation = sums.deviation / rows / kMomentWeights.second;
  const MixtureSubspace subspace =
      subspace_of(low_moments_of({moments, deviation}, request.words), request.options.topics);
  const Cube third = cube_of(std::span(moments).subspan(low), request.words);
  Topics start = mixture_of(subspace, project(third, subspace.whitening.whiten), request.options);
  Topics mixture =
      refine(std::move(start),
             MixtureMoments{moments, {kMomentWeights.first, kMomentWeights.second, kMomentWeights.third}});
  shorten_means(mixture);
  return mixture;
}

TopicOutcome from_rows(const TopicRequest& request, Curator& curator) {
  const MixtureNoise noise(request, curator);
  const Noisy sums = curator.release(request.rows(), noise.moments(), "moments", [&](const Matrix& rows) {
    return weighted_moments(rows, kMomentWeights);
  });
  Topics mixture = mixture_from_moments(request, sums);
  for (int step = 0; step < kSteps; ++step) {
    const StepBounds bounds = step_bounds(mixture);
    const Noisy moves = curator.release(request.rows(), noise.step(bounds), "step of the means",
                                        [&](const Matrix& rows) { return step_sums(rows, mixture, bounds); });
    mixture = after_step(std::move(mixture), bounds, moves, static_cast<double>(request.documents));
  }
  return {std::move(mixture),
          {},
          {fmt::format("Released all moments at once, with {} noise of deviation {:.4g} on sums of rows of "
                       "length at most 1, and {} steps of the means.",
                       noise.moments().name(), sums.deviation, kSteps)}};
}

TopicOutcome run(const TopicRequest& request, Curator& curator) {
  if (request.mixture()) return from_rows(request, curator);
  return triple_cells(request.words) <= kMostTriples ? from_triples(request, curator)
                                                     : from_pairs(request, curator);
}

}  // namespace

Method histogram_topics() {
  return {.job = Job::topics,
          .name = "histogram",
          .title = "noisy counts of triples of words, then noise-aware estimation for free",
          .source = "Tulle",
          .guarantee = "epsilon-private, or (epsilon, delta)-private, for one document under replace",
          .details =
              "Counts of multisets of three words change by 2 when a document is replaced, whatever the "
              "order of its words; each is released once with discrete Laplace or Gaussian noise, whichever "
              "is less. With more than 292 words, pairs are counted and triples projected to as many "
              "dimensions as there are topics. Whitening and the power method give initial topics; weighted "
              "least squares on the released counts, with their known noise, improves them. Mixtures: all "
              "moments in one release, then steps of expectation maximisation.",
          .protects = {{Unit::document, Relation::replace}},
          .sound = run,
          .over_sites = OverSites::sums};
}

}  // namespace tulle
