// Where a run writes to: checked before it spends anything, and cleaned up when it is broken off.
#pragma once

#include <string>
#include <vector>

namespace tulle {

// A UsageError where two outputs are one file, or an output is also an input; an Error where a file cannot be
// made. Empty names and "-" are left out.
void check_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);
// The same for model files, whose names end in .npz: a UsageError where one does not.
void check_model_outputs(const std::vector<std::string>& models, const std::vector<std::string>& inputs);

// For a program that ends before its time, on a signal: removes the temporary files of outputs that are not
// whole yet. No output can be made or completed afterwards.
void remove_temporary_files();

}  // namespace tulle
