#include <tulle/tensor/group_entries.hpp>
#include <tulle/tensor/strata.hpp>

#include <algorithm>
#include <bit>
#include <numeric>
#include <queue>

namespace tulle {
namespace {

constexpr std::size_t kMaxParts = 16;

std::size_t power(std::size_t base, int exponent) {
  std::size_t result = 1;
  for (int i = 0; i < exponent; ++i) result *= base;
  return result;
}

std::size_t choose_parts(const SparseTensor& observed, std::size_t cells_per_block) {
  const auto dimensions = observed.shape().dimensions();
  const std::size_t smallest = *std::min_element(dimensions.begin(), dimensions.end());
  std::size_t parts = 1;
  while (2 * parts <= std::min(kMaxParts, smallest) &&
         power(2 * parts, observed.order()) * cells_per_block <= observed.size())
    parts *= 2;
  return parts;
}

}  // namespace

Strata::Strata(const SparseTensor& observed, std::size_t cells_per_block, Numbering numbering)
    : order_(observed.order()),
      parts_(choose_parts(observed, cells_per_block)),
      blocks_(power(parts_, order_)),
      new_positions_(order_),
      part_of_(order_),
      counts_(order_) {
  for (int mode = 0; mode < order_; ++mode) deal(observed, mode, numbering);
  // Blocks are numbered by the parts of their modes, first mode first.
  const auto block_of = [&](std::size_t e) {
    std::size_t block = 0;
    for (int mode = 0; mode < order_; ++mode)
      block = block * parts_ + part_of_[mode][new_positions_[mode][observed.column(mode)[e]]];
    return block;
  };
  words_.resize(observed.size() * (order_ + 1));
  starts_ = group_entries(observed.size(), blocks_, block_of, [&](std::size_t e, std::size_t place) {
    std::uint32_t* const word = words_.data() + place * (order_ + 1);
    for (int mode = 0; mode < order_; ++mode) word[mode] = new_positions_[mode][observed.column(mode)[e]];
    word[order_] = std::bit_cast<std::uint32_t>(observed.values()[e]);
  });
}

// Assigns positions, those with the most cells first, each to the part with the fewest cells so far.
void Strata::deal(const SparseTensor& observed, int mode, Numbering numbering) {
  const std::size_t size = observed.shape()[mode];
  std::vector<std::uint32_t> counts(size);
  for (Index position : observed.column(mode)) ++counts[position];
  std::vector<Index> by_count(size);
  std::iota(by_count.begin(), by_count.end(), Index{0});
  std::stable_sort(by_count.begin(), by_count.end(), [&](Index a, Index b) { return counts[a] > counts[b]; });

  using Load = std::pair<std::size_t, std::size_t>;  // cells, part
  std::priority_queue<Load, std::vector<Load>, std::greater<>> parts;
  for (std::size_t part = 0; part < parts_; ++part) parts.emplace(0, part);
  std::vector<std::vector<Index>> members(parts_);
  for (Index position : by_count) {
    auto [load, part] = parts.top();
    parts.pop();
    members[part].push_back(position);
    parts.emplace(load + counts[position] + 1, part);
  }
  new_positions_[mode].resize(size);
  counts_[mode].resize(size);
  part_of_[mode].resize(size);
  Index next = 0;
  for (std::size_t part = 0; part < parts_; ++part)
    for (Index position : members[part]) {
      const Index number = numbering == Numbering::kept ? position : next++;
      new_positions_[mode][position] = number;
      counts_[mode][number] = counts[position];
      part_of_[mode][number] = static_cast<std::uint8_t>(part);
    }
}

void Strata::shuffle(std::span<std::uint32_t> words, Random random) const {
  const std::size_t width = static_cast<std::size_t>(order_) + 1;
  for (std::size_t last = words.size() / width; last > 1; --last) {
    // Multiplies instead of calling Random::below: the bias of at most last / 2^32 does not matter here,
    // speed does.
    const std::size_t other = (random.bits() >> 32) * last >> 32;
    std::swap_ranges(words.begin() + (last - 1) * width, words.begin() + last * width,
                     words.begin() + other * width);
  }
}

Strata::CellRange Strata::cells(std::size_t s, std::size_t b) const {
  std::size_t block = b;
  for (int mode = 1; mode < order_; ++mode) {
    block = block * parts_ + (b + s) % parts_;
    s /= parts_;
  }
  return {starts_[block], starts_[block + 1]};
}

std::span<std::uint32_t> Strata::block(std::size_t s, std::size_t b) {
  const CellRange range = cells(s, b);
  const std::size_t width = static_cast<std::size_t>(order_) + 1;
  return std::span(words_).subspan(range.first * width, range.size() * width);
}

Cells Strata::renumbered(const Cells& cells) const {
  std::vector<std::vector<Index>> columns(order_);
  std::vector<std::uint64_t> dimensions;
  for (int mode = 0; mode < order_; ++mode) {
    for (Index position : cells.column(mode)) columns[mode].push_back(new_positions_[mode][position]);
    dimensions.push_back(new_positions_[mode].size());
  }
  return Cells(Shape(dimensions), std::move(columns));
}

}  // namespace tulle
