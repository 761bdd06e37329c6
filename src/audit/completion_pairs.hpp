// Random neighbouring tensors, and runs of the completion methods on them.
#pragma once

#include <tulle/audit/pairs.hpp>

namespace tulle::attacks {

NeighbouringPair random_completion_pair(const PairKind& kind, std::uint64_t number);

}  // namespace tulle::attacks
