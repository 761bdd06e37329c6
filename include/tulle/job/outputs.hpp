// Where a run writes to, checked before it spends anything.
#pragma once

#include <string>
#include <vector>

namespace tulle {

// A UsageError where two outputs are one file, or an output is also an input; an Error where a file cannot be
// made. Empty names and "-" are left out.
void check_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

}  // namespace tulle
