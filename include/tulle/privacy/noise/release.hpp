// The last step of a release: values are rounded to a grid and whole-numbered noise is added there, exactly.
// Results depend on the bits and on nothing else, not on the number of threads.
#pragma once

#include <tulle/privacy/noise/continuous.hpp>
#include <tulle/privacy/noise/discrete.hpp>
#include <tulle/privacy/noise/grid.hpp>
#include <tulle/privacy/noise/rounded.hpp>

#include <cstdint>
#include <span>
#include <variant>

#pragma GCC visibility push(default)

namespace tulle {

using IntegerNoise =
    std::variant<DiscreteLaplace, DiscreteGaussian, DiscreteStaircase, RoundedLaplace, RoundedGaussian>;

std::int64_t sample(const IntegerNoise& noise, RandomBits& bits);
double variance(const IntegerNoise& noise);

// |sample| is below this, whatever the parameters: adding it to a value of at most 2^62 never overflows.
inline constexpr std::int64_t kMaxNoise = std::int64_t{1} << 62;

// A grid and noise on it. The factories choose the grid from the noise scale, include the rounding in the
// sensitivity, and round every scale up, so that the named guarantee holds for arbitrary real values.
class GridNoise {
 public:
  // epsilon-DP for a vector that neighbours change by at most `sensitivity` in L1, in at most `coordinates`
  // of its places.
  static GridNoise laplace(double epsilon, double sensitivity, std::int64_t coordinates = 1);
  // The Gaussian mechanism with sigma = multiplier * sensitivity (L2), that is (1/multiplier)-GDP.
  static GridNoise gaussian(double multiplier, double sensitivity, std::int64_t coordinates = 1);
  // epsilon-DP for one number; less noise than Laplace when epsilon is large.
  static GridNoise staircase(double epsilon, double sensitivity);

  // Noise that the caller has calibrated in cells, rounding included (Grid::l1_sensitivity and the like).
  static GridNoise in_cells(Grid grid, IntegerNoise noise) { return {grid, noise}; }

  const Grid& grid() const { return grid_; }
  const IntegerNoise& noise() const { return noise_; }
  double deviation() const;  // the standard deviation, in the units of the values

 private:
  GridNoise(Grid grid, IntegerNoise noise) : grid_(grid), noise_(noise) {}
  Grid grid_;
  IntegerNoise noise_;
};

// Every result is a multiple of the cell. An Error, before anything is drawn, when a value is not a number.
void release(std::span<double> values, const GridNoise& noise, RandomBits& bits);
double release(double value, const GridNoise& noise, RandomBits& bits);

// Whole numbers need no grid; beyond +-2^62 they are taken as +-2^62.
void release(std::span<std::int64_t> values, const IntegerNoise& noise, RandomBits& bits);
std::int64_t release(std::int64_t value, const IntegerNoise& noise, RandomBits& bits);

// Not exact: a value on the grid plus the noise, rounded, is post-processing of the ideal mechanism, so the
// only loss is the error of GammaNorm::fill, and no bit of the value below the grid shows. The sensitivity
// must include the rounding (Grid::l2_sensitivity). Noise of mean norm above 2^56 cells is refused.
void release_approximately(std::span<double> values, const Grid& grid, const GammaNorm& noise,
                           RandomBits& bits);

}  // namespace tulle

#pragma GCC visibility pop
