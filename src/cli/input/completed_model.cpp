#include "input/completed_model.hpp"

#include <tulle/base/error.hpp>

namespace tulle::cli {

ModelFile load_completed(const std::string& path) {
  ModelFile file = load(path);
  if (std::holds_alternative<Topics>(file.model))
    fail("{}: a model of topics; give one that tulle complete made", path);
  return file;
}

}  // namespace tulle::cli
