// Which data a run is charged for: fingerprints of all files that its units are read from.
#pragma once

#include <string>
#include <vector>

namespace tulle {

// Of the data that a run names, or an account: a file, several tables, images with their labels, a folder. ""
// where one of them is standard input or in memory, which has no fingerprint. Labels beside images count
// where the images are named alone.
std::string fingerprint_of_data(const std::vector<std::string>& paths);

// Of the images of such data alone, which accounts were kept for before labels counted; "" of other data.
std::string fingerprint_of_images(const std::vector<std::string>& paths);

}  // namespace tulle
