#include "noise/bulk.hpp"
#include "noise/check.hpp"
#include "noise/chunks.hpp"

#include <tulle/privacy/noise/continuous.hpp>

#include <openssl/crypto.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tulle {
namespace {

constexpr std::size_t kTiledChunk = 64 * bulk::kTile;

template <auto Tile>
void fill_by_tiles(std::span<double> values, double scale, RandomBits& bits) {
  for_each_chunk(values.size(), kTiledChunk, bits,
                 [&](std::size_t begin, std::size_t end, RandomBits& stream) {
                   std::array<std::uint64_t, bulk::kTile> words;
                   std::array<double, bulk::kTile> tile;
                   for (; begin < end; begin += bulk::kTile) {
                     stream.fill(words);
                     Tile(words.data(), scale, tile.data());
                     std::copy_n(tile.begin(), std::min(bulk::kTile, end - begin), values.begin() + begin);
                   }
                   OPENSSL_cleanse(words.data(), sizeof words);
                   OPENSSL_cleanse(tile.data(), sizeof tile);
                 });
}

}  // namespace

// ---- Laplace ----

Laplace Laplace::with_scale(double scale) {
  return Laplace(checked_positive("Laplace noise", "scale", scale));
}

double Laplace::density(double x) const {
  return std::exp(-std::fabs(x) / scale_) / (2 * scale_);
}

double Laplace::cdf(double x) const {
  return x < 0 ? std::exp(x / scale_) / 2 : 1 - std::exp(-x / scale_) / 2;
}

void Laplace::fill(std::span<double> values, RandomBits& bits) const {
  fill_by_tiles<bulk::laplace_tile>(values, scale_, bits);
}

// ---- Gaussian ----

Gaussian Gaussian::with_sigma(double sigma) {
  return Gaussian(checked_positive("Gaussian noise", "sigma", sigma));
}

double Gaussian::density(double x) const {
  const double z = x / sigma_;
  return std::exp(-z * z / 2) / (sigma_ * std::sqrt(2 * std::numbers::pi));
}

double Gaussian::cdf(double x) const {
  return std::erfc(-x / sigma_ / std::numbers::sqrt2) / 2;
}

void Gaussian::fill(std::span<double> values, RandomBits& bits) const {
  fill_by_tiles<bulk::normal_tile>(values, sigma_, bits);
}

// ---- staircase ----

Staircase Staircase::with_gamma(double epsilon, double sensitivity, double gamma) {
  constexpr auto what = "staircase noise";
  checked_positive(what, "epsilon", epsilon);
  checked_positive(what, "sensitivity", sensitivity);
  checked_positive(what, "gamma", gamma);
  return {epsilon, sensitivity, checked_between(what, "gamma", gamma, 0.0, 1.0)};
}

// Geng and Viswanath 2014, for the squared error: with b = e^-epsilon,
// gamma = -b/(1-b) + (b - 2b^2 + 2b^4 - b^5)^(1/3) / (2^(1/3) (1-b)^2), where the cube is b (1-b)^3 (1+b).
// Taken together, gamma = ((b (1+b) / 2)^(1/3) - b) / (1-b), and the difference in it is b (1-b) (1+2b) / 2
// over the cubic's other factor: nothing cancels when epsilon is small, and gamma tends to 1/2.
Staircase Staircase::optimal(double epsilon, double sensitivity) {
  const double b = std::exp(-checked_positive("staircase noise", "epsilon", epsilon));
  if (b == 0) fail_usage("staircase noise: epsilon {} is so large that no noise is left", epsilon);
  const double root = std::cbrt(b * (1 + b) / 2);
  const double gamma = b * (1 + 2 * b) / 2 / (root * root + root * b + b * b);
  return with_gamma(epsilon, sensitivity, gamma);
}

double Staircase::level() const {
  const double b = std::exp(-epsilon_);
  return -std::expm1(-epsilon_) / (2 * sensitivity_ * (gamma_ + b * (1 - gamma_)));
}

// E X^2 = 2 a D^3 sum_k b^k [ int_k^{k+gamma} x^2 dx + b int_{k+gamma}^{k+1} x^2 dx ], by the sums of k^i
// b^k.
double Staircase::variance() const {
  const double b = std::exp(-epsilon_), rest = -std::expm1(-epsilon_), g = gamma_;
  const double m0 = g + b * (1 - g);
  const double m1 = g * g + b * (1 - g * g);
  const double m2 = g * g * g + b * (1 - g * g * g);
  const double k0 = 1 / rest, k1 = b / (rest * rest), k2 = b * (1 + b) / (rest * rest * rest);
  return 2 * level() * std::pow(sensitivity_, 3) * (k2 * m0 + k1 * m1 + k0 * m2 / 3);
}

