// A zip archive written to a sink. The same members give the same bytes: nothing is compressed (as by
// numpy.savez), and every member is dated 1980-01-01. Zip64 fields are used for sizes or offsets above 4 GiB.
#pragma once

#include "sink.hpp"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tulle {

class ZipWriter {
 public:
  using Take = std::function<void(std::string_view)>;

  explicit ZipWriter(Sink& sink) : sink_(sink) {}

  // `produce` passes the member's bytes on. It runs twice, because the checksum and the length precede the
  // bytes.
  void add(const std::string& member, const std::function<void(const Take&)>& produce);

  // An array in C order. `descr` as for npy_header.
  template <class T>
  void add_array(const std::string& member, std::string_view descr, std::span<const std::uint64_t> shape,
                 std::span<const T> values) {
    add_array_bytes(member, descr, shape,
                    {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  }

  void finish();  // the directory; the caller commits the sink

 private:
  struct Entry {
    std::string member;
    std::uint32_t checksum;
    std::uint64_t size;
    std::uint64_t offset;
  };
  void add_array_bytes(const std::string& member, std::string_view descr,
                       std::span<const std::uint64_t> shape, std::string_view bytes);
  void write(std::string_view bytes);

  Sink& sink_;
  std::uint64_t written_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace tulle
