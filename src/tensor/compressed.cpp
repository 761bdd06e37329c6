#include <tulle/base/error.hpp>
#include <tulle/tensor/compressed.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace tulle {
namespace {

// What is sorted: an entry by its position in some mode.
struct Keyed {
  Index key;
  std::uint32_t entry;
};

constexpr std::size_t kParallel = 1 << 18;  // entries of which one pass is worth waiting for threads
constexpr int kDigitBits = 11;
constexpr std::size_t kChunks = 64;  // of a parallel pass; does not change the result, for the sort is stable

// Stable radix sort: a histogram a chunk, then each chunk scatters to places of its own.
class RadixSort {
 public:
  explicit RadixSort(std::size_t size) : items(size), other_(size) {}

  std::vector<Keyed> items;

  void sort(Index largest_key) {
    const int bits = std::bit_width(largest_key);
    const int passes = (bits + kDigitBits - 1) / kDigitBits;
    if (passes == 0) return;
    const int digit_bits = (bits + passes - 1) / passes;
    for (int pass = 0; pass < passes; ++pass) scatter(pass * digit_bits, digit_bits);
  }

 private:
  void scatter(int shift, int digit_bits) {
    const std::size_t digits = std::size_t{1} << digit_bits;
    const Index mask = static_cast<Index>(digits - 1);
    const std::size_t chunk = items.size() / kChunks + 1;
    std::vector<std::size_t> places(kChunks * digits);
    const auto each_item = [&](std::size_t c, auto action) {
      const std::size_t end = std::min((c + 1) * chunk, items.size());
      std::size_t* const place = places.data() + c * digits;
      for (std::size_t i = c * chunk; i < end; ++i) action(place[items[i].key >> shift & mask], items[i]);
    };
#pragma omp parallel for if (items.size() > kParallel)
    for (std::size_t c = 0; c < kChunks; ++c) each_item(c, [](std::size_t& count, const Keyed&) { ++count; });
    std::size_t total = 0;
    for (std::size_t d = 0; d < digits; ++d)
      for (std::size_t c = 0; c < kChunks; ++c) total += std::exchange(places[c * digits + d], total);
#pragma omp parallel for if (items.size() > kParallel)
    for (std::size_t c = 0; c < kChunks; ++c)
      each_item(c, [&](std::size_t& place, const Keyed& item) { other_[place++] = item; });
    items.swap(other_);
  }

  std::vector<Keyed> other_;
};

template <class T>
std::vector<T> gather(std::span<const T> from, const std::vector<Keyed>& order) {
  std::vector<T> result(order.size());
#pragma omp parallel for if (order.size() > kParallel)
  for (std::size_t i = 0; i < order.size(); ++i) result[i] = from[order[i].entry];
  return result;
}

// Entries as columns, sorted: by the largest mode, then by the next, ..
struct Sorted {
  std::vector<std::vector<Index>> columns;
  std::vector<float> values;
};

Sorted sort_entries(const SparseTensor& tensor, const std::vector<int>& largest_first, RadixSort& radix) {
  for (std::size_t e = 0; e < tensor.size(); ++e) radix.items[e].entry = static_cast<std::uint32_t>(e);
  for (auto mode = largest_first.rbegin(); mode != largest_first.rend(); ++mode) {
    const auto column = tensor.column(*mode);
#pragma omp parallel for if (radix.items.size() > kParallel)
    for (std::size_t i = 0; i < radix.items.size(); ++i) radix.items[i].key = column[radix.items[i].entry];
    radix.sort(tensor.shape()[*mode] - 1);
  }
  Sorted result;
  for (int mode = 0; mode < tensor.order(); ++mode)
    result.columns.push_back(gather(tensor.column(mode), radix.items));
  result.values = gather(tensor.values(), radix.items);
  return result;
}

CompressedMode group(const Sorted& sorted, int mode, Index size, const std::vector<int>& largest_first,
                     RadixSort& radix) {
  const auto& keys = sorted.columns[mode];
#pragma omp parallel for if (keys.size() > kParallel)
  for (std::size_t e = 0; e < keys.size(); ++e) radix.items[e] = {keys[e], static_cast<std::uint32_t>(e)};
  if (mode != largest_first.front()) radix.sort(size - 1);

  CompressedMode result;
  result.mode = mode;
  std::copy_if(largest_first.begin(), largest_first.end(), std::back_inserter(result.others),
               [&](int m) { return m != mode; });
  const std::size_t count = keys.size(), width = result.others.size();
  for (std::size_t i = 0; i < count; ++i)
    if (i == 0 || radix.items[i].key != radix.items[i - 1].key) {
      result.rows.push_back(radix.items[i].key);
      result.starts.push_back(i);
    }
  result.starts.push_back(count);
  result.positions.resize((count + CompressedMode::kLookAhead) * width);
  for (std::size_t k = 0; k < width; ++k) {
    const auto& column = sorted.columns[result.others[k]];
#pragma omp parallel for if (count > kParallel)
    for (std::size_t i = 0; i < count; ++i) result.positions[i * width + k] = column[radix.items[i].entry];
  }
  result.values = gather(std::span<const float>(sorted.values), radix.items);
  result.plan();
  return result;
}

}  // namespace

void CompressedMode::plan() {
  constexpr std::size_t kRowCost = 16;  // what a row costs besides its entries, in entries
  tasks.clear();
  heavy_rows.clear();
  std::size_t first = 0, cost = 0;
  const auto close = [&](std::size_t last) {
    if (last > first) tasks.push_back({first, last});
    first = last;
    cost = 0;
  };
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::size_t count = starts[row + 1] - starts[row];
    if (count > kHeavyEntries) {
      close(row);
      heavy_rows.push_back(row);
      first = row + 1;
    } else if ((cost += count + kRowCost) >= kTaskEntries) {
      close(row + 1);
    }
  }
  close(rows.size());
}

CompressedTensor::CompressedTensor(const SparseTensor& tensor) : shape_(tensor.shape()) {
  if (tensor.size() > std::numeric_limits<std::uint32_t>::max())
    fail("{} entries; at most {} can be compressed", tensor.size(),
         std::numeric_limits<std::uint32_t>::max());
  std::vector<int> largest_first(order());
  std::iota(largest_first.begin(), largest_first.end(), 0);
  std::stable_sort(largest_first.begin(), largest_first.end(),
                   [&](int a, int b) { return shape_[a] > shape_[b]; });
  RadixSort radix(tensor.size());
  const Sorted sorted = sort_entries(tensor, largest_first, radix);
  for (int mode = 0; mode < order(); ++mode)
    modes_.push_back(group(sorted, mode, shape_[mode], largest_first, radix));
}

void CompressedTensor::transform_values(double shift, double factor) {
  for (CompressedMode& mode : modes_) {
#pragma omp parallel for if (mode.values.size() > kParallel)
    for (std::size_t e = 0; e < mode.values.size(); ++e)
      mode.values[e] = static_cast<float>((mode.values[e] - shift) * factor);
  }
}

}  // namespace tulle
