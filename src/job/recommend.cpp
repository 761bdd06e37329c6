#include <tulle/job/recommend.hpp>

#include <algorithm>

namespace tulle {

std::vector<Recommended> recommend(const Model& model, std::vector<Index> cell, int mode, std::size_t top,
                                   std::span<const Index> excluded) {
  const Shape all = shape(model);
  std::vector<bool> left_out(all[mode]);
  for (const Index position : excluded)
    if (position < left_out.size()) left_out[position] = true;
  Cells cells(all);
  cells.reserve(all[mode]);
  for (Index position = 0; position < all[mode]; ++position) {
    if (left_out[position]) continue;
    cell[static_cast<std::size_t>(mode)] = position;
    cells.append(cell);
  }
  const std::vector<double> values = predict(model, cells);
  std::vector<Recommended> found(values.size());
  for (std::size_t entry = 0; entry < values.size(); ++entry)
    found[entry] = {cells.column(mode)[entry], values[entry]};
  const auto best = found.begin() + static_cast<std::ptrdiff_t>(std::min(top, found.size()));
  std::partial_sort(found.begin(), best, found.end(), [](const Recommended& one, const Recommended& other) {
    return one.value > other.value || (one.value == other.value && one.position < other.position);
  });
  found.erase(best, found.end());
  return found;
}

}  // namespace tulle
