#include "sink.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/outputs.hpp>

#include <filesystem>

namespace tulle {
namespace {

namespace fs = std::filesystem;

bool is_file(const std::string& name) {
  return !name.empty() && name != "-";
}

bool same_file(const std::string& one, const std::string& other) {
  std::error_code ignored;
  return fs::weakly_canonical(fs::absolute(one), ignored) ==
         fs::weakly_canonical(fs::absolute(other), ignored);
}

void check_writable(const std::string& output) {
  std::error_code none;  // names that cannot be looked up fail when a file is created
  if (fs::is_directory(output, none)) fail("{}: is a folder; give the name of a file", output);
  const fs::path folder = fs::absolute(output).parent_path();
  if (!fs::is_directory(folder)) fail("{}: there is no folder {}; make it first", output, folder.string());
  if (fs::exists(output, none) && !fs::is_regular_file(output, none))
    return;  // a pipe, /dev/null: written to directly
  // Creating a file reveals all other faults (permissions, a name that is too long, no space for a file).
  const AtomicFile trial(output);
}

}  // namespace

void check_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!is_file(outputs[i])) continue;
    for (std::size_t j = 0; j < i; ++j)
      if (is_file(outputs[j]) && same_file(outputs[i], outputs[j]))
        fail_usage("{}: two outputs would be written to it; give them different names", outputs[i]);
    for (const std::string& input : inputs)
      if (is_file(input) && same_file(outputs[i], input))
        fail_usage("{}: is an input and would be overwritten; give the output another name", outputs[i]);
    check_writable(outputs[i]);
  }
}

void check_model_outputs(const std::vector<std::string>& models, const std::vector<std::string>& inputs) {
  check_outputs(models, inputs);
  for (const std::string& model : models)
    if (!model.empty() && !model.ends_with(".npz"))
      fail_usage("{}: a model is an .npz file; give a name that ends in .npz", model);
}

}  // namespace tulle
