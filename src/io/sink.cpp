#include "sink.hpp"

#include "gzip.hpp"
#include "source.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/outputs.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <random>
#include <set>

namespace tulle {
namespace {

constexpr std::size_t kWriteBlock = std::size_t{1} << 18;
constexpr mode_t kPlainMode = 0666;  // before the umask

[[noreturn]] void fail_with_errno(const std::string& name) {
  fail("{}: {}", name, std::strerror(errno));
}

bool is_special(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

// Renaming over a symbolic link would replace the link, not its target.
std::string follow_links(const std::string& path) {
  std::error_code none;
  const auto real = std::filesystem::canonical(path, none);
  return none ? path : real.string();
}

std::string temporary_name(const std::string& target) {
  const std::filesystem::path path(target);
  const std::string file = fmt::format(".{}.{:08x}.tmp", path.filename().string(), std::random_device{}());
  return (path.parent_path() / file).string();
}

// A rename is on the disk once its folder is synced. Some file systems cannot sync a folder; then there is
// only the rename.
void sync_folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

// The present temporary files, for the code that ends the process. A file is renamed under the same lock, so
// it is either complete or removed. Never destroyed, since that code may run while the process exits.
struct TemporaryFiles {
  std::mutex mutex;
  std::set<std::string> paths;
};

TemporaryFiles& temporary_files() {
  static auto& files = *new TemporaryFiles;
  return files;
}

}  // namespace

void remove_temporary_files() {
  TemporaryFiles& files = temporary_files();
  files.mutex.lock();  // for good: from here on no file is created or renamed
  for (const std::string& path : files.paths) ::unlink(path.c_str());
}

AtomicFile::AtomicFile(const std::string& path) : name_(path), target_(follow_links(path)) {
  struct stat old {};
  const bool replaces = ::stat(target_.c_str(), &old) == 0;
  if (replaces && !S_ISREG(old.st_mode)) fail("{}: not a plain file; choose another name", name_);
  const std::lock_guard lock(temporary_files().mutex);
  int descriptor = -1;
  do {
    temporary_ = temporary_name(target_);
    descriptor = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kPlainMode);
  } while (descriptor < 0 && errno == EEXIST);
  if (descriptor < 0) fail_with_errno(name_);
  temporary_files().paths.insert(temporary_);
  if (replaces) ::fchmod(descriptor, old.st_mode & 07777);
  ::close(descriptor);
}

AtomicFile::~AtomicFile() {
  if (temporary_.empty()) return;
  const std::lock_guard lock(temporary_files().mutex);
  ::unlink(temporary_.c_str());
  temporary_files().paths.erase(temporary_);
}

void AtomicFile::commit() {
  const int descriptor = ::open(temporary_.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail_with_errno(name_);
  const bool synced = ::fsync(descriptor) == 0;
  const int reason = errno;
  ::close(descriptor);
  errno = reason;
  {
    const std::lock_guard lock(temporary_files().mutex);
    if (!synced || ::rename(temporary_.c_str(), target_.c_str()) != 0) fail_with_errno(name_);
    temporary_files().paths.erase(temporary_);
  }
  temporary_.clear();
  sync_folder_of(target_);
}

class Sink::Deflater {
 public:
  explicit Deflater(const std::string& name) {
    if (deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK)
      fail("{}: no memory to compress it", name);
  }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  ~Deflater() { deflateEnd(&stream_); }

  template <class Send>
  void feed(std::string_view bytes, bool last, Send&& send) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    int outcome = Z_OK;
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(block_.data());
      stream_.avail_out = static_cast<uInt>(block_.size());
      outcome = deflate(&stream_, last ? Z_FINISH : Z_NO_FLUSH);
      send(std::string_view(block_.data(), block_.size() - stream_.avail_out));
    } while (last ? outcome != Z_STREAM_END : stream_.avail_out == 0);
  }

 private:
  z_stream stream_{};
  std::array<char, std::size_t{1} << 16> block_;
};

Sink::Sink(const std::string& path) : name_(path == kStandard ? "standard output" : path) {
  if (path == kStandard) {
    descriptor_ = STDOUT_FILENO;
  } else {
    if (!is_special(path)) file_ = std::make_unique<AtomicFile>(path);
    const std::string& place = file_ ? file_->temporary_path() : path;
    descriptor_ = ::open(place.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail_with_errno(name_);
  }
  if (ends_in_gz(path)) deflater_ = std::make_unique<Deflater>(name_);
  buffer_.reserve(kWriteBlock);
}

Sink::~Sink() {
  if (descriptor_ >= 0 && descriptor_ != STDOUT_FILENO) ::close(descriptor_);
}

void Sink::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, kWriteBlock - buffer_.size());
    buffer_.append(part);
    bytes.remove_prefix(part.size());
    if (buffer_.size() == kWriteBlock) flush(false);
  }
}

void Sink::flush(bool last) {
  if (deflater_)
    deflater_->feed(buffer_, last, [this](std::string_view bytes) { send(bytes); });
  else
    send(buffer_);
  buffer_.clear();
}

void Sink::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_with_errno(name_);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void Sink::commit() {
  flush(true);
  if (descriptor_ == STDOUT_FILENO) return;
  // Network file systems report a full disk only here.
  const int descriptor = std::exchange(descriptor_, -1);
  if (::close(descriptor) != 0) fail_with_errno(name_);
  if (file_) file_->commit();
}

}  // namespace tulle
