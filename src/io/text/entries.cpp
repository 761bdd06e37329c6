#include "text/entries.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>

namespace tulle {

EntryBlock::EntryBlock(int order, bool with_values, std::size_t capacity) : order_(order) {
  for (int mode = 0; mode < order; ++mode) columns_[mode] = Pages<Index>(capacity);
  if (with_values) values_ = Pages<float>(capacity);
}

std::size_t EntryBlock::line_in(const std::vector<Jump>& jumps, std::size_t entry) {
  const auto behind = std::upper_bound(jumps.begin(), jumps.end(), entry,
                                       [](std::size_t e, const Jump& jump) { return e < jump.entry; });
  const Jump& jump = *std::prev(behind);
  return jump.line + (entry - jump.entry);
}

EntryList::EntryList(std::string file, int order, bool with_values)
    : file_(std::move(file)), order_(order), with_values_(with_values) {}

void EntryList::add(EntryBlock&& block, std::size_t first_line, const Bounds& bounds) {
  check_bounds(block, first_line, bounds);
  for (const auto& jump : block.jumps_) jumps_.push_back({size_ + jump.entry, first_line + jump.line});
  block.jumps_ = {};
  size_ += block.size();
  if (block.size() > 0) blocks_.push_back(std::move(block));
}

void EntryList::check_bounds(const EntryBlock& block, std::size_t first_line, const Bounds& bounds) {
  std::size_t first_outside = block.size();
  int outside_mode = 0;
  for (int mode = 0; mode < order_; ++mode) {
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
  fail("{}:{}: position {} of mode {} lies outside its size {}; correct it or give a larger shape", file_,
       first_line + block.line_of(first_outside),
       std::uint64_t{block.column(outside_mode)[first_outside]} + 1, outside_mode + 1, bounds[outside_mode]);
}

void EntryList::renumber(int mode, const std::vector<Index>& places) {
  for (auto& block : blocks_)
    for (std::size_t entry = 0; entry < block.size(); ++entry)
      block.column(mode)[entry] = places[block.column(mode)[entry]];
}

std::pair<std::vector<std::vector<Index>>, std::vector<float>> EntryList::take() {
  std::vector<std::vector<Index>> columns(order_);
  std::vector<float> values;
  for (auto& column : columns) column.reserve(size_);
  values.reserve(size_);
  const auto append = [](auto& whole, auto& part, std::size_t count) {
    const auto gone_when_copied = std::move(part);
    whole.insert(whole.end(), gone_when_copied.data(), gone_when_copied.data() + count);
  };
#pragma omp parallel for schedule(dynamic)
  for (int mode = 0; mode <= order_; ++mode)
    for (auto& block : blocks_) {
      if (mode < order_)
        append(columns[mode], block.columns_[mode], block.size());
      else if (with_values_)
        append(values, block.values_, block.size());
      else
        values.insert(values.end(), block.size(), 1.0f);
    }
  return {std::move(columns), std::move(values)};
}

}  // namespace tulle
