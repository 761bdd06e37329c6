// Output that appears whole or not at all: it goes into a temporary file beside its place, which then takes
// the name.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace tulle {

// For writers that want a path of their own. The temporary file exists, empty, from the start and is removed
// unless committed.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  const std::string& temporary_path() const { return temporary_; }
  void commit();  // everything written so far is on the disk and has the name

 private:
  std::string name_;    // as the user wrote it, for messages
  std::string target_;  // with symbolic links followed
  std::string temporary_;
};

// A stream of bytes to a file, through gzip when its name ends in .gz, or to standard output ("-"). What
// exists and is no plain file (a pipe, /dev/null) is written to directly.
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
  void flush(bool last);              // the buffer, through gzip if there is one
  void send(std::string_view bytes);  // to the file, as they are

  std::string name_;
  std::unique_ptr<AtomicFile> file_;  // none when written directly
  int descriptor_ = -1;
  std::unique_ptr<Deflater> deflater_;  // none when not compressed
  std::string buffer_;
};

}  // namespace tulle
