// Output that appears completely or not at all: it goes to a temporary file in the same folder, which is
// renamed at the end.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace tulle {

// For writers that need a path. The temporary file exists, empty, from the start and is removed unless
// committed.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  const std::string& temporary_path() const { return temporary_; }
  void commit();  // syncs the file to the disk and gives it its name

 private:
  std::string name_;    // as the user wrote it, for messages
  std::string target_;  // with symbolic links followed
  std::string temporary_;
};

// A stream of bytes to a file, through gzip if its name ends in .gz, or to standard output ("-"). An existing
// path that is not a plain file (a pipe, /dev/null) is written to directly.
class Sink {
 public:
  explicit Sink(const std::string& path);
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  ~Sink();

  const std::string& name() const { return name_; }  // for messages: the path, or "standard output"
  void write(std::string_view bytes);
  void commit();  // without it, the destructor leaves everything as it was

 private:
  class Deflater;
  void flush(bool last);              // writes the buffer, through gzip if the file is compressed
  void send(std::string_view bytes);  // writes to the file, unchanged

  std::string name_;
  std::unique_ptr<AtomicFile> file_;  // null if written directly
  int descriptor_ = -1;
  std::unique_ptr<Deflater> deflater_;  // null if not compressed
  std::string buffer_;
};

}  // namespace tulle
