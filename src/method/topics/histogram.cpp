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
#include "crafted.hpp"
#include "estimate.hpp"
#include "methods.hpp"
#include "mixture.hpp"
#include "mixture_steps.hpp"
#include "projected.hpp"
#include "word_moments.hpp"

#include <tulle/base/error.hpp>
#include <tulle/method/topics.hpp>
#include <tulle/solve/topics/refine.hpp>
#include <tulle/solve/topics/refine_mixture.hpp>
#include <tulle/solve/topics/refine_pairs.hpp>
#include <tulle/tensor/symmetric.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

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

constexpr const char* kTriples = "triples";  // ids of releases
constexpr const char* kPairs = "pairs";
constexpr const char* kCube = "projected triples";
constexpr const char* kMoments = "moments";
constexpr const char* kLastStep = "last step";

// Every triple is counted with noise, once.
Releases count_triples(const TopicRequest& request, Curator& curator) {
  const AdditiveNoise noise = triple_noise(request, curator, triple_cells(request.words));
  curator.plan({{.loss = loss_of(noise)}});
  Noisy counts = curator.release(
      request.corpus(), noise, "counts of triples of words",
      [&](const Documents& site) { return triple_counts(site, request.documents, request.options.seed); });
  return {Release::of(kTriples, curator, std::move(counts))};
}

