// The data that a run is charged for, as fingerprints of all files that its units are read from.
#pragma once

#include <string>
#include <vector>

namespace tulle {

// The fingerprint of the data named by a run or an account: a file, several tables, images with their labels,
// a folder. "" if any of them is standard input or in memory, which have no fingerprint. Labels beside images
// count even if only the images are named.
std::string fingerprint_of_data(const std::vector<std::string>& paths);

// The fingerprint of the images only, used by accounts created before labels counted; "" for other data.
std::string fingerprint_of_images(const std::vector<std::string>& paths);

}  // namespace tulle
