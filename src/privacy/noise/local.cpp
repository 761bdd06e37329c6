#include "noise/check.hpp"
#include "noise/chunks.hpp"
#include "noise/exact.hpp"

#include <tulle/privacy/noise/bernoulli.hpp>
#include <tulle/privacy/noise/local.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr double kMaxEpsilon = 20;  // above, all but one answer in 10^8 are the truth

Rational checked_epsilon(std::string_view what, double epsilon) {
  checked_positive(what, "epsilon", epsilon);
  return Rational::at_most(checked_between(what, "epsilon", epsilon, 0x1p-52, kMaxEpsilon));
}

}  // namespace

// ---- randomised response ----

RandomisedResponse RandomisedResponse::with_epsilon(double epsilon, std::uint32_t choices) {
  constexpr auto what = "randomised response";
  const Rational rounded = checked_epsilon(what, epsilon);
  return {rounded, checked_between<std::uint32_t>(what, "choices", choices, 2, 0xffffffff)};
}

double RandomisedResponse::truth_probability() const {
  return 1 / (1 + (choices_ - 1.0) * std::exp(-epsilon()));
}

double RandomisedResponse::other_probability() const {
  return std::exp(-epsilon()) * truth_probability();
}

// Choices are proposed uniformly; the truth is always kept, any other with probability e^-epsilon. The number
// of proposals, at most min(choices, e^epsilon) on average, does not depend on the truth.
std::uint32_t RandomisedResponse::sample(std::uint32_t truth, RandomBits& bits) const {
  checked_between<std::uint32_t>("randomised response", "truth", truth, 0, choices_ - 1);
  for (;;) {
    const auto choice = static_cast<std::uint32_t>(exact::uniform_below(bits, choices_));
    const bool kept = exact::bernoulli_exp(bits, epsilon_.numerator(), epsilon_.denominator());
    if (kept || choice == truth) return choice;
  }
}

double RandomisedResponse::unbiased(double observed_share) const {
  const double gap = -std::expm1(-epsilon()) * truth_probability();
  return (observed_share - other_probability()) / gap;
}

double RandomisedResponse::variance(double true_share, double people) const {
  const double p = truth_probability(), q = other_probability(), gap = -std::expm1(-epsilon()) * p;
  return (true_share * p * (1 - p) + (1 - true_share) * q * (1 - q)) / (people * gap * gap);
}

// ---- Duchi ----

Duchi Duchi::with_epsilon(double epsilon) {
  checked_epsilon("Duchi's mechanism", epsilon);
  return Duchi(RandomisedResponse::with_epsilon(epsilon, 2));
}

double Duchi::bound() const {
  return 1 / std::tanh(epsilon() / 2);
}

// x is rounded to +-1 without bias, and the sign goes through randomised response: P(+) = 1/2 + x/2
// (e^epsilon - 1)/(e^epsilon + 1). The response protects x whatever happens to it before.
double Duchi::sample(double x, RandomBits& bits) const {
  checked_between("Duchi's mechanism", "x", x, -1.0, 1.0);
  const bool positive = bernoulli_sign(bits, x);
  return response_.sample(positive ? 1 : 0, bits) == 1 ? bound() : -bound();
}

double Duchi::log_likelihood(double sampled, double x) const {
  const double tilt = x * std::tanh(epsilon() / 2);
  return std::log((1 + (sampled > 0 ? tilt : -tilt)) / 2);
}

// ---- piecewise ----

namespace {

constexpr std::uint64_t kCells = std::uint64_t{1} << 32;

}  // namespace

// The window covers (C-1)/(2C) = 1/(e^(epsilon/2) + 1) of [-C, C].
Piecewise Piecewise::with_epsilon(double epsilon) {
  const Rational rounded = checked_epsilon("piecewise mechanism", epsilon);
  const double share = 1 / (std::exp(rounded.value() / 2) + 1);
  return {rounded, static_cast<std::uint64_t>(std::llround(share * static_cast<double>(kCells)))};
}

