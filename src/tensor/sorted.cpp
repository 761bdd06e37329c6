#include <tulle/tensor/sorted.hpp>

namespace tulle {
namespace {

std::vector<int> by_size_without(const Shape& shape, int mode) {
  std::vector<int> modes;
  for (int other = 0; other < shape.order(); ++other)
    if (other != mode) modes.push_back(other);
  std::stable_sort(modes.begin(), modes.end(), [&](int a, int b) { return shape[a] < shape[b]; });
  return modes;
}

// One pass of a radix sort: stable, by one column. Modes much longer than the list are sorted by comparison
// instead, so that time and memory follow the entries.
std::vector<std::size_t> sort_by(std::span<const Index> column, std::size_t size,
                                 std::vector<std::size_t> order) {
  if (size > 4 * order.size() + 1024) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return column[a] < column[b]; });
    return order;
  }
  std::vector<std::size_t> next(size + 1);
  for (Index position : column) ++next[position + std::size_t{1}];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::size_t> sorted(order.size());
  for (std::size_t entry : order) sorted[next[column[entry]]++] = entry;
  return sorted;
}

}  // namespace

std::vector<int> modes_from(const Shape& shape, int first) {
  auto modes = by_size_without(shape, first);
  modes.insert(modes.begin(), first);
  return modes;
}

std::vector<int> modes_towards(const Shape& shape, int last) {
  auto modes = by_size_without(shape, last);
  modes.push_back(last);
  return modes;
}

std::vector<std::size_t> lexicographic_order(const Cells& cells, std::span<const int> modes) {
  std::vector<std::size_t> order(cells.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (auto mode = modes.rbegin(); mode != modes.rend(); ++mode)
    order = sort_by(cells.column(*mode), cells.shape()[*mode], std::move(order));
  return order;
}

SortedEntries sort_entries(const SparseTensor& tensor, std::vector<int> modes) {
  SortedEntries sorted;
  sorted.source = lexicographic_order(tensor.cells(), modes);

  const std::size_t size = tensor.size();
  const int last = static_cast<int>(modes.size()) - 1;
  sorted.values.resize(size);
  for (std::size_t entry = 0; entry < size; ++entry)
    sorted.values[entry] = tensor.values()[sorted.source[entry]];
  sorted.fresh.assign(size, static_cast<std::uint8_t>(last));
  if (size > 0) sorted.fresh[0] = 0;
  sorted.columns.resize(modes.size());
  for (int level = last; level >= 0; --level) {
    auto& column = sorted.columns[level];
    column.resize(size);
    for (std::size_t entry = 0; entry < size; ++entry) {
      column[entry] = tensor.column(modes[level])[sorted.source[entry]];
      if (entry > 0 && column[entry] != column[entry - 1])
        sorted.fresh[entry] = static_cast<std::uint8_t>(level);
    }
  }

  sorted.starts.assign(std::size_t{tensor.shape()[modes[0]]} + 1, 0);
  for (Index position : sorted.columns[0]) ++sorted.starts[position + std::size_t{1}];
  std::partial_sum(sorted.starts.begin(), sorted.starts.end(), sorted.starts.begin());
  sorted.modes = std::move(modes);
  return sorted;
}

}  // namespace tulle
