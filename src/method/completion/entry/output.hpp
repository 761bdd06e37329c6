#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

// Noise on what a fit ends with (wei2022, algorithm 3).
Method output_method();

}  // namespace tulle
