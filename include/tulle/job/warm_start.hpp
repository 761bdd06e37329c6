// A model file that a fit starts from.
#pragma once

#include <tulle/tensor/dataset.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tulle {

// Rows of a model go by position: its labels must be those of the data, in their order. Modes whose positions
// are private are not compared. `path` is the model's, for the error.
void check_same_positions(const std::string& path, const std::vector<Mode>& model,
                          const std::vector<Mode>& data);

// What is promised of a model, in words, from the guarantee in its file. None where no guarantee holds: the
// model may have been fitted to the very data of the new run, and the new model would carry that on.
std::optional<std::string> source_with_guarantee(const std::string& guarantee);

}  // namespace tulle
