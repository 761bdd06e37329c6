// Bytes to read: a file, standard input or memory, decompressed if they are gzip data.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tulle {

class Source {
 public:
  // "-" is standard input. Files are recognised as gzip by their first bytes, or, if these are private, by
  // their names alone.
  enum class Gzipped { by_content, by_name };
  explicit Source(const std::string& path, Gzipped gzipped = Gzipped::by_content);
  static Source memory(std::string name, std::string_view bytes);  // the bytes must outlive the source
  Source(Source&&) noexcept;
  ~Source();

  const std::string& name() const { return name_; }  // for messages: the path, or "standard input"

  std::size_t bytes() const;  // the total number; 0 if it is not known before they are read

  // Fills the buffer and returns the number of bytes in it: fewer than its size only where the input ends.
  // Throws an Error if the file cannot be read, or if its gzip data are corrupt or end too early.
  std::size_t read(std::span<char> buffer);

 private:
  class Bytes;
  class File;
  class Memory;
  class Gzip;
  enum class Expected { anything, gzip, plain };
  Source(std::string name, std::unique_ptr<Bytes> bytes, Expected expected);
  static std::unique_ptr<Bytes> opened(const std::string& path);

  std::string name_;
  std::unique_ptr<Bytes> bytes_;
  std::string sniffed_;  // bytes that were read to recognise gzip and not returned yet
};

inline constexpr std::string_view kStandard = "-";  // the path that means standard input or output

bool ends_in_gz(std::string_view path);

}  // namespace tulle
