// The Tucker model with the least penalty among those with equal predictions.
#pragma once

#include "completion.hpp"

namespace tulle {

// Multiplying a factor by a matrix and the core by its inverse leaves predictions as they are, but changes
// the penalty. Minimises the penalty over each mode in turn. Alternating updates and small steps would reach
// the minimum too, but only after hundreds of iterations that change nothing else. Without a ridge on both
// factors and core, nothing is done. The ridges must be the same for all columns.
void balance(const Penalty& penalty, Tucker& model);

}  // namespace tulle
