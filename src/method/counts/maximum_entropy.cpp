#include "maximum_entropy.hpp"

#include "table_sums.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle {
namespace {

// Multiplies a table so that its sums are those of a parent. Returns how far they were, as a share of all.
double fit_to(const Shape& shape, ModeSet modes, const TableOfSums& parent, std::vector<double>& table) {
  std::vector<double> factors = summed(shape, table, modes, parent.modes);
  double away = 0, all = 0;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    away += std::abs(parent.values[i] - factors[i]);
    all += parent.values[i];
    factors[i] = parent.values[i] / std::max(factors[i], 1e-300);
  }
  double* value = table.data();
  for_each_place(shape, modes, parent.modes, [&](std::size_t place) { *value++ *= factors[place]; });
  return away / std::max(all, 1e-300);
}

bool are_disjoint(std::span<const TableOfSums> parents) {
  ModeSet seen = 0;
  for (const TableOfSums& parent : parents)
    if ((std::exchange(seen, seen | parent.modes) & parent.modes) != 0) return false;
  return true;
}

}  // namespace

std::vector<double> maximum_entropy(const Shape& shape, ModeSet modes, std::span<const TableOfSums> parents) {
  constexpr int kMostRounds = 12;
  constexpr double kClose = 1e-3;
  const std::span<const double> first = parents.front().values;
  const double all = std::accumulate(first.begin(), first.end(), 0.0), cells = table_cells(shape, modes);
  std::vector<double> table(static_cast<std::size_t>(cells), std::max(all, 1e-9) / cells);
  const int rounds = are_disjoint(parents) ? 1 : kMostRounds;  // one fits all of them
  double away = 1;
  for (int round = 0; round < rounds && away >= kClose; ++round) {
    away = 0;
    for (const TableOfSums& parent : parents) away = std::max(away, fit_to(shape, modes, parent, table));
  }
  return table;
}

}  // namespace tulle
