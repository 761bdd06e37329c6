#include "topic_pairs.hpp"

#include "sites/site_cast.hpp"

#include <tulle/base/random.hpp>

#include <algorithm>
#include <cmath>

namespace tulle::attacks {
namespace {

// Lengths of documents: three words each, as in a table, or any length.
enum class Lengths { three, few, many };

std::vector<Index> random_document(Index words, Lengths lengths, Random& random) {
  std::uint64_t length = 3;
  if (lengths == Lengths::few) length = 3 + random.below(6);
  if (lengths == Lengths::many) length = random.chance(0.5) ? 3 : 200 + random.below(300);
  std::vector<Index> document(length);
  const bool one_word = random.chance(0.4);
  const auto word = static_cast<Index>(random.below(words));
  for (Index& each : document) each = one_word ? word : static_cast<Index>(random.below(words));
  return document;
}

// Sizes of `sites` sites with `count` units together, at least one each.
std::vector<std::size_t> random_sites(std::size_t count, std::size_t sites, Random& random) {
  std::vector<std::size_t> sizes(sites, 1);
  for (std::size_t left = count - sites; left > 0; --left) ++sizes[random.below(sites)];
  return sizes;
}

// Neighbours, which differ in one unit.
struct TopicNeighbours {
  TopicData first, second;
  std::size_t canary;
};

int site_of(std::size_t unit, const std::vector<std::size_t>& sizes) {
  int site = 0;
  for (std::size_t end = sizes.front(); end <= unit; end += sizes[static_cast<std::size_t>(site)]) ++site;
  return site;
}

// How often known documents are there, from once to 300 times: counts of words alone, of common pairs or of
// triples are released according to how many documents there are.
std::size_t random_copies(Random& random) {
  return static_cast<std::size_t>(std::pow(300, random.uniform()));
}

TopicNeighbours random_corpora(Index words, std::size_t count, std::size_t copies, std::size_t sites,
                               Random& random) {
  const auto lengths = static_cast<Lengths>(random.below(3));
  Documents first(words), second(words);
  const std::size_t canary = random.below(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<Index> document = random_document(words, lengths, random);
    first.append(document, "first");
    second.append(i == canary ? random_document(words, lengths, random) : document, "second");
  }
  for (std::size_t copy = 1; copy < copies; ++copy)
    for (std::size_t i = 0; i < count; ++i)
      if (i != canary) {
        const std::vector<Index> document(first[i].begin(), first[i].end());
        first.append(document, "first");
        second.append(document, "second");
      }
  count = first.size();
  const auto length = lengths == Lengths::three ? std::optional<std::uint64_t>(3) : std::nullopt;
  const std::vector<std::size_t> sizes =
      sites > 1 ? random_sites(count, sites, random) : std::vector<std::size_t>();
  return {Corpus{std::move(first), length, sizes}, Corpus{std::move(second), length, sizes}, canary};
}

Eigen::RowVectorXd random_row(Eigen::Index size, double norm, Random& random) {
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(size);
  const double kind = random.uniform();
  if (kind < 0.5) row[static_cast<Eigen::Index>(random.below(static_cast<std::uint64_t>(size)))] = 1;
  if (kind >= 0.4 && kind < 0.95)
    for (double& each : row) each += random.normal();
  if (row.norm() > 0) row /= row.norm();
  if (random.chance(0.5)) row *= -1;
  const double length = random.uniform();
  row *= norm * (length < 0.5 ? 1 : length < 0.6 ? 1e-3 : length < 0.7 ? 1e100 : length < 0.8 ? 3 : length);
  return row;
}

TopicNeighbours random_samples(Index words, std::size_t count, std::size_t sites, Random& random) {
  const double norm = random.chance(0.5) ? 1 : std::pow(10, 6 * random.uniform() - 3);
  Matrix first(static_cast<Eigen::Index>(count), words);
  for (Eigen::Index i = 0; i < first.rows(); ++i) first.row(i) = random_row(words, norm, random);
  Matrix second = first;
  const std::size_t canary = random.below(count);
  const auto row = static_cast<Eigen::Index>(canary);
  second.row(row) =
      random.chance(0.5) ? Eigen::RowVectorXd(-first.row(row)) : random_row(words, norm, random);
  const std::vector<std::size_t> sizes =
      sites > 1 ? random_sites(count, sites, random) : std::vector<std::size_t>();
  return {Samples{std::move(first), norm, sizes}, Samples{std::move(second), norm, sizes}, canary};
}

}  // namespace

NeighbouringPair random_topic_pair(const PairKind& kind, std::uint64_t number) {
  Random random(number, 14);
  const Method& method = find_method(kind.method, Job::topics);
  const bool mixture = kind.model == "mixture";
  // Beyond 292 words triples are projected, which is slow.
  const bool large = !mixture && method.pairs.many_words && random.chance(0.01);
  const auto words = static_cast<Index>(large ? 293 + random.below(8) : (mixture ? 1 : 3) + random.below(6));
  const bool apart = method.over_sites == OverSites::sums && random.chance(0.25);
  const std::size_t sites = apart ? 3 + random.below(3) : 1;
  const std::size_t count = sites + random.below(6), copies = large ? 1000 : random_copies(random);
  TopicJob job{.method = kind.method,
               .terms = {.budget = {random.chance(0.3)   ? 0.1
                                    : random.chance(0.5) ? 1
                                                         : 8,
                                    method.needs_delta || apart || random.chance(0.4) ? 1e-6 : 0},
                         .unit = Unit::document,
                         .sites = apart ? std::optional(Sites{static_cast<int>(random.below(sites - 1))})
                                        : std::nullopt},
               .options = {.topics = 1 + static_cast<int>(random.below(std::min<std::uint64_t>(3, words))),
                           .seed = random.below(1000)}};
  auto [first, second, canary] = mixture ? random_samples(words, count, sites, random)
                                         : random_corpora(words, count, copies, sites, random);
  const auto sizes = std::visit([](const auto& data) { return data.sites; }, first);
  NeighbouringPair pair =
      apart ? neighbouring_pair(job, std::move(first), std::move(second), site_of(canary, sizes))
            : neighbouring_pair(job, std::move(first), std::move(second));
  pair.text = fmt::format(
      "{} {} pair {}: {} units of {} words, {} copies, {} topics, epsilon {}, delta {}, {} sites, {} "
      "colluding",
      kind.method, kind.model, number, count, words, mixture ? 1 : copies, job.options.topics,
      job.terms.budget.epsilon, job.terms.budget.delta, sites,
      job.terms.sites ? job.terms.sites->colluding : 0);
  return pair;
}

}  // namespace tulle::attacks
