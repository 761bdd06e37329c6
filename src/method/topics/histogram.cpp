// Counts of multisets of words with noise, then noise-aware estimation (Tulle).
//
// Unit, relation:  document (or row), replace. Public: how many there are, words, topics, options, the
//                  length of documents of a table, the bound of the rows.
// Releases:        words: counts of triples, 2 in L1, sqrt(2) in L2 (word_moments.hpp). Where public facts
//                  say that these would be lost in their noise (word_plan.hpp): counts of words; counts of
//                  pairs of the words that the first release shows to be common; third moments of rows of
//                  length 1. A document gives the first two shares that add up to 1 at most, of whole
//                  documents or of what is left of it without other words: 2 in L1, sqrt(2) in L2 each. The
//                  third changes by 2 in L2 and the rounding of the sum (projected.hpp). Rows: weighted
//                  moments in one vector (mixture.hpp), then steps of expectation maximisation
//                  (mixture_steps.hpp).
// After that free: shares of words as posterior means (word_shares.hpp), how many topics stand out of the
//                  noise (estimate.hpp), whitening, power method, least squares on what was released.
// Cost:            docs/methods.md.
#include "common_words.hpp"
#include "crafted.hpp"
#include "estimate.hpp"
#include "methods.hpp"
#include "mixture.hpp"
#include "mixture_steps.hpp"
#include "word_moments.hpp"
#include "word_plan.hpp"
#include "word_shares.hpp"

#include <tulle/base/error.hpp>
#include <tulle/method/topics.hpp>
#include <tulle/solve/topics/refine.hpp>
#include <tulle/solve/topics/refine_mixture.hpp>
#include <tulle/tensor/symmetric.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace tulle {
namespace {

constexpr const char* kTriples = "triples";  // ids of releases
constexpr const char* kMoments = "moments";
constexpr const char* kLastStep = "last step";

// Every triple is counted with noise, once.
Releases count_triples(const TopicRequest& request, Curator& curator) {
  const AdditiveNoise noise = triple_noise(request, curator);
  curator.plan({{.loss = loss_of(noise)}});
  Noisy counts = curator.release(
      request.corpus(), noise, "counts of triples of words",
      [&](const Documents& site) { return triple_counts(site, request.documents, request.options.seed); });
  return {Release::of(kTriples, curator, std::move(counts))};
}

// Pairs are sums of triples, and words of pairs.
TopicOutcome topics_of_triples(const Measurement& measured, const TopicOptions& options) {
  const Index words = measured.shape[0];
  const auto documents = static_cast<double>(measured.documents->count);
  const Release& counts = measured.find(kTriples, triple_cells(words));
  const Matrix pairs = pairs_of_triples(counts.values, words);
  const double deviation = counts.deviation * pair_deviation(words);
  const Vector shares =
      word_shares(pairs.rowwise().sum(), counts.deviation * word_deviation(words), documents);
  const int topics = topics_above_noise({pairs, deviation, shares}, options.topics).count;
  std::vector<std::string> remarks = {
      fmt::format("Counted every triple of words once, with {} noise of deviation {:.4g}.", counts.noise,
                  counts.deviation)};
  if (topics < 2)
    return {filled_up({shares, Vector::Ones(1)}, options.topics, shares), {}, std::move(remarks)};
  const Matrix second = pairs / documents;
  const Whitening whitening =
      whiten(second, topics, noise_edge(deviation / documents, words, second.diagonal().maxCoeff()));
  const Cube third = project(counts.values, whitening.whiten) / documents;
  const RankOneTerms terms = decompose(third, topics, {.seed = options.seed});
  Topics found = refine(word_topics(whitening, terms),
                        TripleCounts{counts.values, documents, counts.deviation * counts.deviation,
                                     WordPrior{shares, kWordsOfPrior}});
  return {filled_up(std::move(found), options.topics, shares), {}, std::move(remarks)};
}

// Chosen on mixtures of 5 components in 10 dimensions made for it.
constexpr MomentWeights kMomentWeights = {0.4, 1, 1};
constexpr int kSteps = 4;
// The smallest and the largest share of the budget for moments, and the standard deviation of their means
// that is accurate enough for the steps to start from.
constexpr double kLeastShareOfMoments = 0.1, kMostShareOfMoments = 0.4, kEnoughForSteps = 4e-4;

// The noise of a mixture's moments and of each step: all Gaussian, or all pure, with epsilons that add up.
class MixtureNoise {
 public:
  // Plans the releases.
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

// The parameters of the mixture from which a step was released. An estimate reads them: computed again on
// another machine, the components could have another order.
std::vector<double> numbers_of(const Topics& mixture) {
  std::vector<double> numbers = {mixture.variance};
  numbers.insert(numbers.end(), mixture.weights.begin(), mixture.weights.end());
  numbers.insert(numbers.end(), mixture.topics.data(), mixture.topics.data() + mixture.topics.size());
  return numbers;
}

Topics mixture_of_numbers(const std::vector<double>& numbers, Eigen::Index size, Eigen::Index components) {
  Topics mixture{Eigen::Map<const Matrix>(numbers.data() + 1 + components, size, components),
                 Eigen::Map<const Vector>(numbers.data() + 1, components), numbers.front()};
  check(mixture);
  if (!mixture.mixture()) fail("last step: the variance of its mixture is {}", mixture.variance);
  return mixture;
}

Topics moved_by(const Release& step, Topics mixture, double rows) {
  const StepBounds bounds = step_bounds(mixture);
  return after_step(std::move(mixture), bounds, Noisy{step.values, step.deviation}, rows);
}

// Keeps the last step only: with it goes the mixture that the earlier ones led to.
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

// The steps were released for one number of components; any other number is estimated from the moments alone.
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
  const WordPlan plan = plan_words(request, curator);
  return plan.triples ? count_triples(request, curator) : count_common_words(request, curator, plan);
}

TopicOutcome estimate_histogram(const Measurement& measured, const TopicOptions& options) {
  if (measured.documents->mixture) return mixture_of_releases(measured, options);
  return has_common_words(measured) ? topics_of_common_words(measured, options)
                                    : topics_of_triples(measured, options);
}

// With so many documents, triples are counted.
CraftedDocuments among_many(CraftedDocuments crafted) {
  crafted.canary += ", among 500";
  crafted.others = 500;
  return crafted;
}

// The releases of a large vocabulary: pairs of three words and, with two topics, third moments.
CraftedDocuments large_vocabulary() {
  return {.canary = "a document of one word thrice, of 293 words",
          .first = {1, 1, 1},
          .second = {2, 2, 2},
          .words = 293,
          .known = {0, 1, 2},
          .others = 5000};
}

}  // namespace

