// Labels numbered in the order in which they first appear.
#pragma once

#include <tulle/tensor/shape.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tulle {

class Labels {
 public:
  Labels() = default;
  explicit Labels(const std::vector<std::string>& labels);

  std::size_t size() const { return entries_.size(); }
  std::string_view operator[](std::size_t number) const;
  std::vector<std::string> strings() const;

  // The number of a label; a label from another list can be passed with its hash.
  static constexpr std::size_t kNone = ~std::size_t{0};
  std::size_t find(std::string_view label) const { return find(label, hash_of(label)); }
  std::size_t find(std::string_view label, std::size_t hash) const;  // kNone if it is unknown
  std::size_t find_or_add(std::string_view label) { return find_or_add(label, hash_of(label)); }
  std::size_t find_or_add(std::string_view label, std::size_t hash);
  std::size_t hash(std::size_t number) const { return entries_[number].hash; }

 private:
  struct Entry {
    std::size_t hash;
    std::size_t begin;  // in text_; the label ends where the next one begins
  };
  // Since the slot contains a part of the hash, a probe compares text almost only when it has found its
  // label.
  struct Slot {
    Index number = kFree;
    std::uint32_t tag = 0;
  };
  static constexpr Index kFree = ~Index{0};

  static std::size_t hash_of(std::string_view label) { return std::hash<std::string_view>{}(label); }
  static std::uint32_t tag_of(std::size_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
  std::size_t slot_of(std::string_view label, std::size_t hash) const;
  void grow();

  std::string text_;
  std::vector<Entry> entries_;
  std::vector<Slot> slots_;  // a power of two of them, at most half in use
};

// Sorts the labels after the first `known` ones: whole numbers by size, then the others by their bytes. The
// order of two labels depends on these two alone: a label of one user must not change the order of the other
// users' cells, and with it the rounding of sums. Returns the new place of every label.
std::vector<Index> sort_labels(std::vector<std::string>& labels, std::size_t known);

}  // namespace tulle
