// Random neighbouring tables of one of several sites, and runs over all of them.
#pragma once

#include <tulle/audit/pairs.hpp>

namespace tulle::attacks {

NeighbouringPair random_site_pair(const PairKind& kind, std::uint64_t number);

}  // namespace tulle::attacks
