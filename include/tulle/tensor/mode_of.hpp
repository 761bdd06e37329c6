// Modes as people name them.
#pragma once

#include <tulle/tensor/dataset.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tulle {

// A mode by its name or its number from 1. A UsageError, which begins with `what`, when there is none.
int mode_of(const std::string& text, const std::vector<Mode>& modes, std::string_view what);

}  // namespace tulle
