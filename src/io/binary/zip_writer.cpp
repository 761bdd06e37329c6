#include "binary/zip_writer.hpp"

#include "binary/npy.hpp"

#include <zlib.h>

namespace tulle {
namespace {

// Names and values as in the zip specification (APPNOTE 6.3, sections 4.3 and 4.5.3).
constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kDirectoryHeader = 0x02014b50;
constexpr std::uint32_t kDirectoryEnd = 0x06054b50;
constexpr std::uint32_t kDirectoryEnd64 = 0x06064b50;
constexpr std::uint32_t kDirectoryEnd64Locator = 0x07064b50;
constexpr std::uint16_t kVersion = 20;
constexpr std::uint16_t kVersion64 = 45;
constexpr std::uint16_t kUtf8Names = 1 << 11;
constexpr std::uint16_t kFirstDate = 1 << 5 | 1;  // 1980-01-01
constexpr std::uint16_t kZip64Field = 1;
constexpr std::uint64_t kMax32 = 0xffff'ffff;
constexpr std::uint64_t kMax16 = 0xffff;

class Record {
 public:
  Record& u2(std::uint64_t value) { return put(value, 2); }
  Record& u4(std::uint64_t value) { return put(value, 4); }
  Record& u8(std::uint64_t value) { return put(value, 8); }
  Record& text(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  Record& put(std::uint64_t value, int count) {
    for (int i = 0; i < count; ++i) bytes_ += static_cast<char>(value >> 8 * i & 0xff);
    return *this;
  }
  std::string bytes_;
};

std::uint64_t or_marker(std::uint64_t value, std::uint64_t marker) {
  return std::min(value, marker);
}

}  // namespace

void ZipWriter::write(std::string_view bytes) {
  sink_.write(bytes);
  written_ += bytes.size();
}

void ZipWriter::add(const std::string& member, const std::function<void(const Take&)>& produce) {
  Entry entry{member, 0, 0, written_};
  uLong checksum = crc32_z(0, nullptr, 0);
  produce([&](std::string_view bytes) {
    if (bytes.empty()) return;  // given a null pointer, zlib would restart the checksum
    checksum = crc32_z(checksum, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    entry.size += bytes.size();
  });
  entry.checksum = static_cast<std::uint32_t>(checksum);

  const bool large = entry.size >= kMax32;
  Record extra;
  if (large) extra.u2(kZip64Field).u2(16).u8(entry.size).u8(entry.size);
  Record header;
  header.u4(kLocalHeader).u2(large ? kVersion64 : kVersion).u2(kUtf8Names).u2(0).u2(0).u2(kFirstDate);
  header.u4(entry.checksum).u4(or_marker(entry.size, kMax32)).u4(or_marker(entry.size, kMax32));
  header.u2(member.size()).u2(extra.bytes().size()).text(member).text(extra.bytes());
  write(header.bytes());
  produce([&](std::string_view bytes) { write(bytes); });
  entries_.push_back(std::move(entry));
}

void ZipWriter::add_array_bytes(const std::string& member, std::string_view descr,
                                std::span<const std::uint64_t> shape, std::string_view bytes) {
  add(member + ".npy", [&](const Take& take) {
    take(npy_header(descr, shape));
    take(bytes);
  });
}

void ZipWriter::finish() {
  const std::uint64_t start = written_;
  for (const Entry& entry : entries_) {
    Record extra;
    if (entry.size >= kMax32) extra.u8(entry.size).u8(entry.size);
    if (entry.offset >= kMax32) extra.u8(entry.offset);
    Record field;
    if (!extra.bytes().empty()) field.u2(kZip64Field).u2(extra.bytes().size()).text(extra.bytes());
    const std::uint16_t version = field.bytes().empty() ? kVersion : kVersion64;
    Record header;
    header.u4(kDirectoryHeader).u2(version).u2(version).u2(kUtf8Names).u2(0).u2(0).u2(kFirstDate);
    header.u4(entry.checksum).u4(or_marker(entry.size, kMax32)).u4(or_marker(entry.size, kMax32));
    header.u2(entry.member.size()).u2(field.bytes().size()).u2(0).u2(0).u2(0).u4(0);
    header.u4(or_marker(entry.offset, kMax32)).text(entry.member).text(field.bytes());
    write(header.bytes());
  }
  const std::uint64_t size = written_ - start;
  const std::uint64_t count = entries_.size();
  if (start >= kMax32 || size >= kMax32 || count >= kMax16) {
    Record end;
    end.u4(kDirectoryEnd64)
        .u8(44)
        .u2(kVersion64)
        .u2(kVersion64)
        .u4(0)
        .u4(0)
        .u8(count)
        .u8(count)
        .u8(size)
        .u8(start);
    end.u4(kDirectoryEnd64Locator).u4(0).u8(start + size).u4(1);
    write(end.bytes());
  }
  Record end;
  end.u4(kDirectoryEnd).u2(0).u2(0).u2(or_marker(count, kMax16)).u2(or_marker(count, kMax16));
  end.u4(or_marker(size, kMax32)).u4(or_marker(start, kMax32)).u2(0);
  write(end.bytes());
}

}  // namespace tulle
