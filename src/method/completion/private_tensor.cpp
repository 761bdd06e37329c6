#include <tulle/base/error.hpp>
#include <tulle/method/private_completion.hpp>
#include <tulle/tensor/most_cells.hpp>
#include <tulle/tensor/sorted.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tulle {
namespace {

// ---- The range ----

// With fewer steps of float32 between the bounds, values would hardly differ.
constexpr double kLeastSteps = 1024;

float float_at_most(double bound) {
  if (bound > std::numeric_limits<float>::max()) return std::numeric_limits<float>::max();
  const auto nearest = static_cast<float>(bound);
  return nearest <= bound ? nearest : std::nextafter(nearest, -HUGE_VALF);
}

// Rounded inwards: a value that was clamped to bounds which float32 cannot hold, and cast to float32 after,
// would lie outside of them.
Range in_float32(const Range& given) {
  const Range range{-double{float_at_most(-given.low)}, float_at_most(given.high)};
  const auto largest = static_cast<float>(range.largest());
  const double step = double{largest} - double{std::nextafter(largest, 0.0f)};
  if (range.largest() == 0)
    fail_usage(
        "range {}:{}: values are kept as float32, which has none there but 0; multiply the values and the "
        "range",
        given.low, given.high);
  if (!(range.width() >= kLeastSteps * step))
    fail_usage(
        "range {}:{}: values are kept as float32, in steps of {:g} there; subtract {:.15g} from the values "
        "and the range",
        given.low, given.high, step, given.low);
  return range;
}

// ---- Cells and values ----

// Whether the cells are listed in C order, each once: then there are no repeated cells.
bool is_ascending(const Cells& cells) {
  for (std::size_t entry = 1; entry < cells.size(); ++entry) {
    int mode = 0;
    while (mode < cells.order() && cells(entry, mode) == cells(entry - 1, mode)) ++mode;
    if (mode == cells.order() || cells(entry, mode) < cells(entry - 1, mode)) return false;
  }
  return true;
}

bool is_same_cell(const Cells& cells, std::size_t one, std::size_t other) {
  for (int mode = 0; mode < cells.order(); ++mode)
    if (cells(one, mode) != cells(other, mode)) return false;
  return true;
}

// Which entry of a cell counts if it is listed several times.
enum class Repeated { first, none };

// The first entry in the list counts. Under add-remove of entries none counts: otherwise, removing the first
// row would make the next one count, which is one entry removed and another added.
Repeated repeated_under(const Neighbours& neighbours) {
  return neighbours == Neighbours{Unit::entry, Relation::add_remove} ? Repeated::none : Repeated::first;
}

// The entries that count. If positions are public they are in C order: the order of the list may depend on
// the values, as in a table sorted by them, and is private.
std::vector<std::size_t> entries_that_count(const Cells& cells, const Neighbours& neighbours) {
  const Repeated repeated = repeated_under(neighbours);
  std::vector<int> modes(static_cast<std::size_t>(cells.order()));
  std::iota(modes.begin(), modes.end(), 0);
  const std::vector<std::size_t> order = lexicographic_order(cells, modes);
  std::vector<std::size_t> kept;
  for (std::size_t first = 0, next = 0; first < order.size(); first = next) {
    for (next = first + 1; next < order.size() && is_same_cell(cells, order[first], order[next]);) ++next;
    if (next == first + 1 || repeated == Repeated::first) kept.push_back(order[first]);
  }
  if (neighbours.relation == Relation::add_remove) std::ranges::sort(kept);
  return kept;
}

// The entries that are blanked are numbered by their places among those that count.
using Repaired = std::pair<SparseTensor, std::vector<std::size_t>>;

Repaired each_cell_once(SparseTensor observed, const Neighbours& neighbours,
                        std::span<const std::size_t> blanked) {
  std::vector<std::size_t> numbers(blanked.begin(), blanked.end());
  if (is_ascending(observed.cells())) return {std::move(observed), std::move(numbers)};
  const std::vector<std::size_t> kept = entries_that_count(observed.cells(), neighbours);
  for (std::size_t& entry : numbers)
    entry = static_cast<std::size_t>(std::ranges::find(kept, entry) - kept.begin());
  return {observed.select(kept), std::move(numbers)};
}

Repaired repaired(SparseTensor observed, const Range& range, const Neighbours& neighbours,
                  std::span<const std::size_t> blanked) {
  if (observed.size() > kMostCells)
    fail("{} cells; private methods take up to {}", observed.size(), kMostCells);
  for (float& value : observed.values())
    value = static_cast<float>(std::isnan(value) ? range.middle() : range.clamp(value));
  return each_cell_once(std::move(observed), neighbours, blanked);
}

std::optional<Cells> positions_if(bool blanked, const SparseTensor& observed) {
  return blanked ? std::optional(observed.cells()) : std::nullopt;
}

SparseTensor without(SparseTensor observed, std::span<const std::size_t> blanked) {
  if (blanked.empty()) return observed;
  std::vector<std::size_t> rest;
  for (std::size_t entry = 0; entry < observed.size(); ++entry)
    if (std::ranges::find(blanked, entry) == blanked.end()) rest.push_back(entry);
  return observed.select(rest);
}

}  // namespace

PrivateTensor::PrivateTensor(SparseTensor observed, const Range& range, const Neighbours& neighbours,
                             int user_mode, std::span<const std::size_t> blanked)
    : PrivateTensor(in_float32(range), repaired(std::move(observed), in_float32(range), neighbours, blanked),
                    neighbours, user_mode) {}

PrivateTensor::PrivateTensor(const Range& in_force, Repaired repaired, const Neighbours& neighbours,
                             int user_mode)
    : shape_(neighbours.hide_users() ? repaired.first.shape().with(user_mode, 1) : repaired.first.shape()),
      most_users_(neighbours.hide_users() ? static_cast<double>(kMostUsers)
                                          : repaired.first.shape()[user_mode]),
      range_(in_force),
      positions_are_public_(neighbours.relation != Relation::add_remove),
      with_blanked_(positions_if(!repaired.second.empty(), repaired.first)),
      observed_(without(std::move(repaired.first), repaired.second)) {}

// Public positions are read in place, beside the protected values: a copy would take most of the tensor's
// memory.
const Cells& PrivateTensor::positions() const {
  if (!positions_are_public_) fail("which cells were observed is private under add-remove; ask the curator");
  return with_blanked_ ? *with_blanked_ : open_for_the_data_owner(observed_).cells();
}

}  // namespace tulle
