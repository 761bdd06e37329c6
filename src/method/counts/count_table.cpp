// Noisy tables of counts (Tulle).
//
// Unit, relation:  event, add-remove or replace; user (named mode), add-remove. Public: shape, rows of a user
//                  that count: m in all, m0 in one cell of all modes.
// Releases:        the number of events at each combination of positions of some modes, of all combinations.
//                  An event is in one cell of a table: adding or removing it changes that cell by 1,
//                  replacing it changes two cells by 1 each, or none. Sums of whole numbers below 2^53 are
//                  exact. Of a table of all cells that is huge, the cells that reach a public threshold after
//                  noise was added to all: dropping the others is post-processing.
//                  Adding or removing a user changes a table by whole numbers of one sign that add up to at
//                  most m: in L1 by m. A cell of a table is a sum over n cells of all modes, so each changes
//                  by at most b = min(m, n m0). The sum of squares is convex, hence largest at a corner of
//                  these bounds: floor(m / b) cells change by b, and one by what is left of m.
#include "count_table.hpp"

#include "users_by_rows.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/measurement.hpp>

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle {
namespace {

// Noise too small for a double is as good as none, but no estimate divides by 0.
constexpr double kLeastDeviation = 1e-100;

Sensitivity sensitivity_of_event(Relation relation) {
  return relation == Relation::add_remove ? Sensitivity::one_coordinate(1, Unit::event, relation)
                                          : Sensitivity::coordinates(1, 2, Unit::event, relation);
}

// `merged`: how many cells of all modes a cell of the table adds up.
Sensitivity sensitivity_of_user(const RowLimits& rows, double merged, Relation relation, Loss loss) {
  const auto all = static_cast<double>(rows.per_user);
  if (loss != Loss::gaussian) return Sensitivity::l1(all, Unit::user, relation);
  const double in_a_cell = std::min(all, static_cast<double>(rows.per_cell) * merged);
  const double full = std::floor(all / in_a_cell), rest = all - full * in_a_cell;
  const double length = std::sqrt(full * in_a_cell * in_a_cell + rest * rest);
  return Sensitivity::l2(std::nextafter(length, HUGE_VAL), Unit::user, relation);
}

Sensitivity sensitivity_of(const CountRequest& request, ModeSet modes, Loss loss) {
  if (!request.rows) return sensitivity_of_event(request.relation);
  const double merged = table_cells(request.shape, all_modes(request.shape) & ~modes);
  return sensitivity_of_user(*request.rows, merged, request.relation, loss);
}

std::vector<double> table_of(const SparseTensor& events, ModeSet modes) {
  std::vector<double> sums(static_cast<std::size_t>(table_cells(events.shape(), modes)));
  for (std::size_t entry = 0; entry < events.size(); ++entry) {
    std::size_t cell = 0;
    for (int mode = 0; mode < events.order(); ++mode)
      if (has(modes, mode)) cell = cell * events.shape()[mode] + events.cells()(entry, mode);
    sums[cell] += events.values()[entry];
  }
  return sums;
}

// Cells may be listed more than once.
ListedValues listed_cells(const SparseTensor& events) {
  std::vector<std::uint64_t> places;
  for (std::size_t entry = 0; entry < events.size(); ++entry) {
    const auto cell = events.cells().cell(entry);
    places.push_back(events.shape().offset(std::span(cell).first(static_cast<std::size_t>(events.order()))));
  }
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t entry) { return places[entry]; });
  ListedValues listed;
  for (const std::size_t entry : order) {
    if (listed.places.empty() || listed.places.back() != places[entry]) {
      listed.places.push_back(places[entry]);
      listed.values.push_back(0);
    }
    listed.values.back() += events.values()[entry];
  }
  return listed;
}

std::vector<double> numbers_of(ModeSet modes, int order) {
  std::vector<double> numbers;
  for (int mode = 0; mode < order; ++mode)
    if (has(modes, mode)) numbers.push_back(mode + 1);
  return numbers;
}

std::string text_of(ModeSet modes, const Shape& shape) {
  if (modes == 0) return "number of events";
  return fmt::format("counts by modes {}", fmt::join(numbers_of(modes, shape.order()), ", "));
}

ModeSet modes_of(const Release& release, const Shape& shape) {
  ModeSet modes = 0;
  for (const double number : release.chosen)
    for (int mode = 0; mode < shape.order(); ++mode)
      if (number == mode + 1) modes |= ModeSet{1} << mode;
  if (release.id != kTable || release.values.size() != table_cells(shape, modes))
    fail("release '{}' is no table of a {} tensor", release.id, shape.text());
  return modes;
}

}  // namespace

double table_cells(const Shape& shape, ModeSet modes) {
  double cells = 1;
  for (int mode = 0; mode < shape.order(); ++mode)
    if (has(modes, mode)) cells *= shape[mode];
  return cells;
}

AdditiveNoise table_noise(const CountRequest& request, ModeSet modes, Loss loss, double planned) {
  const Sensitivity sensitivity = sensitivity_of(request, modes, loss);
  const auto cells = static_cast<std::uint64_t>(table_cells(request.shape, modes));
  return loss == Loss::gaussian ? AdditiveNoise::gaussian(sensitivity, planned, cells)
                                : AdditiveNoise::discrete_laplace(sensitivity, planned, cells);
}

// Pure noise is as large as the part of epsilon that it has of all.
std::vector<double> plan_tables(const CountRequest& request, Curator& curator,
                                const std::vector<Stage>& stages) {
  if (!request.planned) return curator.plan(stages);
  std::vector<double> noise = curator.offer(stages);
  const double part = request.budget.epsilon / curator.allowance().epsilon;
  for (double& epsilon : noise) epsilon *= part;
  return noise;
}

Allowance allowance_of_tables(const CountRequest& request, const Curator& curator) {
  if (!request.planned) return curator.allowance();
  return {curator.allowance({}, request.budget.epsilon).epsilon};
}

Release release_table(const CountRequest& request, Curator& curator, ModeSet modes,
                      const AdditiveNoise& noise) {
  Noisy counts = curator.release(request.events, noise, text_of(modes, request.shape),
                                 [&](const SparseTensor& events) { return table_of(events, modes); });
  counts.deviation = std::max(counts.deviation, kLeastDeviation);
  Release release = Release::of(kTable, curator, std::move(counts));
  release.chosen = numbers_of(modes, request.shape.order());
  return release;
}

AdditiveNoise noise_above(const CountRequest& request, double epsilon, std::int64_t threshold) {
  return AdditiveNoise::discrete_laplace_above(sensitivity_of(request, all_modes(request.shape), Loss::pure),
                                               epsilon, request.shape.cells(), threshold);
}

Release release_cells_above(const CountRequest& request, Curator& curator, const AdditiveNoise& noise,
                            std::int64_t threshold) {
  const std::string what = fmt::format("counts of cells from {} on", threshold);
  NoisyAbove counts = curator.release_above(request.events, noise, what, listed_cells);
  Release release = Release::of(kCellsAbove, curator, std::move(counts));
  release.deviation = release.typical = std::max(release.deviation, kLeastDeviation);
  release.chosen = {static_cast<double>(threshold)};
  return release;
}

std::vector<NoisyTable> released_tables(const Measurement& measured) {
  std::vector<NoisyTable> tables;
  for (const Release& release : measured.releases)
    if (release.id != kCellsAbove && release.id != kUsersByRows)
      tables.push_back({modes_of(release, measured.shape), release.values,
                        release.deviation * release.deviation, release.deviation, release.noise});
  return tables;
}

}  // namespace tulle
