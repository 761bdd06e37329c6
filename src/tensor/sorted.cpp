#include "radix_sort.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/tensor/sorted.hpp>

#include <algorithm>
#include <numeric>

namespace tulle {
namespace {

std::vector<int> by_size(const Shape& shape, Levels levels) {
  std::vector<int> modes(shape.order());
  std::iota(modes.begin(), modes.end(), 0);
  std::stable_sort(modes.begin(), modes.end(), [&](int a, int b) {
    return levels == Levels::small_first ? shape[a] < shape[b] : shape[a] > shape[b];
  });
  return modes;
}

std::vector<int> without(std::vector<int> modes, int mode) {
  std::erase(modes, mode);
  return modes;
}

std::vector<int> starting_with(int mode, const std::vector<int>& modes) {
  std::vector<int> result = without(modes, mode);
  result.insert(result.begin(), mode);
  return result;
}

// Afterwards the items are in order, and their keys are their positions in modes[0].
void sort_lexicographically(const Cells& cells, std::span<const int> modes, RadixSort& radix) {
  auto& items = radix.items;
  for (std::size_t e = 0; e < items.size(); ++e) items[e].entry = static_cast<std::uint32_t>(e);
  for (auto mode = modes.rbegin(); mode != modes.rend(); ++mode) {
    const auto column = cells.column(*mode);
#pragma omp parallel for if (items.size() > kWorthThreadsToSort)
    for (std::size_t i = 0; i < items.size(); ++i) items[i].key = column[items[i].entry];
    radix.sort(cells.shape()[*mode] - 1);
  }
}

void find_rows(const std::vector<Keyed>& order, SortedEntries& sorted) {
  for (std::size_t i = 0; i < order.size(); ++i)
    if (i == 0 || order[i].key != order[i - 1].key) {
      sorted.rows.push_back(order[i].key);
      sorted.starts.push_back(i);
    }
  sorted.starts.push_back(order.size());
}

void find_shared_levels(SortedEntries& sorted) {
  const int last = sorted.levels() - 1;
  sorted.fresh.assign(sorted.size(), 0);
  for (std::size_t e = 1; e < sorted.size(); ++e) {
    int level = 0;
    while (level < last && sorted.position(level, e) == sorted.position(level, e - 1)) ++level;
    sorted.fresh[e] = static_cast<std::uint8_t>(level);
  }
}

// When a row is cut. A piece cannot share work with the entries before it, so rows whose neighbours share
// work are cut into larger pieces.
struct RowCut {
  std::size_t longest;  // the longest row that stays whole, in entries
  std::size_t piece;
};
constexpr RowCut cut_of(Levels levels) {
  return levels == Levels::small_first ? RowCut{1 << 14, 1 << 14} : RowCut{1 << 16, 1 << 13};
}

void plan_work(const RowCut& cut, SortedEntries& sorted) {
  constexpr std::size_t kTaskEntries = 1 << 12;
  constexpr std::size_t kRowCost = 16;  // cost of a row besides its entries, in entries
  std::size_t first = 0, cost = 0;
  sorted.batches.assign(1, 0);
  const auto close = [&](std::size_t last) {
    if (last > first) sorted.tasks.push_back({first, last});
    first = last;
    cost = 0;
  };
  for (std::size_t row = 0; row < sorted.rows.size(); ++row) {
    const std::size_t begin = sorted.starts[row], end = sorted.starts[row + 1], count = end - begin;
    if (count > cut.longest) {
      close(row);
      const std::size_t piece = std::max(cut.piece, (count - 1) / SortedEntries::kMostPieces + 1);
      const std::size_t pieces = sorted.pieces.size();
      if (pieces + chunk_count(count, piece) - sorted.batches.back() > SortedEntries::kMostPieces)
        sorted.batches.push_back(pieces);
      for (std::size_t at = begin; at < end; at += piece)
        sorted.pieces.push_back({row, at, std::min(at + piece, end)});
      first = row + 1;
    } else if ((cost += count + kRowCost) >= kTaskEntries) {
      close(row + 1);
    }
  }
  close(sorted.rows.size());
  sorted.batches.push_back(sorted.pieces.size());
}

void finish_layout(Levels levels, SortedEntries& sorted) {
  if (levels == Levels::small_first) {
    sorted.leading.resize(sorted.size());
    for (std::size_t row = 0; row < sorted.rows.size(); ++row)
      std::fill(sorted.leading.begin() + static_cast<std::ptrdiff_t>(sorted.starts[row]),
                sorted.leading.begin() + static_cast<std::ptrdiff_t>(sorted.starts[row + 1]),
                sorted.rows[row]);
    find_shared_levels(sorted);
  }
  plan_work(cut_of(levels), sorted);
}

void allocate(std::size_t count, SortedEntries& sorted) {
  sorted.values.resize(count);
  sorted.positions.resize((count + SortedEntries::kLookAhead) * (sorted.modes.size() - 1));
}

SortedEntries sort_once(const SparseTensor& tensor, std::vector<int> modes, Levels levels) {
  RadixSort radix(tensor.size());
  const auto& order = radix.items;
  sort_lexicographically(tensor.cells(), modes, radix);
  SortedEntries sorted{.modes = std::move(modes)};
  sorted.all_rows = tensor.shape()[sorted.modes[0]];
  allocate(order.size(), sorted);
  const std::size_t width = sorted.modes.size() - 1;
  const auto gather = [&](const auto& from, auto* to, std::size_t stride) {
#pragma omp parallel for if (order.size() > kWorthThreadsToSort)
    for (std::size_t i = 0; i < order.size(); ++i) to[i * stride] = from[order[i].entry];
  };
  gather(tensor.values(), sorted.values.data(), 1);
  for (std::size_t k = 0; k < width; ++k)
    gather(tensor.column(sorted.modes[k + 1]), sorted.positions.data() + k, width);
  find_rows(order, sorted);
  finish_layout(levels, sorted);
  return sorted;
}

// Sorts the entries of `from` by the mode of one of its levels; the sort is stable.
std::vector<Keyed> order_by(const SortedEntries& from, int level, std::size_t positions) {
  RadixSort radix(from.size());
  auto& items = radix.items;
#pragma omp parallel for if (items.size() > kWorthThreadsToSort)
  for (std::size_t e = 0; e < items.size(); ++e)
    items[e] = {from.others(e)[level - 1], static_cast<std::uint32_t>(e)};
  radix.sort(positions - 1);
  return std::move(items);
}

// The new place of each entry.
std::vector<std::uint32_t> inverse(const std::vector<Keyed>& order) {
  std::vector<std::uint32_t> places(order.size());
#pragma omp parallel for if (order.size() > kWorthThreadsToSort)
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i].entry] = static_cast<std::uint32_t>(i);
  return places;
}

