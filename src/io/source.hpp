// Bytes to read: a file, standard input or memory, with gzip looked through.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tulle {

class Source {
 public:
  // "-" is standard input. Files are recognised as gzip by their first bytes, or by their names alone where
  // what they begin with is private.
  enum class Gzipped { by_content, by_name };
  explicit Source(const std::string& path, Gzipped gzipped = Gzipped::by_content);
  static Source memory(std::string name, std::string_view bytes);  // the bytes must outlive the source
  Source(Source&&) noexcept;
  ~Source();

  const std::string& name() const { return name_; }  // for messages: the path, or "standard input"

  std::size_t bytes() const;  // how many there are in all; 0 when that is not known before they are read

  // Fills the buffer and returns how many bytes it holds: fewer than its size only where the input ends.
  // Throws an Error when the file cannot be read, or when its gzip data are corrupt or end too early.
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
  std::string sniffed_;  // what was read to recognise gzip and not handed out yet
};

inline constexpr std::string_view kStandard = "-";  // the path that means standard input or output

bool ends_in_gz(std::string_view path);

}  // namespace tulle
