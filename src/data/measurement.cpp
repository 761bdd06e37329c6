#include <tulle/base/error.hpp>
#include <tulle/data/measurement.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tulle {
namespace {

constexpr double kLargest = 1e100;  // whose cube is finite

bool in_bounds(const std::vector<double>& numbers) {
  return std::ranges::all_of(numbers, [](double number) { return std::abs(number) <= kLargest; });
}

// Noise is drawn on a grid that doubles of the size of the values resolve. Discrete Laplace noise, on whole
// numbers, is 0 nearly always if epsilon is large.
bool is_deviation(double number, const Release& release) {
  double least = 1 / kLargest;
  if (!release.noise.starts_with("discrete Laplace"))
    for (const double value : release.values)
      least = std::max(least, std::abs(value) * std::numeric_limits<double>::epsilon() / 2);
  return number >= least && number <= kLargest;
}

void check_units(const Release& release, const Measurement& measured) {
  if (release.units.empty()) return;
  const std::size_t entries = measured.positions ? measured.positions->size() : 0;
  if (release.units.size() != release.values.size() || release.units.back() >= entries ||
      std::ranges::adjacent_find(release.units, std::greater_equal()) != release.units.end())
    fail("release '{}': its units are not those of {} values among {} entries", release.id,
         release.values.size(), entries);
}

void check_places(const Release& release) {
  if (release.places.empty()) return;
  if (release.places.size() != release.values.size() ||
      std::ranges::adjacent_find(release.places, std::greater_equal()) != release.places.end())
    fail("release '{}': {} places of {} values, or not in ascending order", release.id, release.places.size(),
         release.values.size());
}

void check_release(const Release& release, const Measurement& measured) {
  if (release.events.empty()) fail("release '{}': it does not say what it cost", release.id);
  if (release.values.empty() || !in_bounds(release.values) || !in_bounds(release.chosen))
    fail("release '{}': it has no values, or one that is not finite or beyond {}", release.id, kLargest);
  if (!is_deviation(release.deviation, release) || !is_deviation(release.typical, release) ||
      release.typical > release.deviation * (1 + 1e-9) ||
      !(release.window >= 0 && std::isfinite(release.window)))
    fail("release '{}': its noise or its window makes no sense", release.id);
  check_units(release, measured);
  check_places(release);
  if (!release.clipped.empty() && (release.clipped.size() != release.values.size() ||
                                   std::ranges::any_of(release.clipped, [](int flag) { return flag > 1; })))
    fail("release '{}': it does not say of each value whether it is near the end of its window", release.id);
}

}  // namespace

bool Measurement::has(std::string_view id) const {
  return std::ranges::find(releases, id, &Release::id) != releases.end();
}

const Release& Measurement::find(std::string_view id, std::size_t values) const {
  const auto found = std::ranges::find(releases, id, &Release::id);
  if (found == releases.end() || found->values.size() != values)
    fail("the releases lack '{}' of {} values, which method {} makes; they cannot be refitted", id, values,
         method);
  return *found;
}

std::vector<const Release*> Measurement::all(std::string_view id) const {
  std::vector<const Release*> found;
  for (const Release& release : releases)
    if (release.id == id) found.push_back(&release);
  return found;
}

void check(const Measurement& measured) {
  if (measured.documents.has_value() != (measured.unit == Unit::document))
    fail("what is public of documents is for unit document, and this is {}", name(measured.unit));
  if (measured.documents && (measured.documents->count == 0 || measured.shape.order() != 2 ||
                             measured.shape[1] != 1 || measured.positions))
    fail("{} documents over {} words make no sense", measured.documents->count, measured.shape.text());
  if (measured.user_mode < 0 || measured.user_mode >= measured.shape.order())
    fail("the mode of the users is {} of {}", measured.user_mode + 1, measured.shape.order());
  if (!std::isfinite(measured.low) || !std::isfinite(measured.high) || !(measured.low < measured.high))
    fail("the range {}:{} has no values", measured.low, measured.high);
  if (measured.positions &&
      (measured.positions->shape() != measured.shape || measured.positions->size() == 0))
    fail("the positions are not those of entries of a {} tensor", measured.shape.text());
  check(measured.orders, measured.shape);
  if (measured.releases.empty()) fail("there are no releases");
  for (const Release& release : measured.releases) check_release(release, measured);
}

}  // namespace tulle
