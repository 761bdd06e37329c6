#include "text/entries.hpp"

#include "text/huge_pages.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>

namespace tulle {
namespace {

constexpr std::size_t kMostSpare = 32;  // blocks accumulate behind a late one; not all are needed again

// Like vector::reserve, but with huge pages, which must be requested before the memory is touched.
template <class T>
void reserve_huge(std::vector<T>& values, std::size_t capacity) {
  std::vector<T> larger;
  larger.reserve(capacity);
  prefer_huge_pages(larger.data(), capacity * sizeof(T));
  larger.insert(larger.end(), values.begin(), values.end());
  values = std::move(larger);
}

}  // namespace

EntryBlock::EntryBlock(int order, bool with_values, std::size_t capacity)
    : order_(order), with_values_(with_values) {
  restart(capacity);
}

void EntryBlock::restart(std::size_t capacity) {
  if (capacity > capacity_) {
    capacity_ = capacity + capacity / 4;  // the next block of text may have a few more lines
    for (int mode = 0; mode < order_; ++mode)
      columns_[mode] = std::make_unique_for_overwrite<Index[]>(capacity_);
    if (with_values_) values_ = std::make_unique_for_overwrite<float[]>(capacity_);
  }
  static_cast<ParsedBlock&>(*this) = {};
  size_ = missing_ = 0;
  next_line_ = ~std::size_t{0};
  jumps_.clear();
}

std::size_t EntryBlock::line_in(const std::vector<Jump>& jumps, std::size_t entry) {
  const auto behind = std::upper_bound(jumps.begin(), jumps.end(), entry,
                                       [](std::size_t e, const Jump& jump) { return e < jump.entry; });
  const Jump& jump = *std::prev(behind);
  return jump.line + (entry - jump.entry);
}

EntryBlock SpareBlocks::get(std::size_t capacity) {
  std::unique_lock lock(mutex_);
  if (blocks_.empty()) {
    lock.unlock();
    return {order_, with_values_, capacity};
  }
  EntryBlock block = std::move(blocks_.back());
  blocks_.pop_back();
  lock.unlock();
  block.restart(capacity);
  return block;
}

void SpareBlocks::put(EntryBlock&& block) {
  const std::lock_guard lock(mutex_);
  if (blocks_.size() < kMostSpare) blocks_.push_back(std::move(block));
}

EntryList::EntryList(const LineChunks& chunks, int order, bool with_values)
    : file_(chunks.name()),
      file_bytes_(chunks.source_bytes()),
      with_values_(with_values),
      columns_(static_cast<std::size_t>(order)) {}

void EntryList::add(const EntryBlock& block, std::size_t first_line, const Bounds& bounds) {
  check_bounds(block, first_line, bounds);
  for (const auto& jump : block.jumps_) jumps_.push_back({size() + jump.entry, first_line + jump.line});
  make_room(block);
  for (int mode = 0; mode < order(); ++mode)
    columns_[mode].insert(columns_[mode].end(), block.column(mode), block.column(mode) + block.size());
  if (with_values_) values_.insert(values_.end(), block.values(), block.values() + block.size());
}

// The rest of the file is expected to be like its beginning, so that in most cases entries are never moved.
// Since it may differ, capacity is limited to a multiple of the entries read. Columns grow one after the
// other, and capacity takes no memory before it is used, so the peak stays low.
void EntryList::make_room(const EntryBlock& block) {
  constexpr double kLeast = 1.25, kMost = 64, kSpare = 1.02;
  // From 32 MiB on, the C library returns memory to the system as soon as it is freed.
  constexpr double kWhole = 9e6;
  taken_bytes_ += block.bytes;
  const std::size_t needed = size() + block.size();
  if (needed <= columns_.front().capacity()) return;
  const auto entries = static_cast<double>(needed);
  const double expected = file_bytes_ == 0 ? std::max(2 * entries, kWhole)
                                           : kSpare * entries * static_cast<double>(file_bytes_) /
                                                 static_cast<double>(taken_bytes_);
  const double capacity = std::clamp(expected, kLeast * entries, std::max(kMost * entries, kWhole));
  for (auto& column : columns_) reserve_huge(column, static_cast<std::size_t>(capacity));
  if (with_values_) reserve_huge(values_, static_cast<std::size_t>(capacity));
}

void EntryList::check_bounds(const EntryBlock& block, std::size_t first_line, const Bounds& bounds) {
  std::size_t first_outside = block.size();
  int outside_mode = 0;
  for (int mode = 0; mode < order(); ++mode) {
    const Index* const column = block.column(mode);
    Index last = 0;
    for (std::size_t entry = 0; entry < block.size(); ++entry) last = std::max(last, column[entry]);
    if (block.size() > 0) largest_[mode] = std::max(largest_[mode], std::uint64_t{last} + 1);
    if (largest_[mode] <= bounds[mode]) continue;
    const Index* const outside = std::find_if(column, column + first_outside,
                                              [&](Index position) { return position >= bounds[mode]; });
    if (outside == column + first_outside) continue;
    first_outside = static_cast<std::size_t>(outside - column);
    outside_mode = mode;
  }
  if (first_outside == block.size()) return;
  fail("{}:{}: position {} of mode {} lies outside its size {}; correct it[ or give a larger shape (@shape)]",
       file_, first_line + block.line_of(first_outside),
       std::uint64_t{block.column(outside_mode)[first_outside]} + 1, outside_mode + 1, bounds[outside_mode]);
}

void EntryList::renumber(int mode, const std::vector<Index>& places) {
  for (Index& position : columns_[mode]) position = places[position];
}

std::pair<std::vector<std::vector<Index>>, std::vector<float>> EntryList::take() {
  if (!with_values_) values_.assign(size(), 1.0f);
  if (columns_.front().capacity() / 2 > size()) {
    for (auto& column : columns_) column.shrink_to_fit();
    values_.shrink_to_fit();
  }
  std::pair taken(std::exchange(columns_, std::vector<std::vector<Index>>(columns_.size())),
                  std::exchange(values_, {}));
  return taken;
}

}  // namespace tulle
