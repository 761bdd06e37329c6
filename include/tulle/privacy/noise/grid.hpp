// Real values are released on a public grid, the multiples of a power of two. A double with noise added in
// floating point gives itself away through its last bits (Mironov 2012); a whole number of cells with
// whole-numbered noise does not.
#pragma once

#include <cstdint>
#include <span>

#pragma GCC visibility push(default)

namespace tulle {

class Grid {
 public:
  static Grid with_exponent(int exponent);  // cells of 2^exponent, -900 to 900

  // Grids of negligible cost: rounding a vector adds less than 2^-20 of the noise scale to its sensitivity,
  // in L1 for Laplace noise and in L2 for Gaussian noise. The scale is public, and so is the grid. The finest
  // grid has 2^50 cells per scale; beyond 2^30 coordinates (Laplace), l1_sensitivity states the cost.
  static Grid for_laplace(double scale, std::int64_t coordinates = 1);
  static Grid for_gaussian(double sigma, std::int64_t coordinates = 1);

  int exponent() const { return exponent_; }
  double cell() const;

  // The nearest number of cells, ties to even, clamped to +-2^62 cells (clamping brings neighbours no further
  // apart). An Error for a NaN.
  std::int64_t round(double value) const;
  double value(
      std::int64_t cells) const;  // a multiple of the cell, rounded to a double when cells exceed 2^53

  // value(round(value) + noise) for each, at once; |noise| below 2^62.
  void round_and_add(std::span<double> values, std::span<const std::int64_t> noise) const;

  // The sensitivity after rounding, in cells, rounded up. Rounding moves each side of each coordinate that
  // can change by up to half a cell: one cell more in L-infinity, `coordinates` more in L1, sqrt(coordinates)
  // more in L2. Values that are multiples of the cell already need none of this: pass coordinates = 0.
  std::int64_t l1_sensitivity(double sensitivity, std::int64_t coordinates = 1) const;
  double l2_sensitivity(double sensitivity, std::int64_t coordinates = 1) const;

  bool operator==(const Grid& other) const = default;

 private:
  explicit Grid(int exponent) : exponent_(exponent) {}
  int exponent_;
};

}  // namespace tulle

#pragma GCC visibility pop
