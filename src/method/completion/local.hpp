#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

// Every user perturbs what she sends; the server sees nothing else (wang2021, algorithm 2, repaired).
Method local_method();

}  // namespace tulle
