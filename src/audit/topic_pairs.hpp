// Random neighbouring corpora and samples of mixtures, and runs of the topic methods on them.
#pragma once

#include <tulle/audit/pairs.hpp>

namespace tulle::attacks {

NeighbouringPair random_topic_pair(const PairKind& kind, std::uint64_t number);

}  // namespace tulle::attacks
