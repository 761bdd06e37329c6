#include "count_table.hpp"
#include "estimate_counts.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/noisy_margins.hpp>

#include <algorithm>

namespace tulle {
namespace {

std::vector<int> modes_in(ModeSet set, int order) {
  std::vector<int> modes;
  for (int mode = 0; mode < order; ++mode)
    if (has(set, mode)) modes.push_back(mode);
  return modes;
}

Release release_of(const NoisyMargin& margin) {
  Release release{.id = kTable,
                  .what = "margin",
                  .noise = margin.noise,
                  .events = {},
                  .values = margin.values,
                  .deviation = margin.stddev,
                  .typical = margin.stddev};
  for (const int mode : margin.modes) release.chosen.push_back(mode + 1);
  return release;
}

}  // namespace

std::vector<NoisyMargin> released_margins(const Measurement& measured) {
  const int order = measured.shape.order();
  std::vector<NoisyMargin> margins;
  for (const NoisyTable& table : released_tables(measured))
    margins.push_back({modes_in(table.modes, order),
                       {table.values.begin(), table.values.end()},
                       table.deviation,
                       table.noise});
  for (const Release* cells : measured.all(kCellsAbove)) {
    if (cells->chosen.empty()) fail("release '{}' states no threshold", cells->id);
    margins.push_back({modes_in(all_modes(measured.shape), order), cells->values, cells->deviation,
                       fmt::format("{}, values from {:g} on", cells->noise, cells->chosen.front()),
                       cells->places});
  }
  return margins;
}

Counts counts_of_margins(const Shape& shape, const std::vector<NoisyMargin>& margins) {
  if (margins.empty()) fail("there are no margins to count from");
  if (table_cells(shape, all_modes(shape)) > static_cast<double>(kMostCells))
    fail("margins of a {} tensor have too many cells; give at most {}", shape.text(), kMostCells);
  Measurement measured{.method = "margins", .unit = Unit::event, .shape = shape};
  for (const NoisyMargin& margin : margins) measured.releases.push_back(release_of(margin));
  return estimate_counts(measured);
}

}  // namespace tulle
