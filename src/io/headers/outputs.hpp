// The outputs of a run: checked before it spends any budget, and cleaned up if it is interrupted.
#pragma once

#include <string>
#include <vector>

namespace tulle {

// Throws a UsageError if two outputs are one file or an output is also an input, and an Error if a file
// cannot be created. Empty names and "-" are ignored.
void check_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);
// The same for model files; throws a UsageError for a name that does not end in .npz.
void check_model_outputs(const std::vector<std::string>& models, const std::vector<std::string>& inputs);

// For a program that a signal ends early: removes the temporary files of incomplete outputs. No output can be
// created or completed afterwards.
void remove_temporary_files();

}  // namespace tulle
