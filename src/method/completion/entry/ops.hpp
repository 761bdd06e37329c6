// Method ops.
#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

// One draw from the posterior of the means of positions (ermis2020, theorem 2.9).
Method ops_method();

}  // namespace tulle
