#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

// Noise on every observed entry, then any plain solver (wei2022, algorithm 1).
Method input_method();

}  // namespace tulle