Method histogram_topics() {
  return {
      .job = Job::topics,
      .name = "histogram",
      .title = "noisy counts of triples of words, then noise-aware estimation for free",
      .source = "Tulle",
      .guarantee = "epsilon-private, or (epsilon, delta)-private, for one document under replace",
      .details =
          "Counts of multisets of three words change by 2 when a document is replaced, whatever the "
          "order of its words; each is released once with discrete Laplace or Gaussian noise, whichever "
          "is less. Where that noise would hide them, with many words or few documents, words are counted "
          "first, then pairs of those that are common, and triples are projected to as many dimensions as "
          "there are topics. Whitening and the power method give initial topics; weighted least squares on "
          "the released counts, with their known noise, improves them. Topics that do not stand out of "
          "the noise of the release and of drawing documents are marked and have no weight. Mixtures: all "
          "moments in one release, then steps of expectation maximisation.",
      .protects = {{Unit::document, Relation::replace}},
      .sound = MeasuredTopics{measure_histogram, estimate_histogram},
      .over_sites = OverSites::sums,
      .pairs = {.many_words = true},
      .worst_cases = {
          {.data = other_word()},
          {.data = other_order(), .trials = 5'000, .note = kSameWords},
          {.data = other_word(), .delta = kCraftedDelta},
          {.data = among_many(other_word()), .trials = 5'000},
          {.data = among_many(other_order()), .trials = 1'000, .note = kSameWords},
          {.data = among_many(other_word()), .delta = kCraftedDelta, .trials = 5'000},
          {.data = among_many(other_word()), .rank = 2, .trials = 5'000},
          {.data = among_many(long_document()), .trials = 5'000},
          {.data = large_vocabulary(), .rank = 2, .trials = 1'000, .quick_trials = 100},
          {.data = large_vocabulary(),
           .delta = kCraftedDelta,
           .rank = 2,
           .trials = 1'000,
           .quick_trials = 100},
          {.data = one_per_site(), .delta = kCraftedDelta, .sites = 3, .stated = {.colluding = 1}},
          {.data = other_sign()},
          {.data = other_sign(), .delta = kCraftedDelta},
      }};
}

}  // namespace tulle
