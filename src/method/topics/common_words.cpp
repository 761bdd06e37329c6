#include "common_words.hpp"

#include "estimate.hpp"
#include "projected.hpp"
#include "word_moments.hpp"
#include "word_shares.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/solve/topics/refine_pairs.hpp>
#include <tulle/tensor/symmetric.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

namespace tulle {
namespace {

constexpr const char* kWordShares = "word shares";  // ids of releases
constexpr const char* kPairsOfCommon = "pairs of common words";
constexpr const char* kCubeOfCommon = "projected triples of common words";

// By how many standard deviations of its noise the sum of a common word's pairs stands out. Chosen on made-up
// documents, of one topic and of several, where half and twice as many do nearly as well.
constexpr double kDeviationsOfPairs = 4;
constexpr int kStarts = 4;  // where triples do not give one

// ---- What is released ----

// The most common words: as many as are expected to have pairs with each other that stand out of the noise,
// whose standard deviation in the matrix of pairs is half that of a count.
std::vector<Index> common_words(const Vector& shares, double documents, double deviation) {
  std::vector<Index> words(static_cast<std::size_t>(shares.size()));
  std::iota(words.begin(), words.end(), Index{0});
  std::ranges::stable_sort(words, std::greater(), [&](Index word) { return shares[word]; });
  std::size_t common = 0;
  while (common < words.size() &&
         documents * shares[words[common]] >
             kDeviationsOfPairs * deviation / 2 * std::sqrt(static_cast<double>(common + 1)))
    ++common;
  words.resize(common);
  return words;
}

// The bound, and the matrix that leads back from the space to which triples were projected. An estimate reads
// them: computed again on another machine, the axes could have another order or direction.
std::vector<double> chosen_space(const Whitening& whitening, double bound) {
  std::vector<double> numbers = {bound};
  numbers.insert(numbers.end(), whitening.unwhiten.data(),
                 whitening.unwhiten.data() + whitening.unwhiten.size());
  return numbers;
}

// Pairs define the whitened space, in which third moments have few coordinates.
Release project_triples(const TopicRequest& request, Curator& curator, const AdditiveNoise& noise,
                        const std::vector<Index>& words, const Release& pairs) {
  const auto documents = static_cast<double>(request.documents);
  const auto count = static_cast<Index>(words.size());
  const Matrix second = matrix_of_cells(pairs.values, count) / documents;
  const Whitening whitening =
      whiten(second, request.options.topics,
             noise_edge(pairs.deviation / 2 / documents, count, second.diagonal().maxCoeff()));
  const double bound = best_bound(whitening.whiten, second.rowwise().sum(),
                                  pairs.deviation > 0 ? noise.deviation() / documents : 0);
  const ClippedRows clipped = clip_rows(whitening.whiten, bound);
  Noisy cells = curator.release(
      request.corpus(), noise, "third moments in the whitened space", [&](const Documents& site) {
        return isometric(
            symmetrised(projected_triples(of_words(site, words), clipped.rows, request.options.seed)));
      });
  Release release = Release::of(kCubeOfCommon, curator, std::move(cells));
  release.chosen = chosen_space(whitening, bound);
  return release;
}

// ---- The estimate ----

// The words whose pairs were counted, the counts, and the standard deviation of the noise off the diagonal.
struct CommonPairs {
  std::vector<Index> words;
  Matrix counts;
  double deviation;

