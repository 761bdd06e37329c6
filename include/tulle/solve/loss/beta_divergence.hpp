// Beta divergences of data x from a model m (Ermis 2020, 2.4):
//   d_p(x; m) = x^(2-p) / ((1-p)(2-p)) - x m^(1-p) / (1-p) + m^(2-p) / (2-p),
// the limits being taken at p = 1 and 2. Each is a small value type that inlines into the kernels:
//   value(x, m) = of_data(x, m) + of_model(m), the part that vanishes with x and the part of a zero;
//   derivative(x, m) = push(m) - pull(x, m), of value by m;
//   least() is the smallest model that it is computed for; smaller ones are taken as this large.
// The Euclidean one is defined everywhere, the others for m > 0, and for x >= 0, below p = 2, or x > 0, from
// there on.
#pragma once

#include <cmath>
#include <limits>

namespace tulle {

// So large that powers of it are finite.
inline constexpr double kLeastModel = 1e-60;

struct Euclidean {
  double power() const { return 0; }
  static constexpr double least() { return -std::numeric_limits<double>::infinity(); }
  double pull(double x, double) const { return x; }
  double push(double m) const { return m; }
  double of_data(double x, double m) const { return x * (0.5 * x - m); }
  double of_model(double m) const { return 0.5 * m * m; }
};

struct KullbackLeibler {
  double power() const { return 1; }
  static constexpr double least() { return kLeastModel; }
  double pull(double x, double m) const { return x / m; }
  double push(double) const { return 1; }
  double of_data(double x, double m) const { return x > 0 ? x * (std::log(x / m) - 1) : 0; }
  double of_model(double m) const { return m; }
};

struct ItakuraSaito {
  double power() const { return 2; }
  static constexpr double least() { return kLeastModel; }
  double pull(double x, double m) const { return x / (m * m); }
  double push(double m) const { return 1 / m; }
  double of_data(double x, double m) const { return x / m - std::log(x) - 1; }
  double of_model(double m) const { return std::log(m); }
};

// Any other p.
struct BetaDivergence {
  double p;

  double power() const { return p; }
  static constexpr double least() { return kLeastModel; }
  double pull(double x, double m) const { return x * std::pow(m, -p); }
  double push(double m) const { return std::pow(m, 1 - p); }
  double of_data(double x, double m) const {
    const double constant = x > 0 ? std::pow(x, 2 - p) / ((1 - p) * (2 - p)) : 0;
    return constant - x * std::pow(m, 1 - p) / (1 - p);
  }
  double of_model(double m) const { return std::pow(m, 2 - p) / (2 - p); }
};

template <class Divergence>
double value(const Divergence& divergence, double x, double m) {
  return divergence.of_data(x, m) + divergence.of_model(m);
}

template <class Divergence>
double derivative(const Divergence& divergence, double x, double m) {
  return divergence.push(m) - divergence.pull(x, m);
}

// Calls use(divergence) with the type for p.
template <class Use>
auto with_divergence(double power, Use&& use) {
  if (power == 0) return use(Euclidean{});
  if (power == 1) return use(KullbackLeibler{});
  if (power == 2) return use(ItakuraSaito{});
  return use(BetaDivergence{power});
}

}  // namespace tulle
