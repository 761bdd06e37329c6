#include "composed.hpp"
#include "constants.hpp"
#include "fourier.hpp"
#include "search.hpp"
#include "walk.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>

namespace tulle::account {
namespace {

std::size_t modulo(std::int64_t index, std::size_t size) {
  return static_cast<std::size_t>(index) & (size - 1);  // a power of two; two's complement does the rest
}

// Losses outside the window re-enter at its other side.
std::vector<double> folded(const TiltedLoss& loss, std::size_t size) {
  std::vector<double> result(size, 0.0);
  for (std::size_t i = 0; i < loss.mass.size(); ++i) result[modulo(loss.index[i], size)] += loss.mass[i];
  return result;
}

// The transform of the sum of all losses: the product of powers p_e^count_e, kept as logarithm and angle. If
// each p_e is off by at most error_e, the product is off by at most (sum of count_e error_e / b_e) prod of
// b_e^count_e, b_e = |p_e| + error_e.
class TransformOfSum {
 public:
  explicit TransformOfSum(std::size_t size)
      : fourier_(size),
        log_size_(size / 2 + 1, 0.0),
        angle_(log_size_),
        log_bound_(log_size_),
        share_(log_size_) {}

  void multiply(const TiltedLoss& loss);

  // Its inverse transform, and a bound on the 2-norm of its rounding error. `count`: of all releases.
  struct Inverse {
    std::vector<double> mass;
    double error;
  };
  Inverse inverse(double count);

 private:
  static constexpr double kNegligible = -100;  // ln of products that count as 0

  RealFourier fourier_;
  std::vector<double> log_size_, angle_, log_bound_, share_;  // per frequency
  // The error_e bound 2-norms over all frequencies. If no b_e is above 1 + error_e, the 2-norm of the
  // product's error is also at most the sum of count_e error_e, times (1 + error_e)^count_e.
  double norm_bound_ = 0;
};

void TransformOfSum::multiply(const TiltedLoss& loss) {
  const std::vector<double> mass = folded(loss, fourier_.size());
  double square = 0;
  for (double x : mass) square += x * x;
  const double error = fourier_.rounding() * std::sqrt(square * static_cast<double>(fourier_.size()));
  norm_bound_ += loss.count * error;
  const std::vector<std::complex<double>> transform = fourier_.forward(mass);
  const double least = std::max(0.0, std::exp(kNegligible / loss.count) - error);
  for (std::size_t k = 0; k < transform.size(); ++k) {
    const double norm = std::norm(transform[k]);
    if (norm < least * least) log_bound_[k] = -kInfinity;
    if (log_bound_[k] < kNegligible) continue;
    const double bound = std::sqrt(norm) + error;
    log_bound_[k] += loss.count * std::log(bound);
    share_[k] += loss.count * error / bound;
    log_size_[k] += loss.count * 0.5 * std::log(norm);
    angle_[k] += loss.count * std::arg(transform[k]);
  }
}

TransformOfSum::Inverse TransformOfSum::inverse(double count) {
  const std::size_t frequencies = log_size_.size();
  std::vector<std::complex<double>> product(frequencies);
  double product_square = 0, error_square = 0;
  for (std::size_t k = 0; k < frequencies; ++k) {
    const double twins = k == 0 || k + 1 == frequencies ? 1 : 2;
    if (log_bound_[k] < kNegligible) {
      error_square += twins * std::exp(2 * kNegligible) * (1 + count) * (1 + count);
      continue;
    }
    product[k] = std::polar(std::exp(log_size_[k]), angle_[k]);
    const double error = share_[k] * std::exp(log_bound_[k]);
    product_square += twins * std::norm(product[k]);
    error_square += twins * error * error;
  }
  // Logarithms and angles are good to a few units times the counts; the transform back, to its own bound.
  const double relative = fourier_.rounding() + 16 * kUnit * (count + 16);
  const double product_error = std::min(std::sqrt(error_square), norm_bound_ * std::exp(norm_bound_));
  return {fourier_.inverse(product), (product_error + relative * std::sqrt(product_square)) /
                                         std::sqrt(static_cast<double>(fourier_.size()))};
}

class Window : public Composed {
 public:
  Window(const TiltedLosses& losses, const Plan& plan);

