#include "classification/classification_pairs.hpp"
#include "completion_pairs.hpp"
#include "counts/count_pairs.hpp"
#include "sites/site_pairs.hpp"
#include "topic_pairs.hpp"
#include "trials.hpp"

#include <tulle/base/random.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

// The unit and relation for which sums over sites are released.
constexpr Neighbours kSummedOverSites{Unit::user, Relation::add_remove};

bool is_topic_kind(const PairKind& kind) {
  return kind.model == "topics" || kind.model == "mixture";
}

std::string worst_of(const ExactFinding& finding) {
  if (!finding.differs.empty()) return finding.differs;
  const auto excess = [](const ExactRelease& release) {
    return std::max(release.ratio, release.loss.value_or(0));
  };
  const ExactRelease& worst = *std::ranges::max_element(finding.releases, {}, excess);
  return fmt::format("'{}' is {} times its sensitivity apart, its loss {} of epsilon", worst.what,
                     worst.ratio, worst.loss.value_or(0));
}

void take(ExactSummary& summary, const ExactFinding& finding, const NeighbouringPair& pair) {
  constexpr std::size_t kMost = 5;
  ++summary.pairs;
  summary.refused += finding.refused.empty() ? 0 : 1;
  summary.releases += finding.releases.size();
  for (const ExactRelease& release : finding.releases) {
    summary.loss = std::max(summary.loss, release.loss.value_or(0));
    if (release.ratio <= summary.ratio) continue;
    summary.ratio = release.ratio;
    summary.closest = fmt::format("{}: {}", pair.text, release.what);
  }
  if (finding.holds()) return;
  ++summary.violated;
  if (summary.violations.size() == kMost) return;
  summary.violations.push_back(fmt::format("{}: {}", pair.text, worst_of(finding)));
}

}  // namespace

const std::vector<PairKind>& pair_kinds() {
  static const std::vector<PairKind> all = [] {
    std::vector<PairKind> kinds;
    for (const Method& method : methods(Job::completion))
      for (const Protects& pair : method.protects)
        if (method.has(Calibration::sound))
          kinds.push_back({method.name, pair, "", method.pairs.weight * pair.pairs});
    for (const OverSites how : {OverSites::sums, OverSites::entries})
      for (const Method& method : methods(Job::completion))
        for (const Protects& pair : method.protects)
          if (method.over_sites == how && (how == OverSites::entries || pair == kSummedOverSites))
            kinds.push_back({method.name, pair, "", method.pairs.weight_over_sites, true});
    for (const Method& method : methods(Job::topics))
      for (const Protects& pair : method.protects)
        for (const char* model : {"topics", "mixture"})
          kinds.push_back({method.name, pair, model, method.pairs.weight});
    for (const Method& method : methods(Job::counts))
      for (const Protects& pair : method.protects)
        kinds.push_back({method.name, pair, "counts", method.pairs.weight});
    for (const Method& method : methods(Job::classification))
      for (const Protects& pair : method.protects)
        kinds.push_back({method.name, pair, "network", method.pairs.weight});
    return kinds;
  }();
  return all;
}

NeighbouringPair random_pair(const PairKind& kind, std::uint64_t number) {
  if (kind.over_sites) return attacks::random_site_pair(kind, number);
  if (kind.model == "counts") return attacks::random_count_pair(kind, number);
  if (kind.model == "network") return attacks::random_classification_pair(kind, number);
  return is_topic_kind(kind) ? attacks::random_topic_pair(kind, number)
                             : attacks::random_completion_pair(kind, number);
}

std::vector<ExactSummary> audit_random_pairs(const std::vector<PairKind>& kinds, std::uint64_t pairs,
                                             std::uint64_t seed) {
  double weights = 0;
  for (const PairKind& kind : kinds) weights += kind.weight;
  std::vector<ExactSummary> summaries;
  for (const PairKind& kind : kinds) {
    const auto count =
        static_cast<std::size_t>(std::ceil(static_cast<double>(pairs) * kind.weight / weights));
    ExactSummary summary{.kind = kind};
    attacks::run_with_bits(count, seed, [&](std::size_t i, RandomBits&) {
      const std::uint64_t number = seed * 1'000'000'000 + i;
      const NeighbouringPair pair = random_pair(kind, number);
      const ExactFinding finding = audit_exactly(pair, number);
#pragma omp critical(exact_summary)
      take(summary, finding, pair);
    });
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

}  // namespace tulle
