#include <tulle/base/error.hpp>
#include <tulle/privacy/additive_noise.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tulle {
namespace {

void check(const char* noise, double parameter, std::uint64_t coordinates) {
  if (!(parameter > 0) || !std::isfinite(parameter))
    fail("{} noise: {} must be a finite number above 0", noise, parameter);
  if (coordinates < 1) fail("{} noise: nothing is released; give the number of coordinates", noise);
}

// The number of coordinates that a neighbour can change, and that rounding can therefore move.
std::int64_t moving(const Sensitivity& sensitivity, std::uint64_t coordinates) {
  const std::uint64_t changing = sensitivity.changing();
  return static_cast<std::int64_t>(changing > 0 ? std::min(changing, coordinates) : coordinates);
}

// The epsilon of each coordinate that changes, rounded down so that the shares add up to at most the whole.
double share(double epsilon, const Sensitivity& sensitivity) {
  const std::uint64_t changing = sensitivity.changing();
  return changing == 1 ? epsilon : std::nextafter(epsilon / static_cast<double>(changing), 0);
}

}  // namespace

AdditiveNoise::AdditiveNoise(std::string name, const Sensitivity& sensitivity, std::uint64_t coordinates,
                             Noise noise, Event event)
    : name_(std::move(name)),
      sensitivity_(sensitivity),
      coordinates_(coordinates),
      noise_(std::move(noise)),
      event_(std::move(event)) {
  if (const auto* grid_noise = std::get_if<GridNoise>(&noise_))
    deviation_ = grid_noise->deviation();
  else if (const auto* gamma = std::get_if<GridGammaNorm>(&noise_))
    deviation_ = std::sqrt(gamma->noise.coordinate_variance());
  else if (const auto* draw = std::get_if<PosteriorDraw>(&noise_))
    deviation_ = draw->largest_deviation();
  else if (keys())
    deviation_ = 0.5;  // of an even coin
  else
    deviation_ = std::sqrt(std::get<BoundedResponse>(noise_).worst_variance());
}

double AdditiveNoise::typical_deviation() const {
  const auto* response = std::get_if<BoundedResponse>(&noise_);
  return response ? std::sqrt(response->average_variance()) : deviation_;
}

// A single coordinate has the loss distribution of Laplace noise; if several change together only epsilon is
// known.
AdditiveNoise AdditiveNoise::laplace(const Sensitivity& sensitivity, double epsilon,
                                     std::uint64_t coordinates) {
  check("Laplace", epsilon, coordinates);
  const std::int64_t moved = moving(sensitivity, coordinates);
  return {"Laplace", sensitivity, coordinates,
          GridNoise::laplace(epsilon, sensitivity.in(Norm::l1).value(), moved),
          moved == 1 ? Event::laplace(1 / epsilon) : Event::pure(epsilon)};
}

// Pure epsilons add up: n coordinates have epsilon / n each.
AdditiveNoise AdditiveNoise::staircase(const Sensitivity& sensitivity, double epsilon,
                                       std::uint64_t coordinates) {
  check("staircase", epsilon, coordinates);
  if (sensitivity.changing() == 0)
    fail("staircase noise protects single coordinates, not a change bounded in {}; use Laplace noise",
         tulle::name(sensitivity.norm()));
  return {"staircase", sensitivity, coordinates,
          GridNoise::staircase(share(epsilon, sensitivity), sensitivity.value()), Event::pure(epsilon)};
}

// On the grid of the whole numbers nothing is rounded, so rounding adds nothing to the sensitivity.
AdditiveNoise AdditiveNoise::discrete_laplace(const Sensitivity& sensitivity, double epsilon,
                                              std::uint64_t coordinates) {
  check("discrete Laplace", epsilon, coordinates);
  const double moves = sensitivity.in(Norm::l1).value();
  if (moves != std::floor(moves) || moves > 0x1p52)
    fail("discrete Laplace noise: a sensitivity of {} between whole numbers; round the data and their range",
         moves);
  const auto noise = DiscreteLaplace::with_scale_at_least(moves / epsilon * (1 + 0x1p-50));
  return {"discrete Laplace", sensitivity, coordinates, GridNoise::in_cells(Grid::with_exponent(0), noise),
          Event::pure(epsilon)};
}

