// Which files data are read from, where a path names more than one file, or a part of them.
#pragma once

#include <string>
#include <vector>

namespace tulle {

struct DataFiles {
  std::vector<std::string> files;  // in the order in which they are read
  bool in_a_folder = false;        // a file per document, whose names decide on their order
  bool images = false;             // in the first one, an idx file
};

// Images in idx files are read with their labels: those beside them, unless `labels_given` says that others
// are. A folder is that of such images, as MNIST comes, or else one of documents. An Error where labels are
// missing, or a folder is empty.
DataFiles files_of_data(const std::string& path, bool labels_given = false);

// Of a folder of documents: its regular files, in order of their names.
std::vector<std::string> documents_in(const std::string& folder);

}  // namespace tulle
