#include <tulle/data/unobserved.hpp>

#include <algorithm>

namespace tulle {
namespace {

// The number of a table's cells that depend on each row of a factor.
std::vector<std::size_t> count_by_row(const Product& product, const Axes& entities,
                                      const std::vector<Index>& sizes, const Cells& cells) {
  std::vector<int> modes;
  for (int axis : entities)
    modes.push_back(static_cast<int>(std::ranges::find(product.axes, axis) - product.axes.begin()));
  std::vector<std::size_t> counts(cells_of(sizes, entities));
  for (std::size_t entry = 0; entry < cells.size(); ++entry) {
    std::size_t row = 0;
    for (int mode : modes) row = row * cells.shape()[mode] + cells(entry, mode);
    ++counts[row];
  }
  return counts;
}

// Clears the mark of rows for which the table has an observed cell.
void mark_observed(const Study& study, std::size_t v, const Axes& entities, std::vector<bool>& unobserved) {
  const Table& table = study.tables[v];
  const bool lists_all = table.data.unlisted() == Unlisted::missing;
  double cells = 1;
  for (Index size : table.data.shape().dimensions()) cells *= size;
  if (table.observed_cells() == cells) return unobserved.assign(unobserved.size(), false);
  const auto counts = count_by_row(study.model.products[v], entities, study.model.sizes(),
                                   lists_all ? table.data.cells() : *table.hidden);
  const double cells_of_row = cells / static_cast<double>(counts.size());
  for (std::size_t row = 0; row < counts.size(); ++row)
    if (lists_all ? counts[row] > 0 : static_cast<double>(counts[row]) < cells_of_row)
      unobserved[row] = false;
}

std::vector<std::size_t> unobserved_rows_of(const Study& study, int factor) {
  const Axes entities = study.model.entity_axes(study.model.factors[factor].axes);
  if (entities.empty()) return {};
  std::vector<bool> unobserved(cells_of(study.model.sizes(), entities), true);
  for (std::size_t v = 0; v < study.tables.size(); ++v)
    if (std::ranges::count(study.model.products[v].factors, factor) > 0)
      mark_observed(study, v, entities, unobserved);
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < unobserved.size(); ++row)
    if (unobserved[row]) rows.push_back(row);
  return rows;
}

}  // namespace

std::vector<std::vector<std::size_t>> unobserved_rows(const Study& study) {
  std::vector<std::vector<std::size_t>> rows;
  for (std::size_t factor = 0; factor < study.model.factors.size(); ++factor)
    rows.push_back(unobserved_rows_of(study, static_cast<int>(factor)));
  return rows;
}

}  // namespace tulle