  Index size() const { return static_cast<Index>(words.size()); }
};

CommonPairs common_pairs(const Release& pairs, Index all) {
  CommonPairs common{{}, {}, pairs.deviation / 2};
  const std::set<double> different(pairs.chosen.begin(), pairs.chosen.end());
  for (double word : different)
    if (!(word >= 0 && word < all && word == std::floor(word)))
      fail("pairs of common words: {} is not a word of {}", word, all);
  common.words.assign(pairs.chosen.begin(), pairs.chosen.end());
  if (common.size() < 2 || different.size() != pairs.chosen.size() ||
      pairs.values.size() != pair_cells(common.words.size()))
    fail("pairs of common words: {} counts of {} words", pairs.values.size(), pairs.chosen.size());
  common.counts = matrix_of_cells(pairs.values, common.size());
  return common;
}

// A start from projected triples, if they were released for this number of topics.
std::optional<Topics> start_of_triples(const Measurement& measured, const CommonPairs& common, int topics,
                                       std::uint64_t seed) {
  for (const Release* cells : measured.all(kCubeOfCommon)) {
    const std::size_t count = cells->chosen.size() / common.size();
    if (cells->chosen.size() != 1 + count * common.size() || cells->values.size() != triple_cells(count))
      fail("projected triples of common words: {} values for {} topics", cells->values.size(), count);
    if (count != static_cast<std::size_t>(topics)) continue;
    const Whitening way_back{
        {}, Eigen::Map<const Matrix>(cells->chosen.data() + 1, common.size(), topics), {}};
    const Cube third = cube_of(cells->values, topics) * std::pow(cells->chosen.front(), 3) /
                       static_cast<double>(measured.documents->count);
    return word_topics(way_back, decompose(third, topics, {.seed = seed}));
  }
  return {};
}

// Each topic has the shares of words times random factors, which are exponential with mean 1.
Topics random_start(const Vector& shares, int topics, Random& random) {
  Topics start{Matrix(shares.size(), topics), Vector::Constant(topics, 1.0 / topics)};
  for (Eigen::Index word = 0; word < shares.size(); ++word)
    for (int topic = 0; topic < topics; ++topic)
      start.topics(word, topic) = -shares[word] * std::log1p(-random.uniform());
  return start;
}

// The best fit from several starts.
Topics fitted(const Measurement& measured, const CommonPairs& common, const Vector& shares, int topics,
              std::uint64_t seed) {
  const PairCounts data{common.counts, common.deviation * common.deviation, WordPrior{shares, kWordsOfPrior}};
  if (std::optional<Topics> start = start_of_triples(measured, common, topics, seed))
    return refine(std::move(*start), data);
  Random random(seed);
  std::optional<Topics> best;
  double least = 0;
  for (int start = 0; start < kStarts; ++start) {
    Topics model = refine(random_start(shares, topics, random), data);
    const double here = misfit(model, data);
    if (best && here >= least) continue;
    best = std::move(model);
    least = here;
  }
  return std::move(*best);
}

// Scales rows and columns in turn (iterative proportional fitting) until the mean topic has these shares,
// which a release of their own shows more accurately than pairs do.
Topics with_shares(Topics model, const Vector& shares) {
  constexpr int kScalings = 20;
  for (int scaling = 0; scaling < kScalings; ++scaling) {
    const Vector rows = shares.cwiseQuotient(model.topics * model.weights);
    model.topics = rows.asDiagonal() * model.topics;
    const Vector sums = model.topics.colwise().sum();
    model.topics *= sums.cwiseInverse().asDiagonal();
  }
  return model;
}

// Words that were not counted in pairs have the same share in every topic.
Topics with_rare_words(const Topics& common, const std::vector<Index>& words, const Vector& shares) {
  Topics model{shares.replicate(1, common.count()), common.weights};
  double together = 0;
  for (Index word : words) together += shares[word];
  for (std::size_t place = 0; place < words.size(); ++place)
    model.topics.row(words[place]) = together * common.topics.row(static_cast<Eigen::Index>(place));
  return model;
}

}  // namespace

Releases count_common_words(const TopicRequest& request, Curator& curator, const WordPlan& plan) {
  const std::uint64_t seed = request.options.seed;
  const auto documents = static_cast<double>(request.documents);
  const std::vector<double> planned = curator.plan(plan.stages);
  const Loss counts = plan.stages[0].loss;
  Releases releases{Release::of(
      kWordShares, curator,
      curator.release(request.corpus(), count_noise(counts, planned[0], request.words), "shares of words",
                      [&](const Documents& site) { return word_counts(site, request.documents, seed); }))};
  const AdditiveNoise noise = count_noise(counts, planned[1], 1);
  const std::vector<Index> words = common_words(word_shares(releases[0], documents), documents,
                                                curator.is_private() ? noise.deviation() : 0);
  if (words.size() < 2) return releases;
  releases.push_back(
      Release::of(kPairsOfCommon, curator,
                  curator.release(request.corpus(), count_noise(counts, planned[1], pair_cells(words.size())),
                                  "counts of pairs of common words", [&](const Documents& site) {
                                    return pair_counts(of_words(site, words), request.documents, seed);
                                  })));
  releases.back().chosen.assign(words.begin(), words.end());
  if (!plan.cube() || words.size() < static_cast<std::size_t>(request.options.topics)) return releases;
  releases.push_back(project_triples(request, curator, cube_noise(plan.stages[2].loss, planned[2], request),
                                     words, releases[1]));
  return releases;
}

bool has_common_words(const Measurement& measured) {
  return measured.has(kWordShares);
}

TopicOutcome topics_of_common_words(const Measurement& measured, const TopicOptions& options) {
  const Release& sums = measured.find(kWordShares, measured.shape[0]);
  const Vector shares = word_shares(sums, static_cast<double>(measured.documents->count));
  std::vector<std::string> remarks = {
      fmt::format("Counted every word with {} noise of deviation {:.4g}.", sums.noise, sums.deviation)};
  Topics found{shares, Vector::Ones(1)};
  for (const Release* pairs : measured.all(kPairsOfCommon)) {
    CommonPairs common = common_pairs(*pairs, measured.shape[0]);
    remarks.push_back(
        fmt::format("Counted pairs of the {} most common words with {} noise of deviation {:.4g}.",
                    common.size(), pairs->noise, pairs->deviation));
    Vector of_common(common.size());
    for (Index place = 0; place < common.size(); ++place) of_common[place] = shares[common.words[place]];
    of_common /= of_common.sum();
    ShownTopics shown = topics_above_noise({common.counts, common.deviation, of_common}, options.topics);
    if (shown.count < 2) continue;
    common.counts = std::move(shown.pairs);
    Topics of_pairs = fitted(measured, common, of_common, shown.count, options.seed);
    found = with_rare_words(with_shares(std::move(of_pairs), of_common), common.words, shares);
  }
  return {filled_up(std::move(found), options.topics, shares), {}, std::move(remarks)};
}

}  // namespace tulle
