#include "classification/classification_pairs.hpp"
#include "completion_pairs.hpp"
#include "sites/site_pairs.hpp"
#include "topic_pairs.hpp"
#include "trials.hpp"

#include <tulle/base/random.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

// Fits by cross-validation take longest and add nothing about sensitivities.
double weight_of(const std::string& method, const Neighbours& neighbours) {
  if (method == "margins") return 0.05;
  if (method == "dp-sgld") return 0.1;  // plans of steps; its releases are those of gradient
  if (method == "local" || method == "one-shot" || method == "ldp1") return 0.2;
  if (method == "ldp2") return 0.1;  // in one place it equals ldp1
  if (method == "auto") return neighbours == Neighbours{Unit::user, Relation::replace} ? 0.2 : 0.5;
  return 1;
}

// The unit and relation that methods over sites protect.
constexpr Neighbours kAtSites{Unit::user, Relation::add_remove};

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
      for (const Neighbours& neighbours : method.protects)
        if (method.has(Calibration::sound))
          kinds.push_back({method.name, neighbours, "", weight_of(method.name, neighbours)});
    // A run over sites needs threads, and keys for every sum.
    for (const Method& method : methods(Job::completion))
      if (method.over_sites == OverSites::sums &&
          std::ranges::find(method.protects, kAtSites) != method.protects.end())
        kinds.push_back({method.name, kAtSites, "", method.name == "als" ? 0.4 : 0.05, true});
    for (const Method& method : methods(Job::completion))
      if (method.over_sites == OverSites::entries)
        for (const Neighbours& neighbours : method.protects)
          kinds.push_back({method.name, neighbours, "", 0.03, true});
    for (const Method& method : methods(Job::topics))
      if (method.is_private())
        for (const char* model : {"topics", "mixture"})
          kinds.push_back({method.name, {Unit::document, Relation::replace}, model, 1});
    for (const Method& method : methods(Job::classification))
      for (const Neighbours& neighbours : method.protects)
        kinds.push_back({method.name, neighbours, "network", 0.5});
    return kinds;
  }();
  return all;
}

NeighbouringPair random_pair(const PairKind& kind, std::uint64_t number) {
  if (kind.over_sites) return attacks::random_site_pair(kind, number);
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
