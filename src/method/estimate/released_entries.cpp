#include "released_entries.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tulle {
namespace {

// `spread`: variance of the entries around their predictions.
std::size_t first_worth_fitting(std::span<const Release* const> portions, double spread) {
  std::size_t first = portions.size();
  double count = 0, variances = 0;
  while (first > 0) {
    const Release& next = *portions[first - 1];
    const auto more = static_cast<double>(next.values.size());
    const double sum = variances + more * (std::pow(next.typical, 2) + spread);
    if (count > 0 && sum / std::pow(count + more, 2) > variances / (count * count)) break;
    count += more;
    variances = sum;
    --first;
  }
  return first;
}

// Noise for a tiny epsilon can exceed single precision.
float in_float32(double value) {
  constexpr double kMost = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -kMost, kMost));
}

// Whether every entry is released at most once, which a damaged file may violate.
bool is_once_at_most(std::span<const Release* const> portions, std::size_t entries) {
  std::vector<bool> seen(entries);
  for (const Release* portion : portions) {
    if (portion->units.empty()) return portions.size() == 1 && portion->values.size() == entries;
    for (const std::uint64_t unit : portion->units) {
      if (seen[unit]) return false;
      seen[unit] = true;
    }
  }
  return true;
}

}  // namespace

SparseTensor entries_worth_fitting(const Cells& positions, std::span<const Release* const> portions,
                                   std::span<const double> known) {
  std::vector<std::size_t> entries;
  std::vector<float> values(positions.size());
  // A window is about two standard deviations wide to either side.
  const double spread = std::pow(portions.back()->window / 4, 2);
  for (std::size_t p = first_worth_fitting(portions, spread); p < portions.size(); ++p) {
    const Release& portion = *portions[p];
    for (std::size_t i = 0; i < portion.values.size(); ++i) {
      if (!portion.clipped.empty() && portion.clipped[i]) continue;
      const std::size_t entry = portion.units.empty() ? i : portion.units[i];
      entries.push_back(entry);
      values[entry] = in_float32(portion.values[i] - (known.empty() ? 0 : known[entry]));
    }
  }
  std::ranges::sort(entries);
  return SparseTensor(positions, std::move(values), Unlisted::missing).select(entries);
}

SparseTensor entries_worth_fitting(const Measurement& measured) {
  const std::vector<const Release*> portions = measured.all(kEntries);
  if (!measured.positions || portions.empty() || !is_once_at_most(portions, measured.positions->size()))
    fail("the releases '{}' are not of entries at public positions, once each; they cannot be refitted",
         kEntries);
  return entries_worth_fitting(*measured.positions, portions);
}

}  // namespace tulle
