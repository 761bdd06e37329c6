#include <tulle/base/error.hpp>
#include <tulle/tensor/dataset.hpp>
#include <tulle/tensor/float32.hpp>

#include <algorithm>

namespace tulle {
namespace {

SparseTensor list_all(const DenseTensor& tensor) {
  const Shape& shape = tensor.shape();
  std::vector<std::vector<Index>> columns(shape.order(), std::vector<Index>(tensor.size()));
  for (int mode = 0; mode < shape.order(); ++mode) {
    const std::size_t stride = shape.stride(mode);
    for (std::size_t cell = 0; cell < tensor.size(); ++cell)
      columns[mode][cell] = static_cast<Index>(cell / stride % shape[mode]);
  }
  std::vector<float> values(tensor.size());
  std::ranges::transform(tensor.values(), values.begin(), to_float32);
  return {Cells(shape, std::move(columns)), std::move(values), Unlisted::missing};
}

}  // namespace

std::vector<Mode> unnamed_modes(int order) {
  std::vector<Mode> modes(order);
  for (int mode = 0; mode < order; ++mode) modes[mode].name = fmt::format("mode{}", mode + 1);
  return modes;
}

std::string position_name(const Mode& mode, Index position) {
  return position < mode.labels.size() ? mode.labels[position]
                                       : fmt::format("{}", std::uint64_t{position} + 1);
}

Cells cells_in_model(const Cells& cells, const std::vector<Mode>& modes) {
  if (std::ranges::none_of(modes, &Mode::any)) return cells;
  std::vector<std::uint64_t> sizes(cells.shape().dimensions().begin(), cells.shape().dimensions().end());
  std::vector<std::vector<Index>> columns;
  for (int mode = 0; mode < cells.order(); ++mode) {
    const auto column = cells.column(mode);
    columns.emplace_back(column.begin(), column.end());
    if (!modes[static_cast<std::size_t>(mode)].any) continue;
    columns.back().assign(column.size(), 0);
    sizes[static_cast<std::size_t>(mode)] = 1;
  }
  return Cells(Shape(sizes), std::move(columns));
}

const Shape& Dataset::shape() const {
  return std::visit([](const auto& t) -> const Shape& { return t.shape(); }, tensor);
}

std::size_t Dataset::listed() const {
  return std::visit([](const auto& t) { return t.size(); }, tensor);
}

SparseTensor observed(const Dataset& data) {
  return observed(Dataset{{}, data.tensor});
}

SparseTensor observed(Dataset&& data) {
  if (const auto* dense = std::get_if<DenseTensor>(&data.tensor)) return list_all(*dense);
  auto& sparse = std::get<SparseTensor>(data.tensor);
  if (sparse.unlisted() == Unlisted::zero)
    fail(
        "unlisted cells of this tensor are zeros, so no cell is missing; read it with "
        "missing semantics[ (@unlisted missing)] to complete it");
  return std::move(sparse);
}

}  // namespace tulle
