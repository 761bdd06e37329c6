// Which of the many equal Tucker models the ridge prefers.
#pragma once

#include "completion.hpp"

namespace tulle {

// A factor may be multiplied by any matrix when the core is multiplied by its inverse: predictions stay the
// same, the penalty does not. Moves each mode in turn to its least. Alternating updates and small steps get
// there by themselves, but only after hundreds of iterations that change nothing else. Without a ridge on
// both, nothing is preferred and nothing is done. For ridges that are the same for all columns.
void balance(const Penalty& penalty, Tucker& model);

}  // namespace tulle
