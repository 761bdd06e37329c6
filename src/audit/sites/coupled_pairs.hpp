// Random tensors as several relations of the same users, with public tables beside them.
#pragma once

#include "completion_pairs.hpp"

#include <tulle/data/coupling.hpp>

namespace tulle::attacks {

// The coupling of a tensor that is one relation.
Coupling one_relation(const Shape& shape, int user_mode);

// For some pairs, which the number determines, splits the tensors into two relations: every cell goes to one
// of them, the same in both tensors. The second relation may lack an entity.
void couple(RandomCompletion& completion, std::uint64_t number);

}  // namespace tulle::attacks
