// Files made byte by byte, for the tests of binary formats.
#pragma once

#include "io/binary/zip.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/read.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace tulle::test {

class TempDir {
 public:
  TempDir() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tulle-test-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir() { std::filesystem::remove_all(path_); }

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

// A file of this folder, which ctest names: __FILE__ is relative where builds share a compiler cache.
inline std::filesystem::path beside_the_tests(const std::string& name) {
  const char* tests = std::getenv("TULLE_TESTS");
  return (tests ? std::filesystem::path(tests) / "io" / "binary"
                : std::filesystem::path(__FILE__).parent_path()) /
         name;
}

inline void put(const std::string& path, std::string_view bytes) {
  std::filesystem::remove(path);  // some file systems wait for the disk when a file is overwritten
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string get(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The message of the Error that the work ends in; empty when it ends in none.
template <class Work>
std::string error_of(Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

inline ReadOptions nan_is_missing() {
  ReadOptions options;
  options.nan_is_missing = true;
  return options;
}
inline ReadOptions known(std::vector<Mode> modes, bool grow = false) {
  ReadOptions options;
  options.known = std::move(modes);
  options.grow = grow;
  return options;
}
inline ReadOptions in_shape(const Shape& shape) {
  ReadOptions options;
  options.shape = shape;
  return options;
}
inline ReadOptions variable(std::string name) {
  ReadOptions options;
  options.variable = std::move(name);
  return options;
}

inline std::string npy(std::string_view dictionary, std::string_view data, int version = 1) {
  std::string length = bytes_of<std::uint32_t>({static_cast<std::uint32_t>(dictionary.size())});
  if (version == 1) length.resize(2);
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  return file.append(length).append(dictionary).append(data);
}

inline std::string npy(std::string_view descr, bool fortran, std::string_view shape, std::string_view data) {
  std::string dictionary = "{'descr': '";
  dictionary.append(descr).append("', 'fortran_order': ").append(fortran ? "True" : "False");
  return npy(dictionary.append(", 'shape': ").append(shape).append(", }\n"), data);
}

inline DenseTensor dense(const Dataset& data) {
  return std::get<DenseTensor>(data.tensor);
}
inline SparseTensor sparse(const Dataset& data) {
  return std::get<SparseTensor>(data.tensor);
}

}  // namespace tulle::test
