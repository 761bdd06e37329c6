#include "source.hpp"

#include "gzip.hpp"
#include "memory.hpp"

#include <tulle/base/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

namespace tulle {
namespace {

constexpr std::size_t kInflateBlock = std::size_t{1} << 18;
constexpr std::string_view kGzipMagic = "\x1f\x8b";

std::string shown_name(const std::string& path) {
  return path == kStandard ? "standard input" : path;
}

}  // namespace

bool ends_in_gz(std::string_view path) {
  return path.ends_with(".gz");
}

class Source::Bytes {
 public:
  virtual ~Bytes() = default;
  virtual std::size_t read(std::span<char> buffer) = 0;  // as Source::read
  virtual std::size_t size() const { return 0; }         // as Source::bytes
};

class Source::File final : public Bytes {
 public:
  explicit File(const std::string& path) : name_(shown_name(path)), owned_(path != kStandard) {
    descriptor_ = owned_ ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    if (descriptor_ < 0) fail("{}: {}", name_, std::strerror(errno));
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() override {
    if (owned_) ::close(descriptor_);
  }

  std::size_t read(std::span<char> buffer) override {
    std::size_t filled = 0;
    while (filled < buffer.size()) {
      const ssize_t count = ::read(descriptor_, buffer.data() + filled, buffer.size() - filled);
      if (count == 0) break;
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail("{}: {}", name_, std::strerror(errno));
      filled += static_cast<std::size_t>(count);
    }
    return filled;
  }

  std::size_t size() const override {
    struct stat status {};
    const bool known = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
    return known ? static_cast<std::size_t>(status.st_size) : 0;
  }

 private:
  std::string name_;
  bool owned_;
  int descriptor_;
};

class Source::Memory final : public Bytes {
 public:
  explicit Memory(std::string_view bytes) : size_(bytes.size()), rest_(bytes) {}

  std::size_t read(std::span<char> buffer) override {
    const std::size_t count = rest_.copy(buffer.data(), buffer.size());
    rest_.remove_prefix(count);
    return count;
  }

  std::size_t size() const override { return size_; }

 private:
  std::size_t size_;
  std::string_view rest_;
};

// A gzip file is a sequence of one or more members; tools that write to tapes pad it with zeros.
class Source::Gzip final : public Bytes {
 public:
  Gzip(std::string name, std::string head, std::unique_ptr<Bytes> compressed)
      : name_(std::move(name)), compressed_(std::move(compressed)), block_(kInflateBlock) {
    std::copy(head.begin(), head.end(), block_.begin());
    point_at(head.size());
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK) fail("{}: no memory to inflate it", name_);
  }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;
  ~Gzip() override { inflateEnd(&stream_); }

  std::size_t read(std::span<char> buffer) override {
    std::size_t filled = 0;
    while (filled < buffer.size()) {
      if (between_members_ && !next_member()) break;
      if (stream_.avail_in == 0 && !refill())
        fail("{}: the gzip data end too early; copy or compress it again", name_);
      // avail_out is 32 bits wide, the buffer may be longer.
      const std::size_t room = std::min<std::size_t>(buffer.size() - filled, std::size_t{1} << 30);
      stream_.next_out = reinterpret_cast<Bytef*>(buffer.data() + filled);
      stream_.avail_out = static_cast<uInt>(room);
      const int outcome = inflate(&stream_, Z_NO_FLUSH);
      filled += room - stream_.avail_out;
      between_members_ = outcome == Z_STREAM_END;
      if (outcome != Z_OK && outcome != Z_STREAM_END && outcome != Z_BUF_ERROR)
        fail("{}: the gzip data are corrupt ({}); copy or compress it again", name_,
             stream_.msg ? stream_.msg : "unknown reason");
    }
    return filled;
  }

 private:
  void point_at(std::size_t count) {
    stream_.next_in = reinterpret_cast<Bytef*>(block_.data());
    stream_.avail_in = static_cast<uInt>(count);
  }

  bool refill() {
    point_at(compressed_->read(block_));
    return stream_.avail_in > 0;
  }

  bool next_member() {
    while (stream_.avail_in > 0 || refill()) {
      if (*stream_.next_in != 0) {
        inflateReset(&stream_);
        between_members_ = false;
        return true;
      }
      ++stream_.next_in;
      --stream_.avail_in;
    }
    return false;
  }

  std::string name_;
  std::unique_ptr<Bytes> compressed_;
  std::vector<char> block_;
  z_stream stream_{};
  bool between_members_ = false;
};

Source::Source(std::string name, std::unique_ptr<Bytes> bytes, Expected expected)
    : name_(std::move(name)), bytes_(std::move(bytes)), sniffed_(kGzipMagic.size(), '\0') {
  sniffed_.resize(bytes_->read(sniffed_));
  if (sniffed_ == kGzipMagic && expected != Expected::plain) {
    bytes_ = std::make_unique<Gzip>(name_, std::move(sniffed_), std::move(bytes_));
    sniffed_.clear();
  } else if (expected == Expected::gzip) {
    fail("{}: not a gzip file, although its name ends in .gz; compress or rename it", name_);
  }
}

std::unique_ptr<Source::Bytes> Source::opened(const std::string& path) {
  if (is_in_memory(path)) return std::make_unique<Memory>(text_in_memory(path));
  return std::make_unique<File>(path);
}

Source::Source(const std::string& path, Gzipped gzipped)
    : Source(shown_name(path), opened(path),
             is_in_memory(path)            ? Expected::plain
             : ends_in_gz(path)            ? Expected::gzip
             : gzipped == Gzipped::by_name ? Expected::plain
                                           : Expected::anything) {}

Source Source::memory(std::string name, std::string_view bytes) {
  return Source(std::move(name), std::make_unique<Memory>(bytes), Expected::anything);
}

Source::Source(Source&&) noexcept = default;
Source::~Source() = default;

std::size_t Source::bytes() const {
  return bytes_->size();
}

std::size_t Source::read(std::span<char> buffer) {
  const std::size_t ready = sniffed_.copy(buffer.data(), buffer.size());
  sniffed_.erase(0, ready);
  return ready + bytes_->read(buffer.subspan(ready));
}

}  // namespace tulle
