#include <tulle/io/data_files.hpp>
#include <tulle/io/memory.hpp>
#include <tulle/job/data_fingerprint.hpp>
#include <tulle/privacy/ledger/fingerprint.hpp>

#include <algorithm>
#include <filesystem>

namespace tulle {
namespace {

// Whether the data can be read only once, as from a pipe.
bool has_no_file(const std::string& path) {
  if (path == "-" || is_in_memory(path)) return true;
  std::error_code none;
  const std::filesystem::file_status found = std::filesystem::status(path, none);
  return exists(found) && !is_regular_file(found) && !is_directory(found);
}

}  // namespace

std::string fingerprint_of_data(const std::vector<std::string>& paths) {
  if (std::ranges::any_of(paths, has_no_file)) return "";
  std::vector<std::string> each;
  for (const std::string& path : paths) {
    const DataFiles data = files_of_data(path, paths.size() > 1);
    each.push_back(data.in_a_folder ? fingerprint_of_folder(data.files) : fingerprint_of_files(data.files));
  }
  return joined_fingerprints(each);
}

std::string fingerprint_of_images(const std::vector<std::string>& paths) {
  if (paths.empty() || has_no_file(paths.front())) return "";
  const DataFiles data = files_of_data(paths.front(), true);
  return data.images ? fingerprint_of_files(data.files) : "";
}

}  // namespace tulle
