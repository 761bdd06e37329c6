#include <tulle/base/error.hpp>
#include <tulle/model/sparse_counts.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace tulle {
namespace {

// A block with the positions of every mode written out.
class OpenBlock {
 public:
  OpenBlock(const Shape& shape, const Block& block) {
    for (int mode = 0; mode < shape.order(); ++mode) {
      std::vector<Index> positions = block[static_cast<std::size_t>(mode)];
      full_.push_back(positions.empty());
      if (positions.empty()) {
        positions.resize(shape[mode]);
        std::iota(positions.begin(), positions.end(), Index{0});
      } else {
        std::ranges::sort(positions);
      }
      positions_.push_back(std::move(positions));
    }
  }

  const std::vector<Index>& positions(int mode) const { return positions_[static_cast<std::size_t>(mode)]; }
  bool full(int mode) const { return full_[static_cast<std::size_t>(mode)]; }
  bool has(int mode, Index position) const {
    return full(mode) || std::ranges::binary_search(positions(mode), position);
  }

 private:
  std::vector<std::vector<Index>> positions_;
  std::vector<bool> full_;
};

// The sum over the cells of a block of a power, 1 or 2, of what the forest says of each, as a share of all
// events: from the leaves to the roots. Where a mode and those below it are full, shares add up to 1.
double share_of(const SparseCounts& counts, const OpenBlock& block, int power) {
  const int order = counts.extent.order();
  std::vector<std::vector<double>> within;  // by mode and position of the block: of the modes below it
  std::vector<bool> full;
  for (int mode = 0; mode < order; ++mode) {
    within.emplace_back(block.positions(mode).size(), 1.0);
    full.push_back(power == 1 && block.full(mode));
  }
  double share = 1;
  for (auto node = counts.modes.rbegin(); node != counts.modes.rend(); ++node) {
    const auto mode = static_cast<std::size_t>(node->mode);
    if (full[mode]) continue;
    const std::vector<Index>& positions = block.positions(node->mode);
    const auto row = [&](std::size_t number) {
      const double* of_row = node->shares.data() + number * counts.extent[node->mode];
      double sum = 0;
      for (std::size_t i = 0; i < positions.size(); ++i) {
        const double of_position = of_row[positions[i]];
        sum += within[mode][i] * (power == 1 ? of_position : of_position * of_position);
      }
      return sum;
    };
    if (node->parent < 0) {
      share *= row(0);
      continue;
    }
    const auto parent = static_cast<std::size_t>(node->parent);
    full[parent] = false;
    const std::vector<Index>& of_parent = block.positions(node->parent);
    for (std::size_t i = 0; i < of_parent.size(); ++i) within[parent][i] *= row(of_parent[i]);
  }
  return share;
}

double variance_in(const SparseCounts& counts, const ModeShares& node, const OpenBlock& block) {
  double sum = 0;
  const auto add_row = [&](std::size_t row) {
    for (const Index position : block.positions(node.mode))
      sum += node.variances[row * counts.extent[node.mode] + position];
  };
  if (node.parent < 0)
    add_row(0);
  else
    for (const Index position : block.positions(node.parent)) add_row(position);
  return sum;
}

bool has_place(const SparseCounts& counts, const OpenBlock& block, std::uint64_t place) {
  const auto cell = cell_of_place(counts.extent, place);
  for (int mode = 0; mode < counts.extent.order(); ++mode)
    if (!block.has(mode, cell[static_cast<std::size_t>(mode)])) return false;
  return true;
}

bool is_negative(double number) {
  return !(number >= 0);
}

void check_node(const SparseCounts& counts, const ModeShares& node, std::vector<bool>& seen) {
  const int order = counts.extent.order();
  if (node.mode < 0 || node.mode >= order || node.parent >= order || node.parent < -1)
    fail("counts: a mode of a forest over {} modes is {}, its parent {}", order, node.mode + 1,
         node.parent + 1);
  if (seen[static_cast<std::size_t>(node.mode)] ||
      (node.parent >= 0 && !seen[static_cast<std::size_t>(node.parent)]))
    fail("counts: mode {} is there twice, or before its parent", node.mode + 1);
  seen[static_cast<std::size_t>(node.mode)] = true;
  const std::size_t rows = node.parent < 0 ? 1 : counts.extent[node.parent], row = counts.extent[node.mode];
  if (node.shares.size() != rows * row || node.variances.size() != rows * row)
    fail("counts: mode {} has {} shares", node.mode + 1, node.shares.size());
  if (std::ranges::any_of(node.shares, is_negative) || std::ranges::any_of(node.variances, is_negative))
    fail("counts: a share or a variance of mode {} is below 0", node.mode + 1);
}

}  // namespace

