#include "published/sgld_noise.hpp"

#include "published/dpd_noise.hpp"

#include <cmath>

namespace tulle {
namespace {

// The thesis gives no value for the constant c2 of Li et al. Its example (S = 50000, T = 10000, G = 1,
// epsilon 0.1, delta 1e-5: eta < 0.103 by theorem 4.1, (3), at t = 1) implies this one. c4 of the fixed step
// is not given either; the same value is used.
constexpr double kLi = 0.953;
constexpr double kPhase = 0.9;  // alpha of (4.27), as in the experiments of 7.2

// Whole batches are clipped: two differ by 2 G.
double composed(double multiplier, const SgldRun& run) {
  return 2 * run.clip * run.first * multiplier;
}

}  // namespace

SgldStep sgld_step(SgldRule rule, const SgldRun& run, int step) {
  const double epsilon = run.budget.epsilon, delta = run.budget.delta, t = step;
  // T passes of S / B batches are `steps` batches in all. The logarithms of appendix C.
  const double wang = std::log(2.5 * run.steps / delta) * std::log(2 / delta);
  switch (rule) {
    case SgldRule::li_decreasing: {  // algorithm 1, line 6, on the left: with S^2, which appendix B lacks
      const double size = run.first / std::cbrt(t);
      return {size, kLi * run.clip * std::cbrt(run.steps) * std::pow(t, 1.0 / 6) *
                        std::sqrt(std::log(1 / delta)) / (epsilon * run.cells) * size};
    }
    case SgldRule::li_fixed: {  // on the right: eta_0 = c4 q sqrt(ln(1/delta)) / epsilon, without sqrt(T)
      const double eta_0 = kLi * run.rate * std::sqrt(std::log(1 / delta)) / epsilon;
      return {run.first, eta_0 * run.clip * run.first / run.rate};
    }
    case SgldRule::wang_noise:  // appendix C: sigma before it is divided by eta n_B
      return {run.first, run.clip * run.first * std::sqrt(256 * run.steps * wang) / epsilon};
    case SgldRule::wang_step: {  // (4.27): the noise is that of SGLD, of variance eta
      const double size = kPhase * epsilon * epsilon / (128 * run.clip * run.clip * wang * t);
      return {size, std::sqrt(size)};
    }
    case SgldRule::advanced:  // (4.26), theorems 4.7 and 4.8
      return {run.first, composed(dpd_noise_ac(run.budget, run.steps, run.rate), run)};
    case SgldRule::zcdp:  // (4.28), (4.29)
      return {run.first, composed(dpd_noise_zcdp(run.budget, run.steps, run.rate), run)};
  }
  return {};
}

}  // namespace tulle
