// The members of a zip archive, read as streams.
#pragma once

#include "binary/byte_stream.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tulle {

class ZipReader {
 public:
  explicit ZipReader(const std::string& path);
  ZipReader(ZipReader&&) noexcept;
  ~ZipReader();

  const std::string& path() const { return path_; }
  const std::vector<std::string>& members() const { return members_; }  // in the order of the archive
  bool has(std::string_view member) const;
  std::uint64_t size(std::string_view member) const;  // as the archive states it

  // The bytes of a member; the last read verifies their checksum. Throws an Error if there is no such member.
  // Messages call it "PATH[MEMBER]", without the member's ".npy".
  std::unique_ptr<ByteStream> open(std::string_view member) const;
  std::string read_all(std::string_view member, std::uint64_t limit) const;

 private:
  class Handle;
  class Member;
  std::size_t index(std::string_view member) const;

  std::string path_;
  std::unique_ptr<Handle> handle_;
  std::vector<std::string> members_;
};

}  // namespace tulle
