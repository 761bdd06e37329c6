#pragma once

#include <tulle/method/registry.hpp>

namespace tulle {

// Sums over positions and pairs of positions, then, with what is left of the budget, the entries.
Method margins_method();

}  // namespace tulle
