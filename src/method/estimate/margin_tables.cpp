#include "margin_tables.hpp"

#include "position_traits.hpp"

#include <algorithm>
#include <limits>

namespace tulle {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr double kCellsOfAGroup = 2;
// Of a pair of modes, for memory and time: places, with or without cells, and the shorter side.
constexpr double kPlacesOfACell = 16;
constexpr Index kLongestSide = 512;

bool affordable(const Cells& cells, int first, int second) {
  const auto [shorter, longer] = std::minmax({cells.shape()[first], cells.shape()[second]});
  return shorter <= kLongestSide && static_cast<double>(shorter) * static_cast<double>(longer) <=
                                        kPlacesOfACell * static_cast<double>(cells.size());
}

std::vector<std::uint64_t> keys_of(const Cells& cells, const std::vector<int>& modes) {
  std::vector<std::uint64_t> keys(cells.size());
  for (const int mode : modes) {
    const auto size = static_cast<std::uint64_t>(cells.shape()[mode]);
    for (std::size_t cell = 0; cell < keys.size(); ++cell) keys[cell] = keys[cell] * size + cells(cell, mode);
  }
  return keys;
}

}  // namespace

MarginTable::MarginTable(const Cells& cells, std::vector<int> modes)
    : modes_(std::move(modes)), cells_(cells.size()) {
  if (modes_.empty()) {
    counts_ = {static_cast<double>(cells_)};
    members_ = {0};
    return;
  }
  const std::vector<std::uint64_t> keys = keys_of(cells, modes_);
  std::vector<std::uint32_t> group_of(cells_ == 0 ? 0 : *std::ranges::max_element(keys) + 1, kNone);
  for (const std::uint64_t key : keys) group_of[key] = 0;
  std::uint32_t groups = 0;
  for (std::uint32_t& group : group_of)
    if (group != kNone) group = groups++;
  group_.resize(cells_);
  counts_.resize(groups);
  members_.resize(groups);
  for (std::size_t cell = cells_; cell-- > 0;) {
    const std::uint32_t group = group_of[keys[cell]];
    group_[cell] = group;
    members_[group] = cell;
    ++counts_[group];
  }
}

bool MarginTable::refines(const MarginTable& other) const {
  return std::ranges::includes(modes_, other.modes_);
}

std::vector<MarginTable> margin_tables(const Cells& cells) {
  const int order = cells.order();
  std::vector<MarginTable> tables{MarginTable(cells, {})};
  std::vector<Matrix> traits = position_traits(cells);
  for (int mode = 0; mode < order; ++mode) {
    MarginTable& table = tables.emplace_back(cells, std::vector{mode});
    std::vector<Index> positions;
    for (std::size_t group = 0; group < table.groups(); ++group)
      positions.push_back(cells(table.member(group), mode));
    table.set_traits(traits[mode](positions, Eigen::all));
  }
  for (int first = 0; first < order && order > 2; ++first)
    for (int second = first + 1; second < order; ++second) {
      if (!affordable(cells, first, second)) continue;
      MarginTable pairs(cells, {first, second});
      if (kCellsOfAGroup * static_cast<double>(pairs.groups()) <= static_cast<double>(cells.size()))
        tables.push_back(std::move(pairs));
    }
  return tables;
}

}  // namespace tulle