  double delta_upper(double epsilon) const override;
  double epsilon_upper(double delta) const override;
  double slack(double epsilon) const override {
    return rounding_ * std::exp(log_scale_ - theta_ * epsilon) + fixed_;
  }

 private:
  double loss_at(std::size_t i) const {
    return static_cast<double>(first_ + static_cast<std::int64_t>(i)) * width_;
  }

  // Walks down the window until stop(loss, delta), then returns result(loss, walk); `never` at the end of the
  // window.
  template <class Stop, class Result>
  double walk_window(double never, const Stop& stop, const Result& result) const;

  double theta_, width_, log_scale_, growth_;
  double rounding_ = 0;  // of the transforms: error of delta at l, over e^(log_scale - theta l)
  double fixed_ = 0;     // probability of infinite losses and of losses above the window
  std::int64_t first_;
  std::vector<double> mass_;  // tilted
};

Window::Window(const TiltedLosses& losses, const Plan& plan)
    : theta_(losses.theta), width_(losses.width), log_scale_(losses.log_scale), growth_(losses.growth) {
  const std::size_t size = plan.size;
  first_ = static_cast<std::int64_t>(std::floor(plan.centre / width_)) - static_cast<std::int64_t>(size / 2);
  TransformOfSum transform(size);
  for (const TiltedLoss& loss : losses.parts) transform.multiply(loss);
  TransformOfSum::Inverse inverse = transform.inverse(losses.count);
  mass_ = std::move(inverse.mass);
  // delta weighs the tilted mass at epsilon + d by e^(-theta d) (1 - e^-d): the 2-norm of these weights.
  const double weights =
      std::min(static_cast<double>(size),
               1 / (theta_ * (2 * theta_ + 1) * (2 * theta_ + 2) * width_) + 1 / (1 + theta_) / (1 + theta_));
  rounding_ = inverse.error * std::sqrt(weights);

  // Position i of the window holds the loss of index first_ + i.
  std::rotate(mass_.begin(), mass_.begin() + static_cast<std::ptrdiff_t>(modulo(first_, size)), mass_.end());
  fixed_ =
      losses.infinite + losses.above(loss_at(size), static_cast<double>(first_) + static_cast<double>(size));
  // After an overflow nothing is known.
  if (!std::isfinite(log_scale_ + growth_ + rounding_)) {
    log_scale_ = growth_ = rounding_ = 0;
    fixed_ = kInfinity;
  }
}

template <class Stop, class Result>
double Window::walk_window(double never, const Stop& stop, const Result& result) const {
  DeltaWalk walk(width_);
  const double log_growth = growth_ + log_scale_;
  for (std::size_t i = mass_.size(); i-- > 0;) {
    const double loss = loss_at(i);
    if (stop(loss, walk.delta())) return result(loss, walk);
    walk.step_down(std::max(0.0, mass_[i]) * std::exp(log_growth - theta_ * loss));
  }
  return never;
}

double Window::delta_upper(double epsilon) const {
  const double delta = walk_window(
      1, [&](double loss, double) { return loss <= epsilon; },
      [&](double loss, const DeltaWalk& walk) {
        return walk.delta_higher(std::min(width_, epsilon - loss));
      });
  return std::min(1.0, delta + slack(epsilon));
}

double Window::epsilon_upper(double delta) const {
  if (slack(loss_at(mass_.size())) >= delta) return kInfinity;
  return walk_window(
      -kInfinity, [&](double loss, double here) { return here + slack(loss) > delta; },
      [&](double loss, const DeltaWalk& walk) {
        const auto holds = [&](double by) { return walk.delta_higher(by) + slack(loss + by) <= delta; };
        return loss + last_place(width_, 0, 1e-12, holds);
      });
}

}  // namespace

std::unique_ptr<Composed> compose_window(const std::vector<Release>& releases, Direction direction,
                                         const Plan& plan) {
  return std::make_unique<Window>(TiltedLosses(releases, direction, plan), plan);
}

}  // namespace tulle::account
