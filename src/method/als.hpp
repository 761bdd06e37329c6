#pragma once

#include <tulle/method/registry.hpp>

namespace tulle {

// Private offsets, then low-rank interactions by noise-aware least squares: single entries or whole users.
Method als_method();

}  // namespace tulle
