#include <tulle/base/error.hpp>
#include <tulle/tensor/float32.hpp>
#include <tulle/tensor/merge_duplicates.hpp>
#include <tulle/tensor/sorted.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace tulle {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"refuse", "mean", "last", "sum", "count"};

std::vector<std::size_t> sorted_rows(const Cells& cells) {
  std::vector<int> modes(static_cast<std::size_t>(cells.order()));
  std::iota(modes.begin(), modes.end(), 0);
  return lexicographic_order(cells, modes);
}

bool same_cell(const Cells& cells, std::size_t a, std::size_t b) {
  for (int mode = 0; mode < cells.order(); ++mode)
    if (cells(a, mode) != cells(b, mode)) return false;
  return true;
}

// Sums of at most 2^64 float32 values are finite in float64.
double merged_value(std::span<const std::size_t> rows, std::span<const float> values, Duplicates duplicates) {
  const auto count = static_cast<double>(rows.size());
  if (duplicates == Duplicates::count) return count;
  if (duplicates == Duplicates::last) return values[rows.back()];
  double sum = 0;
  for (std::size_t row : rows) sum += values[row];
  return duplicates == Duplicates::mean ? sum / count : sum;
}

[[noreturn]] void fail_too_large(const Dataset& data, const Cells& cells, std::size_t row, double sum,
                                 const std::string& where) {
  std::vector<std::string> names;
  for (int mode = 0; mode < cells.order(); ++mode)
    names.push_back(position_name(data.modes[static_cast<std::size_t>(mode)], cells(row, mode)));
  fail("{}: the rows of cell ({}) add up to {:g}, too large for single precision; scale the values", where,
       fmt::join(names, ", "), sum);
}

// One row of every cell and its merged value, in the order of the cells.
struct MergedRows {
  std::vector<std::size_t> rows;
  std::vector<float> values;
};

MergedRows merge(const Dataset& data, const SparseTensor& tensor, Duplicates duplicates,
                 const std::string& where, bool clamp) {
  const Cells& cells = tensor.cells();
  const std::vector<std::size_t> sorted = sorted_rows(cells);
  MergedRows merged;
  for (std::size_t first = 0, end = 0; first < sorted.size(); first = end) {
    while (end < sorted.size() && same_cell(cells, sorted[first], sorted[end])) ++end;
    const double value =
        merged_value(std::span(sorted).subspan(first, end - first), tensor.values(), duplicates);
    if (std::abs(value) > std::numeric_limits<float>::max() && !clamp)
      fail_too_large(data, cells, sorted[first], value, where);
    merged.rows.push_back(sorted[first]);
    merged.values.push_back(to_float32(value));
  }
  return merged;
}

Cells chosen(const Cells& cells, const std::vector<std::size_t>& rows) {
  std::vector<std::vector<Index>> columns(static_cast<std::size_t>(cells.order()));
  for (int mode = 0; mode < cells.order(); ++mode) {
    auto& column = columns[static_cast<std::size_t>(mode)];
    column.reserve(rows.size());
    for (std::size_t row : rows) column.push_back(cells(row, mode));
  }
  return Cells(cells.shape(), std::move(columns));
}

}  // namespace

std::string_view name(Duplicates duplicates) {
  return kNames[static_cast<std::size_t>(duplicates)];
}

Duplicates duplicates_of(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end())
    fail_usage("duplicates cannot be treated by '{}'; choose {}", name, fmt::join(kNames, ", "));
  return static_cast<Duplicates>(found - kNames.begin());
}

void merge_duplicates(Dataset& data, Duplicates duplicates, const std::string& where, bool clamp_to_float32) {
  data.duplicates = duplicates;
  if (duplicates == Duplicates::refuse) return;
  const auto* sparse = std::get_if<SparseTensor>(&data.tensor);
  if (!sparse) {  // an array holds every cell once
    if (duplicates == Duplicates::count) std::ranges::fill(std::get<DenseTensor>(data.tensor).values(), 1.0);
    return;
  }
  MergedRows merged = merge(data, *sparse, duplicates, where, clamp_to_float32);
  data.merged_rows = sparse->size() - merged.rows.size();
  data.tensor =
      SparseTensor(chosen(sparse->cells(), merged.rows), std::move(merged.values), sparse->unlisted());
}

}  // namespace tulle