AdditiveNoise AdditiveNoise::discrete_laplace_above(const Sensitivity& sensitivity, double epsilon,
                                                    std::uint64_t coordinates, std::int64_t threshold) {
  if (threshold < 1) fail("discrete Laplace noise: a threshold of {}; give 1 or more", threshold);
  AdditiveNoise noise = discrete_laplace(sensitivity, epsilon, coordinates);
  noise.name_ += " above a threshold";
  noise.threshold_ = threshold;
  return noise;
}

AdditiveNoise AdditiveNoise::duchi(const Bounds& bounds, Unit unit, Relation relation, double epsilon,
                                   std::uint64_t coordinates, std::uint64_t changing) {
  check("Duchi's", epsilon, coordinates);
  const Sensitivity width = Sensitivity::coordinates(bounds.high - bounds.low, changing, unit, relation);
  return {"Duchi", width, coordinates, BoundedResponse::duchi(share(epsilon, width), bounds.low, bounds.high),
          Event::pure(epsilon)};
}

AdditiveNoise AdditiveNoise::piecewise(const Bounds& bounds, Unit unit, Relation relation, double epsilon,
                                       std::uint64_t coordinates, std::uint64_t changing) {
  check("piecewise", epsilon, coordinates);
  const Sensitivity width = Sensitivity::coordinates(bounds.high - bounds.low, changing, unit, relation);
  return {"piecewise", width, coordinates,
          BoundedResponse::piecewise(share(epsilon, width), bounds.low, bounds.high), Event::pure(epsilon)};
}

// Every entry is a term of exactly one sum, so neighbours change one sum.
AdditiveNoise AdditiveNoise::posterior_draw(std::int64_t half, std::span<const std::uint64_t> terms,
                                            Unit unit, Relation relation, double epsilon) {
  check("posterior draw", epsilon, terms.size());
  return {"posterior draw", Sensitivity::one_coordinate(2 * static_cast<double>(half), unit, relation),
          terms.size(), PosteriorDraw::of_sums(epsilon, half, terms), Event::pure(epsilon)};
}

AdditiveNoise AdditiveNoise::key_selection(const Budget& budget, std::uint64_t keys, Unit unit,
                                           Relation relation) {
  return {"truncated geometric, above a threshold", Sensitivity::coordinates(1, keys, unit, relation), 0,
          KeySelection::of(budget.epsilon, budget.delta, keys),
          Event::approximate(budget.epsilon, budget.delta)};
}

// A whole number of cells plus a rounded Gaussian post-processes the continuous mechanism, so its cost is
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

// Densities multiply over the rows, so the changes of the norms add up. Rounding moves every row.
AdditiveNoise AdditiveNoise::gamma_norm_by_row(const Sensitivity& sensitivity, double epsilon,
                                               std::uint64_t rows, std::uint64_t columns) {
  check("exponential-norm", epsilon, rows * columns);
  const double length = sensitivity.in(Norm::l21).value();
  // rows sqrt(columns) cells in all, like a vector of rows^2 columns coordinates in L2.
  const double moved = static_cast<double>(rows) * static_cast<double>(rows) * static_cast<double>(columns);
  const Grid grid = Grid::for_gaussian(length / epsilon, static_cast<std::int64_t>(std::min(moved, 0x1p40)));
  const double rounded = length + static_cast<double>(rows) *
                                      grid.l2_sensitivity(0, static_cast<std::int64_t>(columns)) *
                                      grid.cell();
  const auto noise = GammaNorm::with_scale(static_cast<std::int64_t>(columns), rounded / epsilon);
  return {"exponential-norm by row, drawn to 45 bits", sensitivity, rows * columns,
          GridGammaNorm{grid, noise}, Event::pure(epsilon)};
}

