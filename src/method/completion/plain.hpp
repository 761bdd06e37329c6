#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

// Fitting without any privacy: the baseline that every private method is judged against.
Method plain_method();

}  // namespace tulle