// Cells 0 .. M-1, of which a window a .. a+w-1 has weight 1 and the rest b = e^-epsilon. The mean cell is
// affine in a, so the values that make it unbiased are equidistant: x = -1, 1 at a = 0, M-w, and a step of a
// moves the mean by (1-b) w / (w + (M-w) b) cells.
double Piecewise::value(std::uint64_t cell) const {
  const double b = std::exp(-epsilon()), m = static_cast<double>(kCells), w = static_cast<double>(window_);
  const double cells_per_step = -std::expm1(-epsilon()) * w / (w + (m - w) * b);
  const double width = 2 / (m - w) / cells_per_step;
  return (static_cast<double>(cell) - (m - 1) / 2) * width;
}

double Piecewise::bound() const {
  return value(kCells - 1);
}

// x^2/(e^(epsilon/2) - 1) + (e^(epsilon/2) + 3) / (3 (e^(epsilon/2) - 1)^2); cells change it by a factor of 1
// + O(2^-16).
double Piecewise::variance(double x) const {
  const double h = std::expm1(epsilon() / 2);
  return x * x / h + (h + 4) / (3 * h * h);
}

// The place of the window is rounded without bias. Then cells are proposed uniformly; those of the window are
// always kept, the others with probability e^-epsilon: any two places give probabilities within e^epsilon.
// This takes about e^(epsilon/2) proposals.
double Piecewise::sample(double x, RandomBits& bits) const {
  checked_between("piecewise mechanism", "x", x, -1.0, 1.0);
  const double place = (x + 1) / 2 * static_cast<double>(kCells - window_), whole = std::floor(place);
  std::uint64_t first = static_cast<std::uint64_t>(whole);
  if (bernoulli_sign(bits, 2 * (place - whole) - 1)) first += 1;
  for (;;) {
    const std::uint64_t cell = exact::uniform_below(bits, kCells);
    const bool kept = exact::bernoulli_exp(bits, epsilon_.numerator(), epsilon_.denominator());
    if (kept || cell - first < window_) return value(cell);
  }
}

// A cell at the edge of the window, whose place is rounded, counts as inside.
double Piecewise::log_likelihood(double sampled, double x) const {
  const double first = (x + 1) / 2 * static_cast<double>(kCells - window_);
  const double cell = (sampled - value(0)) / (value(1) - value(0));
  const bool inside = cell > first - 0.5 && cell < first + static_cast<double>(window_) + 0.5;
  return inside ? 0 : -epsilon();
}

// ---- on any range ----

BoundedResponse::BoundedResponse(const Mechanism& mechanism, double low, double high)
    : mechanism_(mechanism),
      middle_(low + (high - low) / 2),
      half_(checked_positive("bounded response", "width of the range", (high - low) / 2)) {}

BoundedResponse BoundedResponse::duchi(double epsilon, double low, double high) {
  return {Duchi::with_epsilon(epsilon), low, high};
}

BoundedResponse BoundedResponse::piecewise(double epsilon, double low, double high) {
  return {Piecewise::with_epsilon(epsilon), low, high};
}

double BoundedResponse::variance(double value) const {
  const double x = (value - middle_) / half_;
  return half_ * half_ * std::visit([&](const auto& kind) { return kind.variance(x); }, mechanism_);
}

// Both variances are a + b x^2: the worst is in the middle or at an end, and the mean of x^2 is 1/3.
double BoundedResponse::worst_variance() const {
  return std::max(variance(middle_), variance(middle_ + half_));
}

double BoundedResponse::average_variance() const {
  return (2 * variance(middle_) + variance(middle_ + half_)) / 3;
}

// The clamp also removes what the rounding of the quotient may add.
double BoundedResponse::sample(double value, RandomBits& bits) const {
  const double x = std::clamp((value - middle_) / half_, -1.0, 1.0);
  return middle_ + half_ * std::visit([&](const auto& kind) { return kind.sample(x, bits); }, mechanism_);
}

double BoundedResponse::log_likelihood(double sampled, double value) const {
  const double x = std::clamp((value - middle_) / half_, -1.0, 1.0), y = (sampled - middle_) / half_;
  return std::visit([&](const auto& kind) { return kind.log_likelihood(y, x); }, mechanism_);
}

void release(std::span<double> values, const BoundedResponse& response, RandomBits& bits) {
  constexpr std::size_t kChunk = 4096;
  for_each_chunk(values.size(), kChunk, bits, [&](std::size_t begin, std::size_t end, RandomBits& stream) {
    for (double& value : values.subspan(begin, end - begin)) value = response.sample(value, stream);
  });
}

}  // namespace tulle
