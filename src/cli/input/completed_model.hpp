// A model file of a completion.
#pragma once

#include <tulle/io/model_file.hpp>

#include <string>

namespace tulle::cli {

// An Error for a model of topics, which predicts no cells.
ModelFile load_completed(const std::string& path);

}  // namespace tulle::cli
