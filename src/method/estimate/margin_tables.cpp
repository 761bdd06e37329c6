#include "margin_tables.hpp"

#include "ordered/axes.hpp"
#include "position_traits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tulle {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr double kCellsOfAGroup = 2;
// Of a pair of modes, for memory and time: places, with or without cells, and the shorter side.
constexpr double kPlacesOfACell = 16;
constexpr Index kLongestSide = 512;
// Along all modes that have an order; fewer are no more than another table of means, with as many groups as
// the noise leaves room for. A judgement: with 16, four a mode of two, a slope and a bend can be told apart.
constexpr double kFewestBlocks = 16;
constexpr double kMostComponents = 4096;  // of a CP model of all blocks

bool affordable(const Cells& cells, int first, int second) {
  const auto [shorter, longer] = std::minmax({cells.shape()[first], cells.shape()[second]});
  return shorter <= kLongestSide && static_cast<double>(shorter) * static_cast<double>(longer) <=
                                        kPlacesOfACell * static_cast<double>(cells.size());
}

std::vector<std::uint64_t> keys_of(const Cells& cells, const std::vector<int>& modes, const Blocks* blocks) {
  std::vector<std::uint64_t> keys(cells.size());
  for (const int mode : modes) {
    const std::uint64_t size = blocks ? blocks->count(mode) : cells.shape()[mode];
    for (std::size_t cell = 0; cell < keys.size(); ++cell) {
      const Index position = cells(cell, mode);
      keys[cell] = keys[cell] * size + (blocks ? blocks->of(mode, position) : position);
    }
  }
  return keys;
}

std::vector<int> all_modes(int order) {
  std::vector<int> modes(static_cast<std::size_t>(order));
  std::iota(modes.begin(), modes.end(), 0);
  return modes;
}

ModeOrder order_of(const std::vector<ModeOrder>& orders, int mode) {
  return orders.empty() ? ModeOrder{} : orders[static_cast<std::size_t>(mode)];
}

}  // namespace

Blocks::Blocks(const Cells& cells, const std::vector<ModeOrder>& orders, double cells_of_a_block) {
  const Shape& shape = cells.shape();
  double blocks = static_cast<double>(cells.size()) / cells_of_a_block;
  std::vector<int> ordered;
  for (int mode = 0; mode < shape.order(); ++mode)
    if (order_of(orders, mode).kind == ModeOrder::Kind::stated)
      ordered.push_back(mode);
    else
      blocks /= static_cast<double>(shape[mode]);
  std::ranges::sort(ordered, {}, [&](int mode) { return shape[mode]; });
  std::vector<Index> lengths(static_cast<std::size_t>(shape.order()), 1);
  double all = 1;
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    const double size = static_cast<double>(shape[ordered[i]]);
    const double own = std::clamp(std::pow(blocks, 1.0 / static_cast<double>(ordered.size() - i)), 1.0, size);
    lengths[static_cast<std::size_t>(ordered[i])] = static_cast<Index>(std::ceil(size / own));
    blocks /= own;
    all *= own;
  }
  if (all < kFewestBlocks || std::ranges::all_of(lengths, [](Index length) { return length == 1; })) return;
  lengths_ = std::move(lengths);
  set(shape, orders);
  double places = 1, longest = 1;
  for (const Index count : counts_) {
    places *= static_cast<double>(count);
    longest = std::max(longest, static_cast<double>(count));
  }
  if (places / longest > kMostComponents) lengths_.clear();
}

Blocks::Blocks(const Shape& shape, const std::vector<ModeOrder>& orders, std::vector<Index> lengths)
    : lengths_(std::move(lengths)) {
  set(shape, orders);
}

void Blocks::set(const Shape& shape, const std::vector<ModeOrder>& orders) {
  for (int mode = 0; mode < shape.order(); ++mode) {
    counts_.push_back((shape[mode] - 1) / lengths_[static_cast<std::size_t>(mode)] + 1);
    in_order_.push_back(ranks_of(order_of(orders, mode), shape[mode]));
  }
}

MarginTable::MarginTable(const Cells& cells, std::vector<int> modes)
    : modes_(std::move(modes)), cells_(cells.size()) {
  if (modes_.empty()) {
    counts_ = {static_cast<double>(cells_)};
    members_ = {0};
    return;
  }
  number(keys_of(cells, modes_, nullptr));
}

MarginTable::MarginTable(const Cells& cells, Blocks blocks)
    : modes_(all_modes(cells.order())), blocks_(std::move(blocks)), cells_(cells.size()) {
  number(keys_of(cells, modes_, &*blocks_));
}

void MarginTable::number(const std::vector<std::uint64_t>& keys) {
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
  if (other.blocks_) return this == &other;
  return std::ranges::includes(modes_, other.modes_) &&
         (!blocks_ || std::ranges::none_of(other.modes_, [&](int mode) { return blocks_->in_runs(mode); }));
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
