#include "word_plan.hpp"

#include "estimate.hpp"
#include "projected.hpp"
#include "word_moments.hpp"

#include <tulle/tensor/symmetric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace tulle {
namespace {

// With more words there are too many triples to count each.
constexpr std::uint64_t kMostTriples = std::uint64_t{1} << 22;  // of 292 words

// The share of pairs in the budget that words leave, if triples are projected too. Chosen on made-up
// documents of 1,000 words.
constexpr double kShareOfPairs = 0.6;

Sensitivity l1_of_counts() {
  return Sensitivity::l1(kReplacedCountsL1, Unit::document, Relation::replace);
}
Sensitivity l2_of_counts() {
  return Sensitivity::l2(kReplacedCountsL2, Unit::document, Relation::replace);
}

// ---- What releases are expected to be worth ----

// The prior: the word of rank r has a share proportional to r^-a, and its share in a topic differs by a
// factor with this standard deviation (0: there are no topics). Losses are averaged over these values, which
// span those of texts.
constexpr double kZipf[] = {0.5, 1, 1.5}, kContrasts[] = {0, 0.5, 1};

// Words of about the same share: `words` of them.
struct Rank {
  double share, words;
};

// Ranks up to 63 one by one, then in steps of a thirty-second.
std::vector<Rank> zipf(Index words, double exponent) {
  std::vector<Rank> ranks;
  double sum = 0;
  for (double first = 1; first <= words;) {
    const double next = std::min(first + std::max(1.0, std::floor(first / 32)), words + 1.0);
    const double share = std::pow((first + next - 1) / 2, -exponent);
    ranks.push_back({share, next - first});
    sum += share * (next - first);
    first = next;
  }
  for (Rank& rank : ranks) rank.share /= sum;
  return ranks;
}

double length_of(const std::vector<Rank>& ranks) {
  double squares = 0;
  for (const Rank& rank : ranks) squares += rank.words * rank.share * rank.share;
  return std::sqrt(squares);
}

// Expected log loss per word. A share known up to the factor 1 + x costs x^2 / 2; one lost in the noise costs
// the logarithm of the ratio. Here for noise of this standard deviation on the sums of words.
double loss_of_words(const std::vector<Rank>& ranks, double documents, double deviation) {
  double loss = 0;
  for (const Rank& rank : ranks)
    loss += rank.words * rank.share * std::log1p(std::pow(deviation / (documents * rank.share), 2)) / 2;
  return loss;
}

// Expected loss from the contrasts between topics. Along a topic, a word's row of the counts of pairs has the
// signal N share contrast^2 |shares|, and noise with the standard deviation of an entry. A contrast lost in
// the noise costs contrast^2 / 2.
double loss_of_topics(const std::vector<Rank>& ranks, double documents, double deviation) {
  const double length = length_of(ranks);
  double loss = 0;
  for (double contrast : kContrasts)
    for (const Rank& rank : ranks) {
      const double square = contrast * contrast, signal = documents * rank.share * square * length;
      loss += rank.words * rank.share * square / 2 / (1 + std::pow(signal / (deviation / 2), 2));
    }
  return loss / std::size(kContrasts);
}

double expected_loss(const TopicRequest& request, double of_words, double of_pairs) {
  const auto documents = static_cast<double>(request.documents);
  double loss = 0;
  for (double exponent : kZipf) {
    const std::vector<Rank> ranks = zipf(request.words, exponent);
    loss += loss_of_words(ranks, documents, of_words) + loss_of_topics(ranks, documents, of_pairs);
  }
  return loss;
}

// ---- Plans ----

std::vector<Stage> stages_of(Loss counts, double topics, std::optional<Loss> cube) {
  std::vector<Stage> stages = {{.loss = counts, .share = 1 - topics}};
  if (cube) {
    stages.push_back({.loss = counts, .share = topics * kShareOfPairs});
    stages.push_back({.loss = *cube, .share = topics * (1 - kShareOfPairs)});
  } else {
    stages.push_back({.loss = counts, .share = topics});
  }
  return stages;
}

// In the whitened space a topic is a vector of length 1 / sqrt(weight), and rows are clipped to about the
// length 1 / |shares| and divided by it. Compares the third moments of such rows with the norm of their
// noise.
bool third_moments_stand_out(const TopicRequest& request, const AdditiveNoise& noise) {
  const double length = length_of(zipf(request.words, 1)), topics = request.options.topics;
  const double signal = static_cast<double>(request.documents) * std::sqrt(topics) * std::pow(length, 3);
  return signal > noise.deviation() * std::sqrt(static_cast<double>(noise.coordinates()));
}

struct Candidate {
  std::vector<Stage> stages;
  double loss = std::numeric_limits<double>::infinity();
};

// The plan with third moments if they are expected to stand out of their noise, otherwise without.
Candidate candidate(const TopicRequest& request, const Curator& curator, Loss counts, double topics) {
  const auto of = [&](std::optional<Loss> cube) {
    Candidate plan{stages_of(counts, topics, cube)};
    const std::vector<double> offered = curator.offer(plan.stages);
    plan.loss = expected_loss(request, count_noise(counts, offered[0], 1).deviation(),
                              count_noise(counts, offered[1], 1).deviation());
    if (cube && curator.is_private() &&
        !third_moments_stand_out(request, cube_noise(*cube, offered[2], request)))
      plan.loss = std::numeric_limits<double>::infinity();
    return plan;
  };
  std::vector<Loss> noises = {counts};
  if (counts == Loss::pure && request.budget.delta > 0) noises.push_back(Loss::gaussian);
  if (request.options.topics > 1)
    for (Loss cube : noises)
      if (Candidate plan = of(cube); std::isfinite(plan.loss)) return plan;
  return of({});
}

std::vector<Stage> best_stages(const TopicRequest& request, const Curator& curator) {
  std::vector<Loss> noises;
  if (!curator.at_site()) noises.push_back(Loss::pure);
  if (request.budget.delta > 0) noises.push_back(Loss::gaussian);
  Candidate best;
  constexpr int kShares = 32;
  for (Loss counts : noises)
    for (int share = 1; share < kShares; ++share)
      if (Candidate plan = candidate(request, curator, counts, static_cast<double>(share) / kShares);
          plan.loss < best.loss)
        best = std::move(plan);
  return best.stages;
}

// Counts of all triples cover every word, but each has noise. They are used if their pairs would show topics
// even of equally common words, whose eigenvalue is N / D, above the noise.
bool counts_triples(const TopicRequest& request, const Curator& curator) {
  if (triple_cells(request.words) > kMostTriples) return false;
  if (!curator.is_private()) return true;
  constexpr double kClearly = 4;
  const double deviation = triple_noise(request, curator).deviation() * pair_deviation(request.words);
  return static_cast<double>(request.documents) / request.words >
         kClearly * noise_edge(deviation, request.words, 0);
}

}  // namespace

