#include "labelled/idx.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/data_files.hpp>

#include <algorithm>
#include <filesystem>

namespace tulle {

namespace fs = std::filesystem;

std::vector<std::string> documents_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

DataFiles files_of_data(const std::string& path, bool labels_given) {
  std::string images = path;
  if (fs::is_directory(path)) {
    images = images_in(path);
    if (images.empty()) {
      DataFiles documents{.files = documents_in(path), .in_a_folder = true};
      if (documents.files.empty()) fail("{}: the folder has no files; give the data", path);
      return documents;
    }
  }
  if (!is_idx_name(images)) return {.files = {path}};
  if (labels_given) return {.files = {images}, .images = true};
  return {.files = {images, labels_beside(images)}, .images = true};
}

}  // namespace tulle
