#include "dpd_noise.hpp"

#include <cmath>

namespace tulle {
namespace {

// The positive root of a x^2 + b x = c.
double positive_root(double a, double b, double c) {
  return (-b + std::sqrt(b * b + 4 * a * c)) / (2 * a);
}

// The Gaussian mechanism on a sample, given what a step may cost with amplification by sampling.
double noise_of_step(double amplified_epsilon, double delta_of_step, double rate) {
  const double epsilon = std::log(std::expm1(amplified_epsilon) / rate + 1);
  return std::sqrt(2 * std::log(1.25 / delta_of_step)) / epsilon;
}

}  // namespace

double dpd_noise_ac(const Budget& budget, double steps, double rate) {
  const double half = budget.delta / 2;
  const double root = positive_root(2 * steps, std::sqrt(2 * steps * std::log(1 / half)), budget.epsilon);
  return noise_of_step(root, half / (steps * rate), rate);
}

double dpd_noise_zcdp(const Budget& budget, double steps, double rate) {
  const double of_step = budget.delta / 2 / (steps * rate);
  const double log_of_step = std::log(1.25 / (rate * of_step));
  const double root = positive_root(
      steps / (4 * log_of_step), std::sqrt(steps * std::log(1 / budget.delta) / log_of_step), budget.epsilon);
  return noise_of_step(root, of_step, rate);
}

}  // namespace tulle
