#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

// Noise on one factor (wang2021, algorithm 1).
Method factor_method();

}  // namespace tulle
