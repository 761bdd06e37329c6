#include "tilted.hpp"

#include "constants.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tulle::account {
namespace {

// Computes mass e^(theta loss) divided by its sum; returns ln of the sum.
double tilt(const GridLoss& loss, double slope, std::vector<double>& mass) {
  const auto exponent = [&](std::size_t i) { return slope * static_cast<double>(loss.index[i]); };
  // A rough maximum of ln mass + theta loss keeps the values in range; the cap at e^650 applies only to
  // masses that have underflowed.
  const std::size_t size = loss.mass.size();
  double largest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < size; i += i + 16 < size ? 16 : 1)
    largest = std::max(largest, std::log(loss.mass[i]) + exponent(i));
  mass.resize(size);
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i)
    sum += mass[i] = loss.mass[i] * std::exp(std::min(650.0, exponent(i) - largest));
  for (double& x : mass) x /= sum;
  return largest + std::log(sum);
}

}  // namespace

TiltedLosses::TiltedLosses(const std::vector<Release>& releases, Direction direction, const Plan& plan)
    : theta(plan.theta), width(plan.width), upper_shift_(plan.upper_shift) {
  double log_survive = 0;
  std::vector<double> scratch;
  for (std::size_t part = 0; part < releases.size(); ++part) {
    const Release& release = releases[part];
    GridLoss loss = discretise(release.pair, direction, width, plan.tail, plan.strides[part]);
    TiltedLoss tilted{{}, {}, release.count};
    count += release.count;
    log_scale += release.count * tilt(loss, theta * width, tilted.mass);
    log_above_ += release.count * tilt(loss, (theta + upper_shift_) * width, scratch);
    log_survive += release.count * std::log1p(-std::min(loss.infinite, 1.0));
    const double first = static_cast<double>(loss.index.front()),
                 last = static_cast<double>(loss.index.back());
    greatest_ += release.count * last;
    // Rounding of e^(theta loss), and the errors of the masses.
    const double exponent = theta * width * std::max(std::abs(first), std::abs(last));
    growth += release.count * (kMassError + 8 * kUnit * (exponent + 8));
    tilted.index = std::move(loss.index);
    parts.push_back(std::move(tilted));
  }
  infinite = -std::expm1(log_survive);
}

double TiltedLosses::above(double top, double index) const {
  if (greatest_ < index) return 0;
  return std::exp(std::min({0.0, log_scale - theta * top, log_above_ - (theta + upper_shift_) * top}));
}

}  // namespace tulle::account
