// Noise on the entries of the second and third moment (imtiaz2017): methods agn and avn.
//
// Unit, relation:  document (or row), replace. Public: how many there are, words, topics, options, the
//                  bound of the rows.
// Releases:        1. the second moment (of rows, the first too), every entry once. 2. the third moment,
//                  every entry once. For words each changes by at most sqrt(2) in L2: an entry is a count of
//                  word_moments.hpp divided by its number of orders. For rows: mixture.hpp.
// After that free: whitening, power method.
// Cost:            docs/methods.md.
#include "entry_moments.hpp"

#include "estimate.hpp"
#include "mixture.hpp"
#include "projected.hpp"
#include "published/published_sgd.hpp"
#include "word_moments.hpp"

#include <tulle/base/error.hpp>
#include <tulle/tensor/decompositions.hpp>
#include <tulle/tensor/symmetric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace tulle {
namespace {

constexpr Index kMostWords = 292;  // every third moment is held: D^3 / 6 of them, D^3 as published

void check_words(const TopicRequest& request) {
  if (request.words > kMostWords)
    fail_usage(
        "this method holds all third moments, of at most {} words, and there are {}; use method histogram",
        kMostWords, request.words);
}

// Turns counts of cells into entries of a symmetric tensor, which share the count of their cell, and back.
std::vector<double> entries_of_pairs(std::vector<double> counts, Index words) {
  for_each_pair(words,
                [&](std::size_t cell, std::size_t a, std::size_t b) { counts[cell] /= orders_of(a, b); });
  return counts;
}
std::vector<double> entries_of_triples(std::vector<double> counts, Index words) {
  for_each_triple(words, [&](std::size_t cell, std::size_t a, std::size_t b, std::size_t c) {
    counts[cell] /= orders_of(a, b, c);
  });
  return counts;
}
std::vector<double> counts_of_triples(std::vector<double> entries, Index words) {
  for_each_triple(words, [&](std::size_t cell, std::size_t a, std::size_t b, std::size_t c) {
    entries[cell] *= orders_of(a, b, c);
  });
  return entries;
}

Matrix symmetric_of(const std::vector<double>& entries, Index words) {
  Matrix matrix(words, words);
  for_each_pair(words, [&](std::size_t cell, std::size_t a, std::size_t b) {
    matrix(a, b) = matrix(b, a) = entries[cell];
  });
  return matrix;
}

constexpr const char* kLow = "low moments";  // ids of releases
constexpr const char* kThird = "third moments";

Releases measure_words(const TopicRequest& request, Curator& curator, const EntryNoise& noise) {
  const Index words = request.words;
  const std::uint64_t seed = request.options.seed;
  Releases releases{
      Release::of(kLow, curator,
                  curator.release(request.corpus(), noise.low, "second moments", [&](const Documents& site) {
                    return entries_of_pairs(pair_counts(site, request.documents, seed), words);
                  }))};
  releases.push_back(
      Release::of(kThird, curator,
                  curator.release(request.corpus(), noise.third, "third moments", [&](const Documents& site) {
                    return entries_of_triples(triple_counts(site, request.documents, seed), words);
                  })));
  return releases;
}

TopicOutcome topics_of_words(const Measurement& measured, const TopicOptions& options) {
  const Index words = measured.shape[0];
  const auto documents = static_cast<double>(measured.documents->count);
  const Release& low = measured.find(kLow, pair_cells(words));
  const Release& third = measured.find(kThird, triple_cells(words));
  const Matrix second = symmetric_of(low.values, words) / documents;
  const Whitening whitening = whiten(
      second, options.topics, noise_edge(low.deviation / documents, words, second.diagonal().maxCoeff()));
  const Cube cube = project(counts_of_triples(third.values, words), whitening.whiten) / documents;
  const RankOneTerms terms = decompose(cube, options.topics, {.seed = options.seed});
  return {word_topics(whitening, terms), {}, {}};
}

// The entries of a symmetric cube, each once.
std::vector<double> entries_of_cube(const Cube& cube) {
  const auto size = static_cast<std::size_t>(cube.rows());
  std::vector<double> entries(triple_cells(size));
  for_each_triple(size, [&](std::size_t cell, std::size_t a, std::size_t b, std::size_t c) {
    entries[cell] = cube(a, b * size + c);
  });
  return entries;
}

Releases measure_rows(const TopicRequest& request, Curator& curator, const EntryNoise& noise) {
  Releases releases{Release::of(kLow, curator,
                                curator.release(request.rows(), noise.low, "first and second moments",
                                                [](const Matrix& site) { return low_moments(site); }))};
  releases.push_back(Release::of(kThird, curator,
                                 curator.release(request.rows(), noise.third, "third moments",
                                                 [](const Matrix& site) { return third_moment(site); })));
  return releases;
}

TopicOutcome mixture_of_rows(const Measurement& measured, const TopicOptions& options) {
  const Index size = measured.shape[0];
  const auto rows = static_cast<double>(measured.documents->count);
  const Release& sums = measured.find(kLow, size + pair_cells(size));
  const Release& third = measured.find(kThird, triple_cells(size));
  Noisy low{sums.values, sums.deviation / rows};
  for (double& value : low.values) value /= rows;
  const MixtureSubspace subspace = subspace_of(low_moments_of(low, size), options.topics);
  const Cube cube = project(counts_of_triples(third.values, size), subspace.whitening.whiten) / rows;
  return {mixture_of(subspace, cube, options), {}, {}};
}

// The K largest singular values and their left vectors, as published: M2 is not symmetric, and signs are
// ignored.
Whitening whiten_as_published(const Matrix& second, int count) {
  const Svd svd = thin_svd(second);
  const Vector values = svd.values.head(count).cwiseMax(1e-300);
  const Matrix left = svd.u.leftCols(count);
  return {left * values.cwiseSqrt().cwiseInverse().asDiagonal(), left * values.cwiseSqrt().asDiagonal(),
          values};
}

}  // namespace

