#include "layout.hpp"

#include <tulle/tensor/slice.hpp>

namespace tulle {
namespace {

Shape shape_of_slice(const Shape& shape, int mode, Index position) {
  check_mode(shape, mode);
  if (shape.order() == kMinOrder)
    fail("a slice of a {} tensor is a vector; slices need 3 modes", shape.text());
  if (position >= shape[mode])
    fail("position {} of mode {} lies outside its size {}", std::uint64_t{position} + 1, mode + 1,
         shape[mode]);
  std::vector<std::uint64_t> left(shape.dimensions().begin(), shape.dimensions().end());
  left.erase(left.begin() + mode);
  return Shape(left);
}

void check_crop(const Shape& shape, const Shape& to) {
  bool fits = shape.order() == to.order();
  for (int mode = 0; fits && mode < shape.order(); ++mode) fits = to[mode] <= shape[mode];
  if (!fits) fail("a {} tensor cannot be cropped to {}", shape.text(), to.text());
}

}  // namespace

DenseTensor slice(const DenseTensor& tensor, int mode, Index position) {
  DenseTensor result(shape_of_slice(tensor.shape(), mode, position));
  const Layout at(tensor.shape(), mode);
  for (std::size_t block = 0; block < at.outer; ++block)
    std::copy_n(&tensor.values()[(block * at.size + position) * at.inner], at.inner,
                &result.values()[block * at.inner]);
  return result;
}

SparseTensor slice(const SparseTensor& tensor, int mode, Index position) {
  const Shape shape = shape_of_slice(tensor.shape(), mode, position);
  const auto along = tensor.column(mode);
  std::vector<std::size_t> chosen;
  for (std::size_t entry = 0; entry < tensor.size(); ++entry)
    if (along[entry] == position) chosen.push_back(entry);

  std::vector<std::vector<Index>> columns;
  for (int other = 0; other < tensor.order(); ++other) {
    if (other == mode) continue;
    auto& column = columns.emplace_back();
    column.reserve(chosen.size());
    for (std::size_t entry : chosen) column.push_back(tensor.column(other)[entry]);
  }
  std::vector<float> values;
  values.reserve(chosen.size());
  for (std::size_t entry : chosen) values.push_back(tensor.values()[entry]);
  return {Cells(shape, std::move(columns)), std::move(values), tensor.unlisted()};
}

DenseTensor crop(const DenseTensor& tensor, const Shape& shape) {
  check_crop(tensor.shape(), shape);
  DenseTensor result(shape);
  const int last = shape.order() - 1;
  for (std::size_t row = 0; row < result.size(); row += shape[last]) {
    std::size_t from = 0;
    for (int mode = 0; mode < last; ++mode)
      from += row / shape.stride(mode) % shape[mode] * tensor.shape().stride(mode);
    std::copy_n(&tensor.values()[from], shape[last], &result.values()[row]);
  }
  return result;
}

SparseTensor crop(const SparseTensor& tensor, const Shape& shape) {
  check_crop(tensor.shape(), shape);
  SparseTensor result(shape, tensor.unlisted());
  for (std::size_t entry = 0; entry < tensor.size(); ++entry) {
    const auto cell = tensor.cells().cell(entry);
    const auto place = std::span(cell).first(static_cast<std::size_t>(shape.order()));
    if (shape.contains(place)) result.append(place, tensor.values()[entry]);
  }
  return result;
}

}  // namespace tulle