// Pairs are sums of triples.
TopicOutcome topics_of_triples(const Measurement& measured, const TopicOptions& options) {
  const Index words = measured.shape[0];
  const auto documents = static_cast<double>(measured.documents->count);
  const Release& counts = measured.find(kTriples, triple_cells(words));
  const Matrix second = pairs_of_triples(counts.values, words) / documents;
  const double deviation = counts.deviation * pair_deviation(words) / documents;
  const Whitening whitening =
      whiten(second, options.topics, noise_edge(deviation, words, second.diagonal().maxCoeff()));
  const Cube third = project(counts.values, whitening.whiten) / documents;
  const RankOneTerms terms = decompose(third, options.topics, {.seed = options.seed});
  Topics model = refine(word_topics(whitening, terms),
                        TripleCounts{counts.values, documents, counts.deviation * counts.deviation});
  return {std::move(model),
          {},
          {fmt::format("Counted every triple of words once, with {} noise of deviation {:.4g}.", counts.noise,
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

// What an estimate needs of the space in which triples were projected: the way back, and the bound. It is not
// computed again, since its axes may come out in another order or direction elsewhere.
std::vector<double> chosen_space(const Whitening& whitening, double bound) {
  std::vector<double> numbers = {bound};
  numbers.insert(numbers.end(), whitening.unwhiten.data(),
                 whitening.unwhiten.data() + whitening.unwhiten.size());
  return numbers;
}

Release project_triples(const TopicRequest& request, Curator& curator, const AdditiveNoise& noise,
                        const Whitening& whitening, double bound) {
  const ClippedRows clipped = clip_rows(whitening.whiten, bound);
  Noisy cells = curator.release(
      request.corpus(), noise, "third moments in the whitened space", [&](const Documents& site) {
        return isometric(symmetrised(projected_triples(site, clipped.rows, request.options.seed)));
      });
  Release release = Release::of(kCube, curator, std::move(cells));
  release.chosen = chosen_space(whitening, bound);
  return release;
}

// Pairs are counted with noise; they give the whitened space, in which the third moments are few numbers.
Releases count_pairs(const TopicRequest& request, Curator& curator) {
  const Index words = request.words;
  const auto documents = static_cast<double>(request.documents);
  const PairAndCubeNoise noise = pair_and_cube_noise(request, curator);
  curator.plan(pair_and_cube_stages(loss_of(noise.pairs), loss_of(noise.cube)));
  Noisy counts = curator.release(
      request.corpus(), noise.pairs, "counts of pairs of words",
      [&](const Documents& site) { return pair_counts(site, request.documents, request.options.seed); });
  const Matrix pairs = matrix_of_cells(counts.values, words);
  const double deviation = counts.deviation / 2;  // of an entry off the diagonal
  const Whitening whitening =
      whiten(pairs / documents, request.options.topics,
             noise_edge(deviation / documents, words, pairs.diagonal().maxCoeff() / documents));
  const Vector shares = pairs.rowwise().sum() / documents;
  const double bound =
      best_bound(whitening.whiten, shares, counts.deviation > 0 ? noise.cube.deviation() / documents : 0);
  Releases releases{Release::of(kPairs, curator, std::move(counts))};
  releases.push_back(project_triples(request, curator, noise.cube, whitening, bound));
  return releases;
}

TopicOutcome topics_of_pairs(const Measurement& measured, const TopicOptions& options) {
  const Index words = measured.shape[0];
  const auto topics = static_cast<std::size_t>(options.topics);
  const auto documents = static_cast<double>(measured.documents->count);
  const Release& counts = measured.find(kPairs, pair_cells(words));
  const Release& cells = *measured.all(kCube).front();
  if (cells.values.size() != triple_cells(topics) || cells.chosen.size() != 1 + words * topics)
    fail_usage(
        "histogram projected triples of words for another number of topics than {}; find the topics of the "
        "documents again",
        options.topics);
  const double bound = cells.chosen.front(), deviation = counts.deviation / 2;
  const Whitening way_back{{}, Eigen::Map<const Matrix>(cells.chosen.data() + 1, words, options.topics), {}};
  const Cube third = cube_of(cells.values, options.topics) * std::pow(bound, 3) / documents;
  const RankOneTerms terms = decompose(third, options.topics, {.seed = options.seed});
  Topics model = refine(word_topics(way_back, terms),
                        PairCounts{matrix_of_cells(counts.values, words), deviation * deviation});
  return {std::move(model),
          {},
          {fmt::format("Counted every pair of words with {} noise of deviation {:.4g}, and projected triples "
                       "to {} dimensions with {} noise.",
                       counts.noise, counts.deviation, options.topics, cells.noise)}};
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

Topics mixture_of_moments(const Release& sums, Index size, double rows, const TopicOptions& options) {
  const std::size_t first = size, low = first + pair_cells(first);
  std::vector<double> moments = sums.values;
  for (std::size_t i = 0; i < moments.size(); ++i)
    moments[i] /= rows * (i < first ? kMomentWeights.first
                          : i < low ? kMomentWeights.second
                                    : kMomentWeights.third);
  const double deviation = sums.deviation / rows / kMomentWeights.second;
  const MixtureSubspace subspace = subspace_of(low_moments_of({moments, deviation}, size), options.topics);
  const Cube third = cube_of(std::span(moments).subspan(low), size);
  Topics start = mixture_of(subspace, project(third, subspace.whitening.whiten), options);
  Topics mixture =
      refine(std::move(start),
             MixtureMoments{moments, {kMomentWeights.first, kMomentWeights.second, kMomentWeights.third}});
  shorten_means(mixture);
  return mixture;
}

// The mixture that a step was released for, as numbers: an estimate does not compute it again, since its
// components may come out in another order elsewhere.
std::vector<double> numbers_of(const Topics& mixture) {
  std::vector<double> numbers = {mixture.variance};
  numbers.insert(numbers.end(), mixture.weights.begin(), mixture.weights.end());
  numbers.insert(numbers.end(), mixture.topics.data(), mixture.topics.data() + mixture.topics.size());
  return numbers;
}

Topics mixture_of_numbers(const std::vector<double>& numbers, Eigen::Index size, Eigen::Index components) {
  return {Eigen::Map<const Matrix>(numbers.data() + 1 + components, size, components),
          Eigen::Map<const Vector>(numbers.data() + 1, components), numbers.front()};
}

Topics moved_by(const Release& step, Topics mixture, double rows) {
  const StepBounds bounds = step_bounds(mixture);
  return after_step(std::move(mixture), bounds, Noisy{step.values, step.deviation}, rows);
}

// Of the steps the last is kept: it knows what the others made.
Releases measure_mixture(const TopicRequest& request, Curator& curator) {
  const MixtureNoise noise(request, curator);
  const auto count = static_cast<double>(request.documents);
  Releases releases{Release::of(
      kMoments, curator, curator.release(request.rows(), noise.moments(), "moments", [&](const Matrix& rows) {
        return weighted_moments(rows, kMomentWeights);
      }))};
  Topics mixture = mixture_of_moments(releases.front(), request.words, count, request.options);
  std::optional<Release> last;
  for (int step = 0; step < kSteps; ++step) {
    const StepBounds bounds = step_bounds(mixture);
    Noisy moves = curator.release(request.rows(), noise.step(bounds), "step of the means",
                                  [&](const Matrix& rows) { return step_sums(rows, mixture, bounds); });
    last = Release::of(kLastStep, curator, std::move(moves));
    last->chosen = numbers_of(mixture);
    mixture = moved_by(*last, std::move(mixture), count);
  }
  releases.push_back(std::move(*last));
  return releases;
}

std::string remark_on(const Release& moments) {
  return fmt::format(
      "Released all moments at once, with {} noise of deviation {:.4g} on sums of rows of "
      "length at most 1, and {} steps of the means.",
      moments.noise, moments.deviation, kSteps);
}

// The steps are for the components that were asked for; others are found in the moments alone.
TopicOutcome mixture_of_releases(const Measurement& measured, const TopicOptions& options) {
  const Index size = measured.shape[0];
  const auto rows = static_cast<double>(measured.documents->count);
  const Release& moments = measured.find(kMoments, size + pair_cells(size) + triple_cells(size));
  const std::size_t components = static_cast<std::size_t>(options.topics), numbers = components * (size + 1);
  for (const Release* step : measured.all(kLastStep))
    if (step->values.size() == numbers && step->chosen.size() == 1 + numbers)
      return {moved_by(*step, mixture_of_numbers(step->chosen, size, options.topics), rows),
              {},
              {remark_on(moments)}};
  return {mixture_of_moments(moments, size, rows, options),
          {},
          {remark_on(moments),
           "The steps were for another number of components, and these are found in the moments alone."}};
}

Releases measure_histogram(const TopicRequest& request, Curator& curator) {
  if (request.mixture()) return measure_mixture(request, curator);
  return triple_cells(request.words) <= kMostTriples ? count_triples(request, curator)
                                                     : count_pairs(request, curator);
}

TopicOutcome estimate_histogram(const Measurement& measured, const TopicOptions& options) {
  if (measured.documents->mixture) return mixture_of_releases(measured, options);
  return measured.has(kCube) ? topics_of_pairs(measured, options) : topics_of_triples(measured, options);
}

CraftedDocuments large_vocabulary() {
  CraftedDocuments crafted = other_word();
  crafted.canary = "a document of one word thrice, of 293 words";
  crafted.words = 293;
  return crafted;
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
          .sound = MeasuredTopics{measure_histogram, estimate_histogram},
          .over_sites = OverSites::sums,
          .pairs = {.many_words = true},
          .worst_cases = {
              {.data = other_word()},
              {.data = other_order(), .trials = 5'000, .note = kSameWords},
              {.data = other_word(), .delta = kCraftedDelta},
              {.data = other_word(), .rank = 2},
              {.data = long_document()},
              {.data = large_vocabulary(), .trials = 1'000, .quick_trials = 100},
              {.data = one_per_site(), .delta = kCraftedDelta, .sites = 3, .stated = {.colluding = 1}},
              {.data = other_sign()},
              {.data = other_sign(), .delta = kCraftedDelta},
          }};
}

}  // namespace tulle
