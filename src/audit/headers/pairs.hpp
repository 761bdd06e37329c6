// Random neighbouring pairs for the exact audit, by the thousand: every sound method with each unit and
// relation that it protects, on tensors and documents of all sizes and shapes, with values at the bounds of
// their range and beyond, and with all settings. Its number alone determines a pair.
#pragma once

#include <tulle/audit/exact.hpp>

#include <string>
#include <vector>

namespace tulle {

// One line of the exact audit.
struct PairKind {
  std::string method;
  Neighbours neighbours{Unit::entry, Relation::replace};
  std::string model;        // empty: any of models_of()
  double weight = 1;        // of all pairs, relative to other kinds; slow kinds get fewer
  bool over_sites = false;  // one to four sites, one of which has the unit that differs
};

const std::vector<PairKind>& pair_kinds();
std::vector<std::string> models_of(const PairKind& kind);  // models that pairs of this kind may have

NeighbouringPair random_pair(const PairKind& kind, std::uint64_t number);

struct ExactSummary {
  PairKind kind;
  std::uint64_t pairs = 0, refused = 0, releases = 0;
  double ratio = 0, loss = 0;           // the largest
  std::string closest;                  // the pair and the release with the largest ratio
  std::vector<std::string> violations;  // the first few pairs that violate
  std::uint64_t violated = 0;
};

// Audits `pairs` pairs in all, divided among the kinds by their weights.
std::vector<ExactSummary> audit_random_pairs(const std::vector<PairKind>& kinds, std::uint64_t pairs,
                                             std::uint64_t seed = 1);

}  // namespace tulle
