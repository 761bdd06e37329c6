#include <tulle/data/popularity.hpp>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace tulle {
namespace {

// Small next to sums of counts: combinations that never occurred rank below those that did, not all equally.
constexpr double kLittle = 0.1, kLess = 0.01;

// Numbers the combinations of all positions but the first.
std::size_t rest_of(const Cells& cells, std::size_t entry) {
  std::size_t number = 0;
  for (int mode = 1; mode < cells.order(); ++mode) number = number * cells.shape()[mode] + cells(entry, mode);
  return number;
}

// The places of a side table's indices among those of the relation; nothing unless they are a proper subset.
std::optional<std::vector<int>> places_among(const Axes& side, const Axes& relation) {
  if (side.size() >= relation.size()) return std::nullopt;
  std::vector<int> places;
  for (int axis : side) {
    const auto found = std::ranges::find(relation, axis);
    if (found == relation.end()) return std::nullopt;
    places.push_back(static_cast<int>(found - relation.begin()));
  }
  return places;
}

// Makes the scores of cells negative, in their order, unless the side table has their part above 0.
void demote_unlisted(const SparseTensor& side, const std::vector<int>& places, const Cells& cells,
                     std::vector<double>& scores) {
  std::unordered_set<std::size_t> listed;
  const auto number = [&](const auto& position_in) {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < places.size(); ++i)
      sum = sum * side.shape()[static_cast<int>(i)] + position_in(static_cast<int>(i));
    return sum;
  };
  for (std::size_t entry = 0; entry < side.size(); ++entry)
    if (side.values()[entry] > 0) listed.insert(number([&](int i) { return side.column(i)[entry]; }));
  for (std::size_t entry = 0; entry < cells.size(); ++entry)
    if (scores[entry] > 0 &&
        !listed.contains(number([&](int i) { return cells(entry, places[static_cast<std::size_t>(i)]); })))
      scores[entry] = -1 / scores[entry];
}

}  // namespace

std::vector<double> popularity(const SparseTensor& data, const Cells& cells) {
  std::vector<double> activity(data.shape()[0], kLittle);
  std::unordered_map<std::size_t, double> occurrence;
  for (std::size_t entry = 0; entry < data.size(); ++entry) {
    activity[data.column(0)[entry]] += data.values()[entry];
    occurrence[rest_of(data.cells(), entry)] += data.values()[entry];
  }
  std::vector<double> scores;
  scores.reserve(cells.size());
  for (std::size_t entry = 0; entry < cells.size(); ++entry) {
    const auto found = occurrence.find(rest_of(cells, entry));
    scores.push_back(activity[cells(entry, 0)] * ((found == occurrence.end() ? 0 : found->second) + kLess));
  }
  return scores;
}

std::optional<std::vector<double>> popularity_among_listed(const Study& study, int product,
                                                           const Cells& cells) {
  std::optional<std::vector<double>> scores;
  for (std::size_t v = 0; v < study.tables.size(); ++v) {
    const auto places = places_among(study.model.products[v].axes, study.model.products[product].axes);
    if (!places) continue;
    if (!scores) scores = popularity(study.tables[static_cast<std::size_t>(product)].data, cells);
    demote_unlisted(study.tables[v].data, *places, cells, *scores);
  }
  return scores;
}

}  // namespace tulle
