// Warm start of a fit from a model file.
#pragma once

#include <tulle/io/model_file.hpp>
#include <tulle/method/warm_start.hpp>

#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// Includes the guarantee of the file: a private run refuses a model without one. Errors refer to the model as
// `name`, such as its path.
WarmStart warm_start_of(ModelFile file, std::string name);

// Rows of a model are matched by position: its labels must equal those of the data, in the same order. Modes
// whose positions are private are not compared. Errors name `path`, the model's.
void check_same_positions(const std::string& path, const std::vector<Mode>& model,
                          const std::vector<Mode>& data);

}  // namespace tulle

#pragma GCC visibility pop
