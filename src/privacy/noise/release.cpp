#include "noise/check.hpp"
#include "noise/chunks.hpp"

#include <tulle/privacy/noise/release.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace tulle {
namespace {

constexpr std::size_t kNumbersPerStream =
    8192;  // a stream of its own for each: cheap against so many numbers

// |cells| <= 2^62 and |noise| < kMaxNoise = 2^62: the sum fits.
std::int64_t clamped(std::int64_t cells) {
  return std::clamp(cells, -kMaxNoise, kMaxNoise);
}

void fill(const IntegerNoise& noise, std::span<std::int64_t> values, RandomBits& bits) {
  if (const auto* gaussian = std::get_if<RoundedGaussian>(&noise)) return gaussian->fill(values, bits);
  for (std::int64_t& value : values) value = sample(noise, bits);
}

// Calls add(values, noise) on one batch after the other, each with fresh noise.
template <class Value, class Add>
void add_in_batches(std::span<Value> values, const IntegerNoise& noise, RandomBits& bits, const Add& add) {
  for_each_chunk(values.size(), kNumbersPerStream, bits,
                 [&](std::size_t begin, std::size_t end, RandomBits& stream) {
                   constexpr std::size_t kBatch = 1020;
                   std::array<std::int64_t, kBatch> drawn;
                   for (; begin < end; begin += kBatch) {
                     const auto batch = values.subspan(begin, std::min(kBatch, end - begin));
                     fill(noise, std::span(drawn).first(batch.size()), stream);
                     add(batch, drawn);
                   }
                 });
}

double rounded_up(double value) {
  return std::nextafter(value, HUGE_VAL);
}

}  // namespace

std::int64_t sample(const IntegerNoise& noise, RandomBits& bits) {
  return std::visit([&](const auto& kind) { return kind.sample(bits); }, noise);
}

double variance(const IntegerNoise& noise) {
  return std::visit([](const auto& kind) { return kind.variance(); }, noise);
}

// Doubles are rounded to nearest, so a quotient or product may be half a unit too small: adding one unit is
// enough.
GridNoise GridNoise::laplace(double epsilon, double sensitivity, std::int64_t coordinates) {
  constexpr auto what = "Laplace release";
  checked_positive(what, "epsilon", epsilon);
  const Grid grid =
      Grid::for_laplace(checked_positive(what, "sensitivity", sensitivity) / epsilon, coordinates);
  const auto cells = static_cast<double>(grid.l1_sensitivity(sensitivity, coordinates));
  return {grid, RoundedLaplace::with_scale_at_least(rounded_up(cells / epsilon))};
}

GridNoise GridNoise::gaussian(double multiplier, double sensitivity, std::int64_t coordinates) {
  constexpr auto what = "Gaussian release";
  checked_positive(what, "multiplier", multiplier);
  const Grid grid =
      Grid::for_gaussian(checked_positive(what, "sensitivity", sensitivity) * multiplier, coordinates);
  const double cells = grid.l2_sensitivity(sensitivity, coordinates);
  return {grid, RoundedGaussian::with_sigma_at_least(rounded_up(cells * multiplier))};
}

// The width of the stairs is the sensitivity, so the grid must be fine relative to both it and the noise.
GridNoise GridNoise::staircase(double epsilon, double sensitivity) {
  constexpr auto what = "staircase release";
  checked_positive(what, "epsilon", epsilon);
  checked_positive(what, "sensitivity", sensitivity);
  const double deviation = std::sqrt(Staircase::optimal(epsilon, sensitivity).variance());
  const Grid grid = Grid::for_laplace(std::min(deviation, sensitivity));
  return {grid, DiscreteStaircase::optimal(epsilon, grid.l1_sensitivity(sensitivity))};
}

double GridNoise::deviation() const {
  return std::sqrt(variance(noise_)) * grid_.cell();
}

void release(std::span<double> values, const GridNoise& noise, RandomBits& bits) {
  if (!all_finite(values))
    for (const double value : values) noise.grid().round(value);  // refuses before any noise is drawn
  add_in_batches(values, noise.noise(), bits, [&](std::span<double> batch, const auto& drawn) {
    noise.grid().round_and_add(batch, drawn);
  });
}

double release(double value, const GridNoise& noise, RandomBits& bits) {
  return noise.grid().value(noise.grid().round(value) + sample(noise.noise(), bits));
}

void release(std::span<std::int64_t> values, const IntegerNoise& noise, RandomBits& bits) {
  add_in_batches(values, noise, bits, [](std::span<std::int64_t> batch, const auto& drawn) {
    for (std::size_t i = 0; i < batch.size(); ++i) batch[i] = clamped(batch[i]) + drawn[i];
  });
}

std::int64_t release(std::int64_t value, const IntegerNoise& noise, RandomBits& bits) {
  return clamped(value) + sample(noise, bits);
}

void release_approximately(std::span<double> values, const Grid& grid, const GammaNorm& noise,
                           RandomBits& bits) {
  checked_between("gamma-norm noise", "mean norm in cells", noise.mean_norm() / grid.cell(), 0.0, 0x1p56);
  for (const double value : values) grid.round(value);
  std::vector<double> drawn(values.size());
  noise.fill(drawn, bits);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] =
        grid.value(grid.round(values[i]) + std::clamp(grid.round(drawn[i]), 1 - kMaxNoise, kMaxNoise - 1));
}

}  // namespace tulle
