// The input of the readers of arrays: a Source, a member of a zip archive, or a variable of a .mat file.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace tulle {

class ByteStream {
 public:
  explicit ByteStream(std::string name) : name_(std::move(name)) {}
  virtual ~ByteStream() = default;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  const std::string& name() const { return name_; }  // for messages

  // Fills the buffer and returns the number of bytes in it: fewer than its size only where the data end.
  virtual std::size_t read(std::span<char> buffer) = 0;

 private:
  std::string name_;
};

}  // namespace tulle
