// A model file that a fit starts from.
#pragma once

#include <tulle/io/model_file.hpp>
#include <tulle/method/warm_start.hpp>

#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// With what the guarantee in the file promises: a private run refuses a model without one. `name` is what
// errors call it, such as its path.
WarmStart warm_start_of(ModelFile file, std::string name);

// Rows of a model go by position: its labels must be those of the data, in their order. Modes whose positions
// are private are not compared. `path` is the model's, for the error.
void check_same_positions(const std::string& path, const std::vector<Mode>& model,
                          const std::vector<Mode>& data);

}  // namespace tulle

#pragma GCC visibility pop