namespace {

// Computed in cells, where the staircase has its steps.
struct LogDensity {
  double operator()(const RoundedLaplace& noise) const { return laplace(noise.scale()); }
  double operator()(const DiscreteLaplace& noise) const { return laplace(noise.scale().value()); }
  double operator()(const RoundedGaussian& noise) const { return gaussian(noise.sigma()); }
  double operator()(const DiscreteGaussian& noise) const { return gaussian(noise.sigma()); }
  double operator()(const DiscreteStaircase& noise) const {
    const auto width = static_cast<double>(noise.sensitivity());
    const double steps = std::floor(cells / width), rest = cells - steps * width;
    return -noise.epsilon() * (steps + (rest >= static_cast<double>(noise.step()) ? 1 : 0)) - log_cell -
           std::log(width);
  }

  double laplace(double scale) const { return -cells / scale - log_cell - std::log(scale); }
  double gaussian(double sigma) const {
    return -cells * cells / (2 * sigma * sigma) - log_cell - std::log(sigma);
  }

  double cells;  // absolute value
  double log_cell;
};

double log_likelihood_of(const GridNoise& noise, double released, double exact) {
  const Grid& grid = noise.grid();
  const double cells =
      std::abs(released / grid.cell() - static_cast<double>(grid.round(exact)));  // a power of two: exact
  return std::visit(LogDensity{cells, std::log(grid.cell())}, noise.noise());
}

// Two data sets are compared on the same release, so that what the density of a released value leaves out
// cancels.
double log_chance_below(const GridNoise& noise, std::int64_t threshold, double exact) {
  const auto& laplace = std::get<DiscreteLaplace>(noise.noise());
  return std::log(laplace.cdf(threshold - 1 - noise.grid().round(exact)));
}

}  // namespace

double AdditiveNoise::log_likelihood(std::span<const double> released, std::span<const double> exact) const {
  double sum = 0;
  const auto* grid = std::get_if<GridNoise>(&noise_);
  if (const auto* gamma = std::get_if<GridGammaNorm>(&noise_)) {
    const auto row = static_cast<std::size_t>(gamma->noise.dimension());
    std::vector<double> difference(row);
    for (std::size_t begin = 0; begin < released.size(); begin += row) {
      for (std::size_t i = 0; i < row; ++i) difference[i] = released[begin + i] - exact[begin + i];
      sum += gamma->noise.log_density(difference);
    }
    return sum;
  }
  if (const auto* draw = std::get_if<PosteriorDraw>(&noise_)) {
    for (std::size_t i = 0; i < released.size(); ++i) sum += draw->log_likelihood(i, released[i], exact[i]);
    return sum;
  }
  if (threshold_) {
    for (std::size_t i = 0; i < released.size(); ++i)
      sum += released[i] == 0 ? log_chance_below(*grid, *threshold_, exact[i])
                              : log_likelihood_of(*grid, released[i], exact[i]);
    return sum;
  }
  if (const KeySelection* selection = keys()) {
    for (std::size_t i = 0; i < released.size(); ++i)
      sum += std::log(released[i] > 0 ? selection->shown(exact[i]) : selection->hidden(exact[i]));
    return sum;
  }
  for (std::size_t i = 0; i < released.size(); ++i)
    sum += grid ? log_likelihood_of(*grid, released[i], exact[i])
                : std::get<BoundedResponse>(noise_).log_likelihood(released[i], exact[i]);
  return sum;
}

void AdditiveNoise::add_to(std::span<double> values, RandomBits& bits) const {
  if (const auto* noise = std::get_if<GridNoise>(&noise_))
    release(values, *noise, bits);
  else if (const auto* gamma = std::get_if<GridGammaNorm>(&noise_))
    release_approximately(values, gamma->grid, gamma->noise, bits);
  else if (const auto* draw = std::get_if<PosteriorDraw>(&noise_))
    release(values, *draw, bits);
  else if (const KeySelection* selection = keys())
    release(values, *selection, bits);
  else
    release(values, std::get<BoundedResponse>(noise_), bits);
  if (threshold_)
    for (double& value : values)
      if (value < static_cast<double>(*threshold_)) value = 0;
}

ListedValues AdditiveNoise::add_to(const ListedValues& values, RandomBits& bits) const {
  const auto& laplace = std::get<DiscreteLaplace>(std::get<GridNoise>(noise_).noise());
  return release_above(values, coordinates_, laplace, threshold_.value(), bits);
}

}  // namespace tulle
