#include "sha256.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/ledger/fingerprint.hpp>

#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <set>

namespace tulle {

std::string fingerprint_of_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) fail("{}: {}", path, std::strerror(errno));
  Sha256 hash;
  std::vector<char> block(1 << 16);
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), file.get()))
    hash.add({block.data(), count});
  if (std::ferror(file.get())) fail("{}: cannot be read to its end", path);
  return hash.hex();
}

std::string fingerprint_of_files(const std::vector<std::string>& paths) {
  std::set<std::string> each;
  for (const std::string& path : paths) each.insert(fingerprint_of_file(path));
  return fmt::format("{}", fmt::join(each, ","));
}

bool is_part_of(const std::string& some, const std::string& all) {
  for (std::size_t begin = 0; begin <= some.size();) {
    const std::size_t end = std::min(some.find(',', begin), some.size());
    if (("," + all + ",").find("," + some.substr(begin, end - begin) + ",") == std::string::npos)
      return false;
    begin = end + 1;
  }
  return true;
}

}  // namespace tulle
