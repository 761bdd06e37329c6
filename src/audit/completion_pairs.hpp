// Random neighbouring tensors, and runs of the completion methods on them.
#pragma once

#include <tulle/audit/pairs.hpp>

namespace tulle::attacks {

// Two neighbouring tensors.
struct Tensors {
  SparseTensor first, second;
  std::optional<std::uint64_t> watched = {};
  std::vector<std::size_t> blanked = {};
  Index user = 0;  // whose entries differ, if users are the unit
};

struct RandomCompletion {
  CompletionJob job;
  Tensors pair;
  std::string text;
};
RandomCompletion random_completion(const PairKind& kind, std::uint64_t number);

NeighbouringPair random_completion_pair(const PairKind& kind, std::uint64_t number);

}  // namespace tulle::attacks
