// Random tensors as several relations of the same users, with public tables beside them.
#pragma once

#include "completion_pairs.hpp"

#include <tulle/data/coupling.hpp>

namespace tulle::attacks {

// Of a tensor that is one relation.
Coupling one_relation(const Shape& shape, int user_mode);

// Of some pairs, which follow from the number, makes such: every cell goes to one of two relations, in both
// tensors alike, the second of which may lack an entity.
void couple(RandomCompletion& completion, std::uint64_t number);

}  // namespace tulle::attacks
