#include "sha256.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/ledger/fingerprint.hpp>

#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <set>

namespace tulle {
namespace {

std::set<std::string> fingerprints_in(const std::string& joined) {
  std::set<std::string> each;
  for (std::size_t begin = 0; begin <= joined.size();) {
    const std::size_t end = std::min(joined.find(',', begin), joined.size());
    each.insert(joined.substr(begin, end - begin));
    begin = end + 1;
  }
  return each;
}

}  // namespace

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

// Each part is hashed with its length, so that no two folders hash the same bytes: a name may contain
// anything. The hash is written backwards, since a file may contain exactly the bytes hashed here, and its
// own fingerprint would be that hash.
std::string fingerprint_of_folder(const std::vector<std::string>& paths) {
  Sha256 hash;
  hash.add("tulle folder;");
  for (const std::string& path : paths)
    for (const std::string& part :
         {std::filesystem::path(path).filename().string(), fingerprint_of_file(path)})
      hash.add(fmt::format("{}:{};", part.size(), part));
  std::string digits = hash.hex();
  std::ranges::reverse(digits);
  return digits;
}

std::string fingerprint_of_files(const std::vector<std::string>& paths) {
  std::vector<std::string> each;
  for (const std::string& path : paths) each.push_back(fingerprint_of_file(path));
  return joined_fingerprints(each);
}

std::string joined_fingerprints(const std::vector<std::string>& each) {
  return fmt::format("{}", fmt::join(std::set(each.begin(), each.end()), ","));
}

bool is_part_of(const std::string& some, const std::string& all) {
  const std::set<std::string> known = fingerprints_in(all);
  return std::ranges::all_of(fingerprints_in(some), [&](const auto& each) { return known.contains(each); });
}

bool share_a_file(const std::string& some, const std::string& others) {
  const std::set<std::string> known = fingerprints_in(others);
  return std::ranges::any_of(fingerprints_in(some), [&](const auto& each) { return known.contains(each); });
}

}  // namespace tulle