double Staircase::density(double x) const {
  const double stairs = std::fabs(x) / sensitivity_, whole = std::floor(stairs);
  return level() * std::exp(-epsilon_ * (whole + (stairs - whole >= gamma_ ? 1 : 0)));
}

double Staircase::cdf(double x) const {
  if (x > 0) return 1 - cdf(-x);
  const double stairs = -x / sensitivity_, whole = std::floor(stairs), place = stairs - whole;
  const double b = std::exp(-epsilon_);
  const double rest = std::max(gamma_ - place, 0.0) + b * (1 - std::max(place, gamma_));
  const double later = b * (gamma_ + b * (1 - gamma_)) / -std::expm1(-epsilon_);
  return level() * sensitivity_ * std::exp(-epsilon_ * whole) * (rest + later);
}

// ---- exponential of the norm ----

GammaNorm GammaNorm::with_scale(std::int64_t dimension, double scale) {
  constexpr auto what = "gamma-norm noise";
  checked_between<std::int64_t>(what, "dimension", dimension, 1, std::int64_t{1} << 40);
  return {dimension, checked_positive(what, "scale", scale)};
}

double GammaNorm::mean_norm() const {
  return static_cast<double>(dimension_) * scale_;
}

double GammaNorm::variance_norm() const {
  return static_cast<double>(dimension_) * scale_ * scale_;
}

double GammaNorm::mean_squared_norm() const {
  return static_cast<double>(dimension_) * coordinate_variance();
}

double GammaNorm::coordinate_variance() const {
  return (static_cast<double>(dimension_) + 1) * scale_ * scale_;
}

// The surface of the unit sphere is 2 pi^(d/2) / Gamma(d/2), and int r^(d-1) exp(-r/s) dr = Gamma(d) s^d.
double GammaNorm::log_density(std::span<const double> x) const {
  const auto d = static_cast<double>(dimension_);
  if (x.size() != static_cast<std::size_t>(dimension_))
    fail_usage("gamma-norm noise: {} coordinates, but the dimension is {}", x.size(), dimension_);
  double square = 0;
  for (const double coordinate : x) square += coordinate * coordinate;
  const double log_sphere = std::log(2.0) + d / 2 * std::log(std::numbers::pi) - std::lgamma(d / 2);
  return -std::sqrt(square) / scale_ - log_sphere - std::lgamma(d) - d * std::log(scale_);
}

namespace {

double uniform(RandomBits& bits) {
  return (static_cast<double>(bits.word() >> 11) + 0.5) * 0x1p-53;
}

// Gamma(shape, 1) for a whole number: a sum of exponentials up to 16, else by Marsaglia and Tsang (2000).
double sample_gamma(double shape, RandomBits& bits) {
  if (shape <= 16) {
    double product = 1;  // 2^-864 at the least
    for (int i = 0; i < static_cast<int>(shape); ++i) product *= uniform(bits);
    return -std::log(product);
  }
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  std::array<std::uint64_t, bulk::kTile> words;
  std::array<double, bulk::kTile> normals;
  for (;;) {
    bits.fill(words);
    bulk::normal_tile(words.data(), 1, normals.data());
    for (const double x : normals) {
      const double u = uniform(bits);
      const double root = 1 + c * x, v = root * root * root;
      if (v > 0 && std::log(u) < x * x / 2 + d - d * v + d * std::log(v)) return d * v;
    }
  }
}

}  // namespace

void GammaNorm::fill(std::span<double> values, RandomBits& bits) const {
  const auto dimension = static_cast<std::size_t>(dimension_);
  if (values.empty() || values.size() % dimension != 0)
    fail_usage("gamma-norm noise: {} coordinates, but the dimension is {}", values.size(), dimension_);
  Gaussian::with_sigma(1).fill(values, bits);
  for (; !values.empty(); values = values.subspan(dimension)) {
    const auto vector = values.first(dimension);
    double square = 0;
    for (const double value : vector) square += value * value;
    const double factor = scale_ * sample_gamma(static_cast<double>(dimension_), bits) / std::sqrt(square);
    for (double& value : vector) value *= factor;
  }
}

}  // namespace tulle
