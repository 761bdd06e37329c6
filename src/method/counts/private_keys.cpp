// Private keys (Tulle).
//
// Unit, relation:  event or user (named mode), add-remove. Public: rows of a user that count.
// Releases:        of each mode of private keys, which positions are shown: by coins whose probabilities grow
//                  with the number of units there, from 0 (KeySelection). An event is at one position and
//                  changes its number by 1. A user of whom m rows count is at most at m positions and changes
//                  the number of users there by 1 each: every position has epsilon / m and delta / m. A
//                  position that one unit alone brings is shown with probability delta / m.
// After that free: positions that are not shown do not count; those that are keep an order of their labels
//                  that no unit changes. Tables are over these.
// Cost:            O(rows log rows) time, O(rows + positions) memory.
#include "private_keys.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/margin.hpp>

#include <algorithm>
#include <limits>

namespace tulle {
namespace {

// Of epsilon, in equal parts of every mode. A position that is not shown loses all of its events, where
// tables get a third more noise by it. All of delta goes to keys, since tables take pure noise.
constexpr double kShareOfKeys = 0.25;
constexpr Index kNotShown = std::numeric_limits<Index>::max();

std::vector<double> units_by_position(const SparseTensor& events, int mode, std::optional<int> users) {
  std::vector<double> units(events.shape()[mode]);
  const Cells& cells = events.cells();
  if (!users) {
    for (std::size_t entry = 0; entry < cells.size(); ++entry)
      units[cells(entry, mode)] += events.values()[entry];
    return units;
  }
  std::vector<std::pair<Index, Index>> pairs;
  for (std::size_t entry = 0; entry < cells.size(); ++entry)
    if (events.values()[entry] > 0) pairs.emplace_back(cells(entry, mode), cells(entry, *users));
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (const auto& [position, user] : pairs) ++units[position];
  return units;
}

// Where each position goes.
std::vector<Index> places_of(const ChosenKeys& chosen, Index size) {
  std::vector<Index> places(size, kNotShown);
  for (std::size_t i = 0; i < chosen.positions.size(); ++i)
    places[chosen.positions[i]] = static_cast<Index>(i);
  return places;
}

}  // namespace

int number_in_tables(int mode, std::optional<int> users) {
  return users && mode > *users ? mode : mode + 1;
}

KeyPlan plan_keys(const std::vector<int>& modes, const Budget& budget, std::uint64_t keys, Curator& curator) {
  if (!(budget.delta > 0))
    fail_usage(
        "private keys[ (@private-keys)] need a delta above 0[ (@delta)]: a position that one unit alone "
        "brings is shown with a probability of at most that");
  if (curator.relation() != Relation::add_remove)
    fail_usage("private keys[ (@private-keys)] are for relation add-remove; list the positions[ (@public)]");
  const auto number = static_cast<double>(modes.size());
  const Budget whole = with_margin(budget);
  KeyPlan plan{{whole.epsilon * kShareOfKeys / number, whole.delta * (1 - kRoundingMargin) / number},
               {whole.epsilon * (1 - kShareOfKeys), 0}};
  const Event choice =
      AdditiveNoise::key_selection(plan.of_mode, keys, curator.unit(), curator.relation()).event();
  curator.plan({choice.times(modes.size()), Event::pure(plan.of_tables.epsilon)});
  plan.of_tables = with_margin(plan.of_tables);
  return plan;
}

std::vector<ChosenKeys> choose_keys(const Protected<SparseTensor>& events, const std::vector<int>& modes,
                                    std::optional<int> users, const KeyPlan& plan, std::uint64_t keys,
                                    Curator& curator) {
  const AdditiveNoise choice =
      AdditiveNoise::key_selection(plan.of_mode, keys, curator.unit(), curator.relation());
  std::vector<ChosenKeys> chosen;
  for (const int mode : modes) {
    const std::vector<std::uint64_t> shown = curator.choose_keys(
        events, choice, fmt::format("positions of mode {}", number_in_tables(mode, users)),
        [&](const SparseTensor& all) { return units_by_position(all, mode, users); });
    chosen.push_back({mode, {shown.begin(), shown.end()}});
  }
  return chosen;
}

Shape shape_at_keys(const Shape& shape, const std::vector<ChosenKeys>& chosen) {
  Shape shown = shape;
  for (const ChosenKeys& keys : chosen)
    shown = shown.with(keys.mode, std::max<std::size_t>(1, keys.positions.size()));
  return shown;
}

SparseTensor at_keys(const SparseTensor& events, const std::vector<ChosenKeys>& chosen) {
  std::vector<std::vector<Index>> places;
  for (const ChosenKeys& keys : chosen) places.push_back(places_of(keys, events.shape()[keys.mode]));
  SparseTensor kept(shape_at_keys(events.shape(), chosen), Unlisted::zero);
  for (std::size_t entry = 0; entry < events.size(); ++entry) {
    auto cell = events.cells().cell(entry);
    bool shown = true;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      Index& position = cell[static_cast<std::size_t>(chosen[i].mode)];
      position = places[i][position];
      shown = shown && position != kNotShown;
    }
    if (shown)
      kept.append(std::span(cell).first(static_cast<std::size_t>(kept.order())), events.values()[entry]);
  }
  return kept;
}

}  // namespace tulle
