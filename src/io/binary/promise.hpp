// Files state their size in advance, and some state a false one. If the promised size is large, memory for
// all of it is allocated only once an eighth has arrived: a file of a kilobyte cannot claim a terabyte, and
// an honest one is copied only while it is small.
#pragma once

#include <tulle/base/large_pages.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tulle {

inline constexpr std::size_t kPromiseShare = 8;
inline constexpr std::uint64_t kSmallPromise = std::uint64_t{64} << 20;  // in bytes

// Throws an Error if the machine's memory cannot hold `count` items of `bytes` each.
void check_memory(const std::string& name, std::uint64_t count, std::size_t bytes);

template <class T>
class PromisedVector {
 public:
  explicit PromisedVector(std::uint64_t promised) : promised_(promised) {}

  void append(std::span<const T> arrived) {
    make_room(arrived.size());
    values_.insert(values_.end(), arrived.begin(), arrived.end());
  }
  // Appends `count` values, which the caller fills in.
  std::span<T> extend(std::size_t count) {
    make_room(count);
    values_.resize(values_.size() + count);
    return std::span(values_).last(count);
  }
  void push_back(T value) {
    make_room(1);
    values_.push_back(value);
  }
  std::size_t size() const { return values_.size(); }
  std::vector<T> take() { return std::move(values_); }

 private:
  void make_room(std::size_t count) {
    const std::size_t needed = values_.size() + count;
    if (needed <= values_.capacity() || needed > promised_) return;
    if (promised_ <= kSmallPromise / sizeof(T) || needed >= promised_ / kPromiseShare) {
      values_.reserve(promised_);
      ask_for_large_pages(values_.data(), values_.capacity() * sizeof(T));
    }
  }

  std::uint64_t promised_;
  std::vector<T> values_;
};

}  // namespace tulle
