#include <tulle/job/prediction.hpp>
#include <tulle/job/recommend.hpp>

#include <algorithm>

namespace tulle {

std::vector<Recommended> recommend(const ModelFile& file, std::vector<Index> cell, int mode, std::size_t top,
                                   std::span<const Index> excluded) {
  const Shape all = shape(file.model);
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
  const std::vector<double> values = predict_cells(file, cells, Clamping::none);
  std::vector<Recommended> found(values.size());
  for (std::size_t entry = 0; entry < values.size(); ++entry)
    found[entry] = {cells.column(mode)[entry], values[entry]};
  const auto best = found.begin() + static_cast<std::ptrdiff_t>(std::min(top, found.size()));
  std::partial_sort(found.begin(), best, found.end(), [](const Recommended& one, const Recommended& other) {
    return one.value > other.value || (one.value == other.value && one.position < other.position);
  });
  found.erase(best, found.end());
  for (Recommended& item : found) clamp_predicted(file, Clamping::to_range, {&item.value, 1});
  return found;
}

}  // namespace tulle
