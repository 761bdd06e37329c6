// Random neighbouring sets of labelled examples, for the exact audit.
#pragma once

#include <tulle/audit/pairs.hpp>

namespace tulle::attacks {

NeighbouringPair random_classification_pair(const PairKind& kind, std::uint64_t number);

}  // namespace tulle::attacks
