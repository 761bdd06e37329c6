#include <tulle/base/error.hpp>
#include <tulle/job/outputs.hpp>

#include <unistd.h>

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
  if (fs::is_directory(output)) fail("{}: is a folder; give the name of a file", output);
  const fs::path folder = fs::absolute(output).parent_path();
  if (!fs::is_directory(folder)) fail("{}: there is no folder {}; make it first", output, folder.string());
  if (access(folder.c_str(), W_OK) != 0)
    fail("{}: nothing can be written in {}; choose another folder", output, folder.string());
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

}  // namespace tulle
