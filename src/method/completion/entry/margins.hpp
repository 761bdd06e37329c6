#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

// Sums over positions and pairs of positions, then, with what is left of the budget, the entries.
Method margins_method();

}  // namespace tulle
