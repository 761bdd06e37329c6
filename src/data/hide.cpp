#include "draw.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/hide.hpp>
#include <tulle/data/zeros.hpp>

#include <algorithm>

namespace tulle {
namespace {

constexpr std::size_t kMostCells = std::size_t{1} << 24;
constexpr std::size_t kZerosPerEntry = 4;

std::size_t number_of(const Cells& cells, std::size_t entry) {
  const auto cell = cells.cell(entry);
  return cells.shape().offset(std::span(cell).first(static_cast<std::size_t>(cells.order())));
}

bool counts_zeros(const Table& table) {
  return table.data.unlisted() == Unlisted::zero;
}

bool is_large(const Table& table) {
  return counts_zeros(table) && table.observed_cells() > static_cast<double>(kMostCells);
}

// Removes the listed cells with these `numbers` (ascending) from the table, hides the unlisted ones, and
// returns all of them with their values.
SparseTensor take_out(Table& table, const std::vector<std::size_t>& numbers) {
  const Shape shape = table.data.shape();
  std::vector<float> values(numbers.size(), 0.0f);
  std::vector<std::size_t> stay;
  for (std::size_t entry = 0; entry < table.data.size(); ++entry) {
    const std::size_t number = number_of(table.data.cells(), entry);
    const auto at = std::ranges::lower_bound(numbers, number);
    if (at == numbers.end() || *at != number) {
      stay.push_back(entry);
      continue;
    }
    values[static_cast<std::size_t>(at - numbers.begin())] = table.data.values()[entry];
  }
  if (stay.empty()) fail("all entries of the table would be hidden; hide fewer");
  table.data = table.data.select(stay);
  if (counts_zeros(table)) {
    std::vector<std::size_t> hidden = numbers;
    if (table.hidden) {
      const auto before = cell_numbers(*table.hidden);
      hidden.insert(hidden.end(), before.begin(), before.end());
      std::ranges::sort(hidden);
      hidden.erase(std::unique(hidden.begin(), hidden.end()), hidden.end());
    }
    table.hidden = cells_numbered(shape, hidden);
  }
  return {cells_numbered(shape, numbers), std::move(values), Unlisted::missing};
}

std::vector<std::size_t> with_zeros(const Table& table, std::vector<std::size_t> numbers,
                                    std::uint64_t seed) {
  const auto zeros =
      cell_numbers(unlisted_cells(table.data, table.hidden, kZerosPerEntry * numbers.size(), seed));
  numbers.insert(numbers.end(), zeros.begin(), zeros.end());
  std::ranges::sort(numbers);
  return numbers;
}

std::vector<std::size_t> all_known(const Table& table) {
  std::vector<std::size_t> numbers = cell_numbers(table.data.cells());
  if (!counts_zeros(table)) return numbers;
  const auto zeros = cell_numbers(unlisted_cells(table.data, table.hidden, kMostCells, 0));
  numbers.insert(numbers.end(), zeros.begin(), zeros.end());
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace

SparseTensor hide_cells(Study& study, int product, double fraction, std::uint64_t seed) {
  if (!(fraction > 0 && fraction < 1)) fail_usage("missing is {}; it must lie between 0 and 1", fraction);
  Table& table = study.tables[static_cast<std::size_t>(product)];
  const auto known = is_large(table) ? cell_numbers(table.data.cells()) : all_known(table);
  const std::size_t count = share(fraction, known.size());
  if (count == 0)
    fail_usage("missing is {}, which is none of the {} known cells; give a larger part", fraction,
               known.size());
  std::vector<std::size_t> chosen;
  select_in_order(known.size(), count, random_for(Use::split, seed), [&](std::size_t i, bool is_chosen) {
    if (is_chosen) chosen.push_back(known[i]);
  });
  return take_out(table, is_large(table) ? with_zeros(table, std::move(chosen), seed) : chosen);
}

SparseTensor hide_positions(Study& study, int product, int mode, Index count, std::uint64_t seed) {
  Table& table = study.tables[static_cast<std::size_t>(product)];
  const Shape shape = table.data.shape();
  if (is_large(table))
    fail(
        "a {} table with zeros is too large to hide whole positions of; state that unlisted cells are "
        "missing",
        shape.text());
  std::vector<Index> positions(table.data.column(mode).begin(), table.data.column(mode).end());
  std::ranges::sort(positions);
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  if (count < 1 || count >= positions.size())
    fail_usage("{} positions to hide, of {} that have an entry; one at least must be hidden and one stay",
               count, positions.size());
  random_for(Use::split, seed).shuffle(std::span(positions));
  std::vector<char> hidden(shape[mode], 0);
  for (Index i = 0; i < count; ++i) hidden[positions[i]] = 1;
  std::vector<std::size_t> chosen;
  for (std::size_t number : all_known(table))
    if (hidden[number / shape.stride(mode) % shape[mode]]) chosen.push_back(number);
  return take_out(table, chosen);
}

void hide_listed(Study& study, int product, const Cells& cells) {
  Table& table = study.tables[static_cast<std::size_t>(product)];
  std::vector<std::size_t> numbers = cell_numbers(cells.within(table.data.shape()));
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  take_out(table, numbers);
}

}  // namespace tulle
