// The idx format of MNIST: two zero bytes, the type, the number of modes, big-endian sizes, then the
// elements.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tulle {

struct IdxBytes {
  std::vector<std::uint32_t> shape;
  std::vector<unsigned char> bytes;
};

IdxBytes read_idx(const std::string& path);  // unsigned bytes; throws an Error for any other type
bool is_idx_name(const std::string& path);   // ...-idx3-ubyte, ...idx1-ubyte.gz
// The file of training images in a folder laid out like MNIST; "": there is none.
std::string images_in(const std::string& folder);
// The labels' usual name beside images: images-idx3 -> labels-idx1. Throws an Error if there is no such file.
std::string labels_beside(const std::string& images);

}  // namespace tulle
