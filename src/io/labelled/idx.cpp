#include "idx.hpp"

#include "source.hpp"

#include <tulle/base/error.hpp>

#include <array>
#include <filesystem>

namespace tulle {
namespace {

constexpr int kUnsignedByte = 8;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 36;

void read_exactly(Source& source, std::span<char> buffer) {
  if (source.read(buffer) != buffer.size())
    fail("{}: ends too early for an idx file; fetch it again", source.name());
}

}  // namespace

bool is_idx_name(const std::string& path) {
  std::string_view name = path;
  if (ends_in_gz(name)) name.remove_suffix(3);
  return name.ends_with("-ubyte") || name.ends_with(".idx");
}

IdxBytes read_idx(const std::string& path) {
  Source source(path);
  std::array<char, 4> magic;
  read_exactly(source, magic);
  if (magic[0] != 0 || magic[1] != 0 || magic[2] != kUnsignedByte || magic[3] < 1 || magic[3] > 4)
    fail("{}: is no idx file of unsigned bytes; give images or labels as MNIST has them", path);
  IdxBytes result;
  std::uint64_t total = 1;
  for (int mode = 0; mode < magic[3]; ++mode) {
    std::array<char, 4> size;
    read_exactly(source, size);
    std::uint32_t value = 0;
    for (char byte : size) value = value << 8 | static_cast<unsigned char>(byte);
    result.shape.push_back(value);
    if (value > 0 && total > kMostBytes / value)
      fail("{}: states more than {} bytes; it is damaged, or too large", path, kMostBytes);
    total *= value;
  }
  // Read in pieces, with memory allocated as they arrive: a damaged header may state more bytes than there
  // are.
  constexpr std::uint64_t kPiece = 1 << 24;
  while (result.bytes.size() < total) {
    const std::size_t before = result.bytes.size(), piece = std::min(kPiece, total - before);
    result.bytes.resize(before + piece);
    read_exactly(source, {reinterpret_cast<char*>(result.bytes.data()) + before, piece});
  }
  if (char more; source.read({&more, 1}) != 0)
    fail("{}: has more bytes than its header states; fetch it again", path);
  return result;
}

std::string images_in(const std::string& folder) {
  namespace fs = std::filesystem;
  for (const char* name : {"train-images-idx3-ubyte", "train-images-idx3-ubyte.gz"})
    if (fs::exists(fs::path(folder) / name)) return (fs::path(folder) / name).string();
  return "";
}

std::string labels_beside(const std::string& images) {
  namespace fs = std::filesystem;
  const fs::path path(images);
  std::string name = path.filename().string();
  for (const auto& [from, to] : {std::pair{"images", "labels"}, {"idx3", "idx1"}})
    if (const std::size_t at = name.find(from); at != name.npos)
      name.replace(at, std::string_view(from).size(), to);
  const std::string plain = ends_in_gz(name) ? name.substr(0, name.size() - 3) : name;
  for (const std::string& each : {name, plain, plain + ".gz"})
    if (each != path.filename() && fs::exists(path.parent_path() / each))
      return (path.parent_path() / each).string();
  fail("{}: there are no labels beside the images{}; give their file[ (@labels)]", images,
       name == path.filename() ? "" : fmt::format(" (no {})", name));
}

}  // namespace tulle
