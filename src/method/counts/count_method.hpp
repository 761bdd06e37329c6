// What all methods of counts have in common.
#pragma once

#include <tulle/method/method.hpp>

namespace tulle {

// Completes a description: whom the method protects, the limits on users' rows, pairs and worst cases of the
// audit. `with_delta`: whether a delta changes its noise.
Method count_method(Method described, bool with_delta);

}  // namespace tulle
