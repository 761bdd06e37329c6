#include "draw.hpp"

#include <tulle/data/zeros.hpp>

#include <algorithm>
#include <unordered_set>

namespace tulle {
namespace {

constexpr std::size_t kWorthWalking = std::size_t{1} << 26;  // number of cells up to which all are visited

// Visits all cells; for tables of moderate size.
std::vector<std::size_t> choose_among(std::size_t cells, const std::vector<std::size_t>& taken,
                                      std::size_t wanted, Random random) {
  std::vector<std::size_t> chosen;
  chosen.reserve(wanted);
  auto next = taken.begin();
  std::size_t cell = 0;
  select_in_order(cells - taken.size(), wanted, random, [&](std::size_t, bool is_chosen) {
    for (; next != taken.end() && *next == cell; ++next) ++cell;
    if (is_chosen) chosen.push_back(cell);
    ++cell;
  });
  return chosen;
}

// Draws cells until enough of them are free; quick if nearly all are.
std::vector<std::size_t> draw_among(std::size_t cells, const std::vector<std::size_t>& taken,
                                    std::size_t wanted, Random random) {
  std::unordered_set<std::size_t> drawn;
  while (drawn.size() < wanted)
    if (const std::size_t cell = random.below(cells); !std::ranges::binary_search(taken, cell))
      drawn.insert(cell);
  std::vector<std::size_t> chosen(drawn.begin(), drawn.end());
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace

std::vector<std::size_t> cell_numbers(const Cells& cells) {
  std::vector<std::size_t> numbers(cells.size());
  for (std::size_t entry = 0; entry < cells.size(); ++entry) {
    const auto cell = cells.cell(entry);
    numbers[entry] = cells.shape().offset(std::span(cell).first(static_cast<std::size_t>(cells.order())));
  }
  std::ranges::sort(numbers);
  return numbers;
}

Cells cells_numbered(const Shape& shape, const std::vector<std::size_t>& numbers) {
  std::vector<std::vector<Index>> columns(static_cast<std::size_t>(shape.order()));
  for (int mode = 0; mode < shape.order(); ++mode)
    for (std::size_t number : numbers)
      columns[static_cast<std::size_t>(mode)].push_back(
          static_cast<Index>(number / shape.stride(mode) % shape[mode]));
  return Cells(shape, std::move(columns));
}

Cells unlisted_cells(const SparseTensor& data, const std::optional<Cells>& hidden, std::size_t most,
                     std::uint64_t seed) {
  const std::size_t cells = data.shape().cells();
  std::vector<std::size_t> taken = cell_numbers(data.cells());
  if (hidden) {
    const auto more = cell_numbers(*hidden);
    taken.insert(taken.end(), more.begin(), more.end());
    std::ranges::sort(taken);
  }
  const std::size_t wanted = std::min(most, cells - taken.size());
  const Random random = random_for(Use::zeros, seed);
  const bool walk = cells <= kWorthWalking || wanted + taken.size() > cells / 4;
  return cells_numbered(data.shape(), walk ? choose_among(cells, taken, wanted, random)
                                           : draw_among(cells, taken, wanted, random));
}

}  // namespace tulle