// Entries in order by all modes need sorting by only one more. They are scattered from one layout into the
// other; the only other memory is the place of every entry, so sorting needs little more than its result.
SortedEntries sort_again(const SortedEntries& from, const Shape& shape, int mode, Levels levels) {
  const auto level_of = [&](int wanted) {
    return static_cast<int>(std::ranges::find(from.modes, wanted) - from.modes.begin());
  };
  SortedEntries sorted{.modes = starting_with(mode, from.modes), .all_rows = shape[mode]};
  const std::vector<std::uint32_t> places = [&] {
    const std::vector<Keyed> order = order_by(from, level_of(mode), sorted.all_rows);
    find_rows(order, sorted);
    return inverse(order);
  }();
  allocate(from.size(), sorted);
  const std::size_t width = sorted.modes.size() - 1;
  std::vector<int>
      sources;  // levels in `from` of sorted.modes[1], ..; that of sorted.modes[1] is 0, the rows
  for (std::size_t k = 1; k <= width; ++k) sources.push_back(level_of(sorted.modes[k]));
#pragma omp parallel for schedule(dynamic, 1 + from.rows.size() / 256) if (from.size() > kWorthThreadsToSort)
  for (std::size_t row = 0; row < from.rows.size(); ++row)
    for (std::size_t e = from.starts[row]; e < from.starts[row + 1]; ++e) {
      Index* const to = sorted.positions.data() + places[e] * width;
      sorted.values[places[e]] = from.values[e];
      to[0] = from.rows[row];
      for (std::size_t k = 1; k < width; ++k) to[k] = from.others(e)[sources[k] - 1];
    }
  finish_layout(levels, sorted);
  return sorted;
}

}  // namespace

std::vector<int> modes_towards(const Shape& shape, int last) {
  std::vector<int> modes = without(by_size(shape, Levels::small_first), last);
  modes.push_back(last);
  return modes;
}

std::vector<std::size_t> lexicographic_order(const Cells& cells, std::span<const int> modes) {
  RadixSort radix(cells.size());
  sort_lexicographically(cells, modes, radix);
  std::vector<std::size_t> order(cells.size());
  std::ranges::transform(radix.items, order.begin(), &Keyed::entry);
  return order;
}

SortedEntries sort_entries(const SparseTensor& tensor, std::vector<int> modes) {
  return sort_once(tensor, std::move(modes), Levels::small_first);
}

SortedEntries sort_by_mode(const SparseTensor& tensor, int mode, Levels levels) {
  return sort_once(tensor, starting_with(mode, by_size(tensor.shape(), levels)), levels);
}

std::vector<SortedEntries> sort_by_every_mode(const SparseTensor& tensor, Levels levels) {
  const std::vector<int> modes = by_size(tensor.shape(), levels);
  std::vector<SortedEntries> result(modes.size());
  const SortedEntries& first = result[modes[0]] = sort_once(tensor, modes, levels);
  for (int mode = 0; mode < tensor.order(); ++mode)
    if (mode != modes[0]) result[mode] = sort_again(first, tensor.shape(), mode, levels);
  return result;
}

void SortedEntries::transform_values(double shift, double factor) {
#pragma omp parallel for if (size() > kWorthThreadsToSort)
  for (std::size_t e = 0; e < size(); ++e) values[e] = static_cast<float>((values[e] - shift) * factor);
}

}  // namespace tulle
