#include "noise/check.hpp"

#include <tulle/privacy/noise/discrete.hpp>
#include <tulle/privacy/noise/grid.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tulle {
namespace {

constexpr int kMaxExponent = 900;  // 2^63 cells are still a finite double

// Multiplying by it equals ldexp and is many times faster: no exponent here leaves the normal doubles.
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

std::int64_t rounded(double cells) {
  constexpr double limit = 0x1p62;
  return static_cast<std::int64_t>(std::clamp(std::nearbyint(cells), -limit, limit));
}

Grid with_cell_at_most(double scale, int bits) {
  int exponent;
  std::frexp(checked_positive("grid", "noise scale", scale),
             &exponent);  // scale in [2^(exponent-1), 2^exponent)
  return Grid::with_exponent(exponent - 1 -
                             std::min(bits, 50));  // the samplers hold scales of up to 2^52 cells
}

int bits_of(std::int64_t coordinates) {
  checked_between<std::int64_t>("grid", "coordinates", coordinates, 1, std::int64_t{1} << 40);
  return static_cast<int>(std::ceil(std::log2(static_cast<double>(coordinates))));
}

// The sensitivity in cells plus the rounding, not below the true sum.
double cells_at_most(double sensitivity, double cell, double rounding) {
  if (!(sensitivity >= 0)) fail_usage("grid: sensitivity {} must not be negative", sensitivity);
  const double cells = sensitivity / cell;  // exact, a power of two, unless it underflows
  const double sum = rounding == 0 && cells * cell == sensitivity
                         ? cells
                         : std::nextafter(cells + rounding, std::numeric_limits<double>::infinity());
  if (!(sum <= 0x1p52))
    fail_usage("grid: sensitivity {} is more than 2^52 cells of {}; take a coarser grid", sensitivity, cell);
  return sum;
}

}  // namespace

Grid Grid::with_exponent(int exponent) {
  return Grid(checked_between("grid", "exponent", exponent, -kMaxExponent, kMaxExponent));
}

Grid Grid::for_laplace(double scale, std::int64_t coordinates) {
  return with_cell_at_most(scale, 20 + bits_of(coordinates));
}

Grid Grid::for_gaussian(double sigma, std::int64_t coordinates) {
  return with_cell_at_most(sigma, 20 + (bits_of(coordinates) + 1) / 2);
}

double Grid::cell() const {
  return power_of_two(exponent_);
}

std::int64_t Grid::round(double value) const {
  if (std::isnan(value)) fail("grid: a value to release is not a number; replace it before the release");
  return rounded(value * power_of_two(-exponent_));
}

void Grid::round_and_add(std::span<double> values, std::span<const std::int64_t> noise) const {
  const double inverse = power_of_two(-exponent_), size = cell();
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<double>(rounded(values[i] * inverse) + noise[i]) * size;
}

double Grid::value(std::int64_t cells) const {
  return static_cast<double>(cells) * cell();
}

// After rounding, neighbours differ by a whole number in L1, so a bound of 3.7 becomes 3.
std::int64_t Grid::l1_sensitivity(double sensitivity, std::int64_t coordinates) const {
  checked_between<std::int64_t>("grid", "coordinates", coordinates, 0, std::int64_t{1} << 40);
  return static_cast<std::int64_t>(cells_at_most(sensitivity, cell(), static_cast<double>(coordinates)));
}

double Grid::l2_sensitivity(double sensitivity, std::int64_t coordinates) const {
  checked_between<std::int64_t>("grid", "coordinates", coordinates, 0, std::int64_t{1} << 40);
  if (coordinates == 0) return cells_at_most(sensitivity, cell(), 0);
  const double root = std::nextafter(std::sqrt(static_cast<double>(coordinates)), HUGE_VAL);
  return cells_at_most(sensitivity, cell(), root);
}

}  // namespace tulle
