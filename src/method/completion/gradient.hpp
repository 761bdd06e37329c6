#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

// Stochastic gradients with noise on every step (wei2022, algorithm 2).
Method gradient_method();

}  // namespace tulle