AdditiveNoise count_noise(Loss loss, double noise, std::uint64_t cells) {
  return loss == Loss::gaussian ? AdditiveNoise::gaussian(l2_of_counts(), noise, cells)
                                : AdditiveNoise::laplace(l1_of_counts(), noise, cells);
}

AdditiveNoise cube_noise(Loss loss, double noise, const TopicRequest& request) {
  const std::uint64_t cells = triple_cells(static_cast<std::size_t>(request.options.topics));
  const auto moves =
      Sensitivity::l2(replaced_cube(request, request.options.topics), Unit::document, Relation::replace);
  return loss == Loss::gaussian ? AdditiveNoise::gaussian(moves, noise, cells)
                                : AdditiveNoise::gamma_norm(moves, noise, cells);
}

AdditiveNoise triple_noise(const TopicRequest& request, const Curator& curator) {
  const Allowance allowance = curator.allowance();
  const std::uint64_t cells = triple_cells(request.words);
  AdditiveNoise least = request.length == 3u
                            ? AdditiveNoise::discrete_laplace(l1_of_counts(), allowance.epsilon, cells)
                            : count_noise(Loss::pure, allowance.epsilon, cells);
  if (!allowance.noise_multiplier) return least;
  AdditiveNoise gaussian = count_noise(Loss::gaussian, *allowance.noise_multiplier, cells);
  return curator.at_site() || gaussian.deviation() < least.deviation() ? gaussian : least;
}

WordPlan plan_words(const TopicRequest& request, const Curator& curator) {
  if (counts_triples(request, curator)) return {.triples = true};
  return {.stages = best_stages(request, curator)};
}

}  // namespace tulle
