// The files that data are read from, if a path names several files.
#pragma once

#include <string>
#include <vector>

namespace tulle {

struct DataFiles {
  std::vector<std::string> files;  // in the order in which they are read
  bool in_a_folder = false;        // a folder with a file per document, in the order of their names
  bool images = false;             // the first file is an idx file of images
};

// Images in idx files are read with the labels beside them, unless `labels_given` says that other labels are
// given. A folder contains such images, as MNIST does, or otherwise documents. Throws an Error if labels are
// missing or a folder is empty.
DataFiles files_of_data(const std::string& path, bool labels_given = false);

// The regular files of a folder of documents, sorted by name.
std::vector<std::string> documents_in(const std::string& folder);

}  // namespace tulle