void check_block(const Shape& shape, const Block& block) {
  if (std::ssize(block) != shape.order())
    fail("a block of {} modes of a {} tensor", block.size(), shape.text());
  for (int mode = 0; mode < shape.order(); ++mode) {
    std::vector<Index> sorted = block[static_cast<std::size_t>(mode)];
    std::ranges::sort(sorted);
    if (std::ranges::adjacent_find(sorted) != sorted.end())
      fail("a position of mode {} is in the block twice", mode + 1);
    if (!sorted.empty() && sorted.back() >= shape[mode])
      fail("mode {} has {} positions, and the block has number {}", mode + 1, shape[mode], sorted.back() + 1);
  }
}

std::array<Index, kMaxOrder> cell_of_place(const Shape& shape, std::uint64_t place) {
  std::array<Index, kMaxOrder> cell{};
  for (int mode = shape.order() - 1; mode >= 0; place /= shape[mode--])
    cell[static_cast<std::size_t>(mode)] = static_cast<Index>(place % shape[mode]);
  return cell;
}

KeptCells::KeptCells(const SparseCounts& counts)
    : all_(counts.places.size()), modes_(static_cast<std::size_t>(counts.extent.order())) {
  for (std::size_t mode = 0; mode < modes_.size(); ++mode) {
    auto& [begins, cells] = modes_[mode];
    begins.resize(std::size_t{counts.extent[static_cast<int>(mode)]} + 1);
    cells.resize(all_);
    const auto position = [&](std::size_t i) { return cell_of_place(counts.extent, counts.places[i])[mode]; };
    for (std::size_t i = 0; i < all_; ++i) ++begins[position(i) + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<std::size_t> next = begins;
    for (std::size_t i = 0; i < all_; ++i) cells[next[position(i)]++] = i;
  }
}

std::vector<std::size_t> KeptCells::near(const Block& block) const {
  std::size_t fewest = all_;
  std::optional<std::size_t> chosen;
  for (std::size_t mode = 0; mode < modes_.size(); ++mode) {
    if (block[mode].empty()) continue;
    std::size_t cells = 0;
    for (const Index p : block[mode]) cells += modes_[mode].begins[p + 1] - modes_[mode].begins[p];
    if (cells > fewest) continue;
    fewest = cells;
    chosen = mode;
  }
  std::vector<std::size_t> found(fewest);
  if (!chosen) {
    std::iota(found.begin(), found.end(), std::size_t{0});
    return found;
  }
  const auto& [begins, cells] = modes_[*chosen];
  auto at = found.begin();
  for (const Index p : block[*chosen])
    at = std::copy(cells.begin() + static_cast<std::ptrdiff_t>(begins[p]),
                   cells.begin() + static_cast<std::ptrdiff_t>(begins[p + 1]), at);
  return found;
}

double SparseCounts::of_forest(std::span<const Index> cell) const {
  double count = events.mean;
  for (const ModeShares& node : modes) {
    const std::size_t row = node.parent < 0 ? 0 : cell[static_cast<std::size_t>(node.parent)];
    count *= node.shares[row * extent[node.mode] + cell[static_cast<std::size_t>(node.mode)]];
  }
  return count;
}

double SparseCounts::of_forest(std::uint64_t place) const {
  const auto cell = cell_of_place(extent, place);
  return of_forest(std::span(cell).first(modes.size()));
}

double SparseCounts::at(std::span<const Index> cell) const {
  const auto kept = std::ranges::lower_bound(places, extent.offset(cell));
  if (kept != places.end() && *kept == extent.offset(cell))
    return counts[static_cast<std::size_t>(kept - places.begin())];
  return of_forest(cell);
}

std::vector<std::vector<double>> SparseCounts::sums_by_position() const {
  std::vector<std::vector<double>> sums(modes.size());
  for (const ModeShares& node : modes) {
    std::vector<double>& own = sums[static_cast<std::size_t>(node.mode)];
    own.assign(extent[node.mode], 0);
    const std::vector<double> root = {events.mean};
    const std::vector<double>& rows = node.parent < 0 ? root : sums[static_cast<std::size_t>(node.parent)];
    const double* share = node.shares.data();
    for (const double row : rows)
      for (double& sum : own) sum += row * *share++;
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto cell = cell_of_place(extent, places[i]);
    const double more = counts[i] - of_forest(places[i]);
    for (std::size_t mode = 0; mode < modes.size(); ++mode) sums[mode][cell[mode]] += more;
  }
  for (std::vector<double>& of_mode : sums)
    for (double& sum : of_mode) sum = std::max(0.0, sum);  // but for rounding
  return sums;
}

// What errors add up to, taken for independent: of the number of events by the share of the block, of each
// table of the forest by the share of the block in all other modes, and of single cells, which spread around
// the forest like Poisson counts of rates as uncertain as they are large, as far as the block does not have
// all of a mode.
Estimated SparseCounts::sum(const Block& block, std::span<const double> shares_of_modes,
                            const KeptCells& kept) const {
  check_block(extent, block);
  const OpenBlock open(extent, block);
  const double share = share_of(*this, open, 1);
  double mean = events.mean * share, variance = share * events.stddev * share * events.stddev, apart = 1;
  for (const double of_mode : shares_of_modes) apart *= 1 - of_mode;
  if (apart > 0) variance += apart * (mean + events.mean * events.mean * share_of(*this, open, 2));
  for (const ModeShares& node : modes) {
    double part = 1 - shares_of_modes[static_cast<std::size_t>(node.mode)];
    for (int mode = 0; mode < extent.order(); ++mode)
      if (mode != node.mode && mode != node.parent)
        part *=
            shares_of_modes[static_cast<std::size_t>(mode)] * shares_of_modes[static_cast<std::size_t>(mode)];
    if (part > 0) variance += part * variance_in(*this, node, open);
  }
  for (const std::size_t i : kept.near(block))
    if (has_place(*this, open, places[i])) {
      mean += counts[i] - of_forest(places[i]);
      variance += variances[i];
    }
  return {std::max(0.0, mean), std::sqrt(variance)};
}

void check(const SparseCounts& counts) {
  if (!(counts.events.mean >= 0) || !(counts.events.stddev >= 0)) fail("counts: fewer events than none");
  std::vector<bool> seen(static_cast<std::size_t>(counts.extent.order()));
  for (const ModeShares& node : counts.modes) check_node(counts, node, seen);
  if (counts.modes.size() != seen.size()) fail("counts: a forest without all modes");
  if (counts.counts.size() != counts.places.size() || counts.variances.size() != counts.places.size())
    fail("counts: {} kept cells, with other numbers of values", counts.places.size());
  if (std::ranges::adjacent_find(counts.places, std::greater_equal()) != counts.places.end() ||
      (!counts.places.empty() && counts.places.back() >= counts.extent.cells()))
    fail("counts: the kept cells are not in ascending order, or outside the tensor");
  if (std::ranges::any_of(counts.counts, is_negative) || std::ranges::any_of(counts.variances, is_negative))
    fail("counts: a kept cell or its variance is below 0");
}

}  // namespace tulle
