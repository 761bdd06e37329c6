// Modes as people name them.
#pragma once

#include <tulle/tensor/dataset.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tulle {

// A mode by its name, by its number from 1, or as "axis 0", counted from 0. A UsageError, which begins with
// `what`, if there is none.
int mode_of(const std::string& text, const std::vector<Mode>& modes, std::string_view what);

// For people and programs that read UTF-8: a mode with any other text is read as Latin-1 as a whole, so that
// different labels stay different.
Mode in_utf8(const Mode& mode);
std::vector<Mode> in_utf8(const std::vector<Mode>& modes);

}  // namespace tulle
