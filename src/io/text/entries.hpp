// The listed cells of a text file, from the blocks they are parsed in to the finished tensor.
#pragma once

#include "text/chunks.hpp"

#include <tulle/tensor/sparse.hpp>

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tulle {

// Entries of one block of text: positions from 0, and values unless the file has none.
class EntryBlock : public ParsedBlock {
 public:
  EntryBlock(int order, bool with_values, std::size_t capacity);

  // Empties the block. Its memory is reused if it is large enough.
  void restart(std::size_t capacity);

  int order() const { return order_; }
  std::size_t size() const { return size_; }
  Index* column(int mode) { return columns_[mode].get(); }
  const Index* column(int mode) const { return columns_[mode].get(); }
  float* values() { return values_.get(); }
  const float* values() const { return values_.get(); }
  std::size_t missing() const { return missing_; }
  std::size_t line_of(std::size_t entry) const { return line_in(jumps_, entry); }

  // Adds the entry that was written to column(mode)[size()] for every mode.
  void add(std::size_t line) {
    if (line != next_line_) jumps_.push_back({size_, line});
    next_line_ = line + 1;
    ++size_;
  }
  void add(std::size_t line, float value) {
    values_[size_] = value;
    add(line);
  }
  // Adds `count` entries, one per line, that were written to the columns and to values() from size() on.
  void add_lines(std::size_t line, std::size_t count) {
    if (count == 0) return;
    add(line);
    next_line_ += count - 1;
    size_ += count - 1;
  }
  void shorten(std::size_t size) { size_ = size; }
  void add_missing() { ++missing_; }  // a cell without a value

 private:
  friend class EntryList;
  struct Jump {
    std::size_t entry, line;
  };
  static std::size_t line_in(const std::vector<Jump>& jumps, std::size_t entry);

  int order_;
  bool with_values_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  std::size_t missing_ = 0;
  std::size_t next_line_ = ~std::size_t{0};
  std::array<std::unique_ptr<Index[]>, kMaxOrder> columns_;
  std::unique_ptr<float[]> values_;
  std::vector<Jump> jumps_;  // entries whose line does not follow that of the previous entry
};

// Used blocks, for parsing further text into: fresh memory would cost as much as the parsing.
class SpareBlocks {
 public:
  SpareBlocks(int order, bool with_values) : order_(order), with_values_(with_values) {}

  EntryBlock get(std::size_t capacity);
  void put(EntryBlock&& block);

 private:
  int order_;
  bool with_values_;
  std::mutex mutex_;
  std::vector<EntryBlock> blocks_;
};

// The sizes of the modes, within which positions must lie; kMaxDimension if there is no other bound.
using Bounds = std::array<std::uint64_t, kMaxOrder>;

// All entries of a file, in its order.
class EntryList {
 public:
  EntryList(const LineChunks& chunks, int order, bool with_values);

  // Blocks come in the order of the file. An Error names the first line with a position outside the bounds.
  void add(const EntryBlock& block, std::size_t first_line, const Bounds& bounds);

  int order() const { return static_cast<int>(columns_.size()); }
  std::size_t size() const { return columns_.front().size(); }
  std::size_t line_of(std::size_t entry) const { return EntryBlock::line_in(jumps_, entry); }
  const std::string& file() const { return file_; }
  const Bounds& largest() const { return largest_; }  // the smallest bounds that hold all entries

  // Takes all columns of positions, and the values (ones if the file has none), and leaves the list empty.
  std::pair<std::vector<std::vector<Index>>, std::vector<float>> take();
  void renumber(int mode, const std::vector<Index>& places);  // position p becomes places[p]

 private:
  void check_bounds(const EntryBlock& block, std::size_t first_line, const Bounds& bounds);
  void make_room(const EntryBlock& block);

  std::string file_;
  std::size_t file_bytes_;  // 0 if unknown
  std::size_t taken_bytes_ = 0;
  bool with_values_;
  std::vector<std::vector<Index>> columns_;
  std::vector<float> values_;
  Bounds largest_{};
  std::vector<EntryBlock::Jump> jumps_;
};

}  // namespace tulle
