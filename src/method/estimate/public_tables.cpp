#include "estimate/public_tables.hpp"

#include "estimate/column_squares.hpp"
#include "estimate/descent.hpp"

#include <tulle/tensor/kernels/cell_gradient.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

// Values per own position: mean 0 and standard deviation 1 / 2. Values that do not vary become 0.
SparseTensor standardised(SparseTensor cells, int own) {
  const std::size_t positions = cells.shape()[own];
  std::vector<double> count(positions), sum(positions), squares(positions);
  for (std::size_t entry = 0; entry < cells.size(); ++entry) {
    const Index at = cells.column(own)[entry];
    count[at] += 1;
    sum[at] += cells.values()[entry];
  }
  for (std::size_t entry = 0; entry < cells.size(); ++entry) {
    const Index at = cells.column(own)[entry];
    squares[at] += std::pow(cells.values()[entry] - sum[at] / count[at], 2);
  }
  for (std::size_t entry = 0; entry < cells.size(); ++entry) {
    const Index at = cells.column(own)[entry];
    const double deviation = std::sqrt(squares[at] / count[at]);
    float& value = cells.values()[entry];
    value = deviation > 0 ? static_cast<float>((value - sum[at] / count[at]) / (2 * deviation)) : 0.0F;
  }
  return cells;
}

// A table that shares all its entities gets a mode of its own with one position.
SparseTensor with_own_mode(const SparseTensor& cells) {
  std::vector<std::uint64_t> shape;
  std::vector<std::vector<Index>> columns;
  for (int mode = 0; mode < cells.order(); ++mode) {
    shape.push_back(cells.shape()[mode]);
    columns.emplace_back(cells.column(mode).begin(), cells.column(mode).end());
  }
  shape.push_back(1);
  columns.emplace_back(cells.size(), Index{0});
  return {Cells(Shape(shape), std::move(columns)),
          {cells.values().begin(), cells.values().end()},
          Unlisted::missing};
}

double product_of_squares(const ModelLayout& layout, std::span<const double> numbers, int left_out,
                          std::size_t column) {
  double product = 1;
  for (int mode = 0; mode < layout.order(); ++mode)
    if (mode != left_out) product *= mean_square(layout, numbers, mode, column);
  return product;
}

// The ridge under which own rows explain the expected variance, as Descent::user_ridge has it.
double own_ridge(const ModelLayout& layout, std::span<const double> numbers, int own) {
  double curvature = 0;
  for (std::size_t column = 0; column < layout.columns(own); ++column)
    curvature += product_of_squares(layout, numbers, own, column);
  return std::max(kExpectedNoise / kExpectedSignal * curvature, 1e-12);
}

}  // namespace

PublicTables::PublicTables(const std::vector<PublicTable>& tables, const ModelLayout& entities)
    : layout_(entities) {
  for (const PublicTable& table : tables) {
    std::vector<int> modes = table.modes;
    const int own = table.own_mode();
    const bool lacks_own = own == static_cast<int>(modes.size());
    if (lacks_own) modes.push_back(PublicTable::kOwn);
    SparseTensor cells = standardised(lacks_own ? with_own_mode(table.cells) : table.cells, own);
    const ModelLayout start =
        ModelLayout::cp(cells.shape().with(own, 1), static_cast<int>(entities.columns(0)));
    SliceGradients rows(cells, start, own, Standard{});
    tables_.push_back({std::move(cells), std::move(modes), own, start, std::move(rows)});
  }
}

PublicTables::Slope PublicTables::at(std::span<const double> parameters) const {
  Slope slope{std::vector<double>(layout_.size()),
              std::vector<double>(static_cast<std::size_t>(layout_.order()) * layout_.columns(0))};
  for (const Table& table : tables_) add(table, parameters, slope);
  return slope;
}

std::vector<double> PublicTables::with_own_rows(const Table& table,
                                                std::span<const double> parameters) const {
  std::vector<double> shared(table.start.size());
  for (int mode = 0; mode < table.start.order(); ++mode)
    if (const int at = table.modes[static_cast<std::size_t>(mode)]; at != PublicTable::kOwn)
      std::ranges::copy(parameters.subspan(layout_.start(at), layout_.factor_size(at)),
                        shared.begin() + static_cast<std::ptrdiff_t>(table.start.start(mode)));
  return table.rows.with_own_rows(shared, own_ridge(table.start, shared, table.own));
}

void PublicTables::add(const Table& table, std::span<const double> parameters, Slope& slope) const {
  const ModelLayout own = table.rows.own_layout();
  const std::vector<double> numbers = with_own_rows(table, parameters);
  CellGradient gradient(own);
  for (std::size_t entry = 0; entry < table.cells.size(); ++entry) {
    const auto cell = table.cells.cells().cell(entry);
    const double error = table.cells.values()[entry] - gradient.at(numbers.data(), cell);
    for (int mode = 0; mode < own.order(); ++mode) {
      const int at = table.modes[static_cast<std::size_t>(mode)];
      if (at == PublicTable::kOwn) continue;
      double* const to = slope.sum.data() + layout_.row(at, cell[static_cast<std::size_t>(mode)]);
      for (std::size_t k = 0; k < own.columns(mode); ++k) to[k] += error * gradient.row(mode)[k];
    }
  }
  const auto cells = static_cast<double>(table.cells.size());
  for (int mode = 0; mode < own.order(); ++mode) {
    const int at = table.modes[static_cast<std::size_t>(mode)];
    if (at == PublicTable::kOwn) continue;
    for (std::size_t k = 0; k < own.columns(mode); ++k)
      slope.bend[static_cast<std::size_t>(at) * own.columns(mode) + k] +=
          cells / own.shape()[mode] * product_of_squares(own, numbers, mode, k);
  }
}

}  // namespace tulle
