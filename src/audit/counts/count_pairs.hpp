// Random neighbouring tensors of events, and runs of the methods of counts on them.
#pragma once

#include <tulle/audit/pairs.hpp>

namespace tulle::attacks {

NeighbouringPair random_count_pair(const PairKind& kind, std::uint64_t number);

}  // namespace tulle::attacks
