#include <tulle/base/error.hpp>
#include <tulle/privacy/additive_noise.hpp>

#include <cmath>

namespace tulle {
namespace {

void check(const char* noise, double parameter, std::uint64_t coordinates) {
  if (!(parameter > 0) || !std::isfinite(parameter))
    fail("{} noise: {} must be a finite number above 0", noise, parameter);
  if (coordinates < 1) fail("{} noise: nothing is released; give the number of coordinates", noise);
}

// Coordinates that a neighbour can change, and so that rounding can move.
std::int64_t moving(const Sensitivity& sensitivity, std::uint64_t coordinates) {
  return sensitivity.norm() == Norm::one_coordinate ? 1 : static_cast<std::int64_t>(coordinates);
}

}  // namespace

AdditiveNoise::AdditiveNoise(std::string name, const Sensitivity& sensitivity, std::uint64_t coordinates,
                             Noise noise, Event event)
    : name_(std::move(name)),
      sensitivity_(sensitivity),
      coordinates_(coordinates),
      noise_(std::move(noise)),
      event_(std::move(event)) {
  const auto* grid_noise = std::get_if<GridNoise>(&noise_);
  deviation_ = grid_noise ? grid_noise->deviation()
                          : std::sqrt(std::get<GridGammaNorm>(noise_).noise.coordinate_variance());
}

// One number has the loss distribution of Laplace noise; of several that change together only epsilon is
// known.
AdditiveNoise AdditiveNoise::laplace(const Sensitivity& sensitivity, double epsilon,
                                     std::uint64_t coordinates) {
  check("Laplace", epsilon, coordinates);
  const std::int64_t moved = moving(sensitivity, coordinates);
  return {"Laplace", sensitivity, coordinates,
          GridNoise::laplace(epsilon, sensitivity.in(Norm::l1).value(), moved),
          moved == 1 ? Event::laplace(1 / epsilon) : Event::pure(epsilon)};
}

AdditiveNoise AdditiveNoise::staircase(const Sensitivity& sensitivity, double epsilon,
                                       std::uint64_t coordinates) {
  check("staircase", epsilon, coordinates);
  if (sensitivity.norm() != Norm::one_coordinate)
    fail("staircase noise protects a change of one coordinate, not one bounded in {}; use Laplace noise",
         tulle::name(sensitivity.norm()));
  return {"staircase", sensitivity, coordinates, GridNoise::staircase(epsilon, sensitivity.value()),
          Event::pure(epsilon)};
}

// A whole number of cells plus a rounded Gaussian is post-processing of the continuous mechanism: its cost is
// exact.
AdditiveNoise AdditiveNoise::gaussian(const Sensitivity& sensitivity, double noise_multiplier,
                                      std::uint64_t coordinates) {
  check("Gaussian", noise_multiplier, coordinates);
  return {"Gaussian", sensitivity, coordinates,
          GridNoise::gaussian(noise_multiplier, sensitivity.in(Norm::l2).value(),
                              moving(sensitivity, coordinates)),
          Event::gaussian(noise_multiplier)};
}

AdditiveNoise AdditiveNoise::gamma_norm(const Sensitivity& sensitivity, double epsilon,
                                        std::uint64_t coordinates) {
  check("exponential-norm", epsilon, coordinates);
  const double length = sensitivity.in(Norm::l2).value();
  const std::int64_t moved = moving(sensitivity, coordinates);
  const Grid grid = Grid::for_gaussian(length / epsilon, moved);
  const double rounded = grid.l2_sensitivity(length, moved) * grid.cell();
  const auto noise = GammaNorm::with_scale(static_cast<std::int64_t>(coordinates), rounded / epsilon);
  return {"exponential-norm, drawn to 45 bits", sensitivity, coordinates, GridGammaNorm{grid, noise},
          Event::pure(epsilon)};
}

void AdditiveNoise::add_to(std::span<double> values, RandomBits& bits) const {
  if (const auto* noise = std::get_if<GridNoise>(&noise_)) {
    release(values, *noise, bits);
  } else {
    const auto& gamma = std::get<GridGammaNorm>(noise_);
    release_approximately(values, gamma.grid, gamma.noise, bits);
  }
}

}  // namespace tulle
