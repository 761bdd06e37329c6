#include "binary/zip_reader.hpp"

#include "text/listing.hpp"

#include <tulle/base/error.hpp>

#include <zip.h>

namespace tulle {
namespace {

constexpr std::string_view kArray = ".npy";

std::string shown_name(const std::string& path, std::string_view member) {
  if (member.ends_with(kArray)) member.remove_suffix(kArray.size());
  return fmt::format("{}[{}]", path, shortened(member));
}

}  // namespace

class ZipReader::Handle {
 public:
  explicit Handle(const std::string& path) {
    int code = 0;
    zip_ = zip_open(path.c_str(), ZIP_RDONLY, &code);
    if (zip_ != nullptr) return;
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string reason =
        code == ZIP_ER_OPEN || code == ZIP_ER_NOENT ? std::strerror(errno)
        : code == ZIP_ER_NOZIP ? "is no zip archive, so no .npz, or it is cut off; write it with numpy.savez"
                               : fmt::format("{}; write it again", zip_error_strerror(&error));
    zip_error_fini(&error);
    fail("{}: {}", path, reason);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { zip_discard(zip_); }

  zip_t* get() const { return zip_; }

  zip_stat_t stat(const std::string& path, std::size_t index) const {
    zip_stat_t result;
    if (zip_stat_index(zip_, index, 0, &result) != 0)
      fail("{}: {}; write it again", path, zip_strerror(zip_));
    return result;
  }

 private:
  zip_t* zip_ = nullptr;
};

class ZipReader::Member final : public ByteStream {
 public:
  Member(const std::string& name, zip_t* zip, std::size_t index)
      : ByteStream(name), file_(zip_fopen_index(zip, index, 0)) {
    if (file_ == nullptr) fail("{}: {}; write it again, without encryption", name, zip_strerror(zip));
  }
  ~Member() override { zip_fclose(file_); }

  std::size_t read(std::span<char> buffer) override {
    std::size_t filled = 0;
    while (filled < buffer.size()) {
      const zip_int64_t got = zip_fread(file_, buffer.data() + filled, buffer.size() - filled);
      if (got < 0)
        fail("{}: {}; the archive is damaged, copy or write it again", name(), zip_file_strerror(file_));
      if (got == 0) break;
      filled += static_cast<std::size_t>(got);
    }
    return filled;
  }

 private:
  zip_file_t* file_;
};

ZipReader::ZipReader(const std::string& path) : path_(path), handle_(std::make_unique<Handle>(path)) {
  const zip_int64_t count = zip_get_num_entries(handle_->get(), 0);
  for (zip_int64_t member = 0; member < count; ++member) {
    const char* name = zip_get_name(handle_->get(), static_cast<zip_uint64_t>(member), 0);
    if (name == nullptr) fail("{}: {}; write it again", path, zip_strerror(handle_->get()));
    members_.emplace_back(name);
  }
}

ZipReader::ZipReader(ZipReader&&) noexcept = default;
ZipReader::~ZipReader() = default;

bool ZipReader::has(std::string_view member) const {
  return std::find(members_.begin(), members_.end(), member) != members_.end();
}

std::size_t ZipReader::index(std::string_view member) const {
  const auto found = std::find(members_.begin(), members_.end(), member);
  if (found == members_.end()) fail("{}: has no member '{}'; write it again", path_, member);
  return static_cast<std::size_t>(found - members_.begin());
}

std::uint64_t ZipReader::size(std::string_view member) const {
  return handle_->stat(path_, index(member)).size;
}

std::unique_ptr<ByteStream> ZipReader::open(std::string_view member) const {
  return std::make_unique<Member>(shown_name(path_, member), handle_->get(), index(member));
}

std::string ZipReader::read_all(std::string_view member, std::uint64_t limit) const {
  const auto stream = open(member);
  std::string bytes;
  std::vector<char> block(65536);
  while (const std::size_t got = stream->read(block)) {
    bytes.append(block.data(), got);
    if (bytes.size() > limit) fail("{}: is longer than {} bytes", stream->name(), limit);
  }
  return bytes;
}

}  // namespace tulle
