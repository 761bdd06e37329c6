#include <tulle/base/error.hpp>
#include <tulle/tensor/sparse.hpp>

#include <algorithm>

namespace tulle {
namespace {

constexpr std::size_t kSharedSize = std::size_t{1}
                                    << 18;  // below it, starting threads costs more than it saves

}  // namespace

Cells::Cells(Shape shape) : shape_(shape), columns_(shape.order()) {}

Cells::Cells(Shape shape, std::vector<std::vector<Index>> columns)
    : shape_(shape), columns_(std::move(columns)) {
  if (static_cast<int>(columns_.size()) != shape_.order())
    fail("a {} tensor needs {} columns of positions, not {}", shape_.text(), shape_.order(), columns_.size());
  for (int mode = 0; mode < shape_.order(); ++mode) {
    const auto& column = columns_[mode];
    if (column.size() != columns_.front().size()) fail("the columns of positions differ in length");
    // Unlike a search for the first position outside, a search for the largest uses vectors and threads.
    Index last = 0;
#pragma omp parallel for reduction(max : last) if (column.size() > kSharedSize)
    for (std::size_t entry = 0; entry < column.size(); ++entry) last = std::max(last, column[entry]);
    if (!column.empty() && last >= shape_[mode])
      fail("position {} of mode {} lies outside its size {}", std::uint64_t{last} + 1, mode + 1,
           shape_[mode]);
  }
}

std::array<Index, kMaxOrder> Cells::cell(std::size_t entry) const {
  std::array<Index, kMaxOrder> result{};
  for (int mode = 0; mode < order(); ++mode) result[mode] = columns_[mode][entry];
  return result;
}

void Cells::reserve(std::size_t count) {
  for (auto& column : columns_) column.reserve(count);
}

void Cells::append(std::span<const Index> cell) {
  if (!shape_.contains(cell)) {
    std::vector<std::uint64_t> positions;
    for (Index position : cell) positions.push_back(std::uint64_t{position} + 1);
    fail("cell ({}) lies outside a {} tensor", fmt::join(positions, ", "), shape_.text());
  }
  for (int mode = 0; mode < order(); ++mode) columns_[mode].push_back(cell[mode]);
}

Cells Cells::within(const Shape& larger) const {
  return Cells(larger, columns_);
}

SparseTensor::SparseTensor(Shape shape, Unlisted unlisted) : cells_(shape), unlisted_(unlisted) {}

SparseTensor::SparseTensor(Cells cells, std::vector<float> values, Unlisted unlisted)
    : cells_(std::move(cells)), values_(std::move(values)), unlisted_(unlisted) {
  if (values_.size() != cells_.size())
    fail("{} cells were listed, but {} values", cells_.size(), values_.size());
}

void SparseTensor::reserve(std::size_t count) {
  cells_.reserve(count);
  values_.reserve(count);
}

void SparseTensor::append(std::span<const Index> cell, float value) {
  cells_.append(cell);
  values_.push_back(value);
}

SparseTensor SparseTensor::select(std::span<const std::size_t> entries) const {
  std::vector<std::vector<Index>> columns(order());
  for (int mode = 0; mode < order(); ++mode) {
    const auto from = column(mode);
    columns[mode].reserve(entries.size());
    for (std::size_t entry : entries) columns[mode].push_back(from[entry]);
  }
  std::vector<float> chosen;
  chosen.reserve(entries.size());
  for (std::size_t entry : entries) chosen.push_back(values_[entry]);
  return {Cells(shape(), std::move(columns)), std::move(chosen), unlisted_};
}

}  // namespace tulle