MomentSensitivities moment_sensitivities(const TopicRequest& request) {
  check_words(request);
  const auto l2 = [](double value) { return Sensitivity::l2(value, Unit::document, Relation::replace); };
  const std::uint64_t pairs = pair_cells(request.words), triples = triple_cells(request.words);
  if (request.mixture())
    return {request.words + pairs, triples, l2(replaced_low_moments(request)),
            l2(replaced_cube(request, request.words))};
  return {pairs, triples, l2(kReplacedCountsL2), l2(kReplacedCountsL2)};
}

Releases release_entries(const TopicRequest& request, Curator& curator, const EntryNoise& noise) {
  return request.mixture() ? measure_rows(request, curator, noise) : measure_words(request, curator, noise);
}

TopicOutcome topics_of_entries(const Measurement& measured, const TopicOptions& options) {
  return measured.documents->mixture ? mixture_of_rows(measured, options)
                                     : topics_of_words(measured, options);
}

// For each multiset of words, one entry is released with noise. The paper then adds the same noise to all
// other orders of these words, whose counts differ: nothing protects their differences.
PublishedMoments moments_as_published(const TopicRequest& request, Curator& curator,
                                      const EntryNoise& noise) {
  const Protected<Documents>& data = request.corpus();
  const auto words = static_cast<Eigen::Index>(request.words);
  const auto documents = static_cast<double>(request.documents);

  const Protected<Matrix> pairs = data.map(ordered_pairs);
  const Noisy low = curator.release(pairs, noise.low, "second moments", [&](const Matrix& sums) {
    std::vector<double> entries(noise.low.coordinates());
    for_each_pair(request.words,
                  [&](std::size_t cell, std::size_t a, std::size_t b) { entries[cell] = sums(b, a); });
    return entries;
  });
  Matrix second = released_without_noise(pairs);
  for_each_pair(request.words, [&](std::size_t cell, std::size_t a, std::size_t b) {
    const double added = low.values[cell] - second(b, a);
    second(b, a) += added;
    if (a != b) second(a, b) += added;
  });

  const Protected<Cube> triples = data.map(ordered_triples);
  const Noisy released = curator.release(triples, noise.third, "third moments", entries_of_cube);
  Cube third = released_without_noise(triples);
  for_each_triple(request.words, [&](std::size_t cell, std::size_t a, std::size_t b, std::size_t c) {
    const double added = released.values[cell] - third(a, b * words + c);
    const std::array<std::size_t, 3> first = {a, b, c};
    std::array<std::size_t, 3> order = first;
    do third(order[0], order[1] * words + order[2]) += added;
    while (std::ranges::next_permutation(order).found);
  });

  return {second / documents, third / documents};
}

TopicOutcome topics_as_published(const TopicRequest& request, Curator& curator, const EntryNoise& noise) {
  const PublishedMoments moments = moments_as_published(request, curator, noise);
  const Whitening whitening = whiten_as_published(moments.second, request.options.topics);
  const RankOneTerms terms = decompose(project(moments.third, whitening.whiten), request.options.topics,
                                       {.seed = request.options.seed});
  return {word_topics(whitening, terms), {}, {}, moments.second};
}

double classical_multiplier(double epsilon, double delta) {
  return std::sqrt(2 * std::log(1.25 / delta)) / epsilon;
}

void need_delta(const TopicRequest& request, const char* method) {
  if (request.budget.delta == 0) fail_usage("method {} needs a delta above 0, such as 1e-6", method);
}

}  // namespace tulle
