#include "sha256.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/ledger/fingerprint.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

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

}  // namespace tulle
