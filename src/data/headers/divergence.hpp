// Divergences of data x from a model m, each a small value type that inlines into the kernels:
//   value(x, m) = of_data(x, m) + of_model(m), the part that vanishes with x and the part of a zero;
//   derivative(x, m) = push(m) - pull(x, m), of value by m;
//   bend() is the largest second derivative, of those for models of any sign;
//   least() is the smallest model that it is computed for: smaller ones are taken as this large, and factors
//   are 0 or above where it is finite;
//   least_data() and most_data() bound the data that it is defined for.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace tulle {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

struct OfAnySign {
  static constexpr double least() { return -kUnbounded; }
  static constexpr double least_data() { return -kUnbounded; }
  static constexpr double most_data() { return kUnbounded; }
  bool operator==(const OfAnySign&) const = default;
};

// Beta divergences (Ermis 2020, 2.4):
//   d_p(x; m) = x^(2-p) / ((1-p)(2-p)) - x m^(1-p) / (1-p) + m^(2-p) / (2-p),
// the limits being taken at p = 1 and 2. The Euclidean one is defined everywhere, the others for m > 0, and
// for x >= 0, below p = 2, or x > 0, from there on.
struct Euclidean : OfAnySign {
  static constexpr double power() { return 0; }
  static constexpr double bend() { return 1; }
  double pull(double x, double) const { return x; }
  double push(double m) const { return m; }
  double of_data(double x, double m) const { return x * (0.5 * x - m); }
  double of_model(double m) const { return 0.5 * m * m; }
};

// So large that powers of it are finite.
inline constexpr double kLeastModel = 1e-60;

struct OfPositiveModels {
  static constexpr double least() { return kLeastModel; }
  static constexpr double bend() { return kUnbounded; }
  static constexpr double most_data() { return kUnbounded; }
  bool operator==(const OfPositiveModels&) const = default;
};

struct KullbackLeibler : OfPositiveModels {
  static constexpr double power() { return 1; }
  static constexpr double least_data() { return 0; }
  double pull(double x, double m) const { return x / m; }
  double push(double) const { return 1; }
  double of_data(double x, double m) const { return x > 0 ? x * (std::log(x / m) - 1) : 0; }
  double of_model(double m) const { return m; }
};

struct ItakuraSaito : OfPositiveModels {
  static constexpr double power() { return 2; }
  static constexpr double least_data() { return std::numeric_limits<float>::denorm_min(); }
  double pull(double x, double m) const { return x / (m * m); }
  double push(double m) const { return 1 / m; }
  double of_data(double x, double m) const { return x / m - std::log(x) - 1; }
  double of_model(double m) const { return std::log(m); }
};

// Any other p.
struct BetaDivergence : OfPositiveModels {
  double p = 1.5;

  explicit BetaDivergence(double its_p) : p(its_p) {}
  double power() const { return p; }
  double least_data() const { return p < 2 ? 0 : ItakuraSaito::least_data(); }
  double pull(double x, double m) const { return x * std::pow(m, -p); }
  double push(double m) const { return std::pow(m, 1 - p); }
  double of_data(double x, double m) const {
    const double constant = x > 0 ? std::pow(x, 2 - p) / ((1 - p) * (2 - p)) : 0;
    return constant - x * std::pow(m, 1 - p) / (1 - p);
  }
  double of_model(double m) const { return std::pow(m, 2 - p) / (2 - p); }
  bool operator==(const BetaDivergence&) const = default;
};

// Minus the log-likelihood of data of 0 and 1 whose log odds are m (logistic regression).
struct Bernoulli : OfAnySign {
  static constexpr double bend() { return 0.25; }
  static constexpr double least_data() { return 0; }
  static constexpr double most_data() { return 1; }
  static double probability(double m) { return 1 / (1 + std::exp(-m)); }
  double pull(double x, double) const { return x; }
  double push(double m) const { return probability(m); }
  double of_data(double x, double m) const { return -x * m; }
  double of_model(double m) const { return std::max(m, 0.0) + std::log1p(std::exp(-std::abs(m))); }
};

// Half the squared error up to 1 and the absolute error beyond, less 1/2: outliers count less (Huber 1964).
struct Huber : OfAnySign {
  static constexpr double bend() { return 1; }
  static double slope(double error) { return error < -1 ? -1 : error > 1 ? 1 : error; }
  static double loss(double error) { return slope(error) * (error - 0.5 * slope(error)); }
  double pull(double x, double m) const { return slope(m) - slope(m - x); }
  double push(double m) const { return slope(m); }
  double of_data(double x, double m) const { return loss(m - x) - loss(m); }
  double of_model(double m) const { return loss(m); }
};

using Divergence = std::variant<KullbackLeibler, Euclidean, ItakuraSaito, BetaDivergence, Bernoulli, Huber>;

template <class Type>
bool is(const Divergence& divergence) {
  return std::holds_alternative<Type>(divergence);
}

template <class Type>
double value(const Type& divergence, double x, double m) {
  return divergence.of_data(x, m) + divergence.of_model(m);
}

template <class Type>
double derivative(const Type& divergence, double x, double m) {
  return divergence.push(m) - divergence.pull(x, m);
}

Divergence beta_divergence(double power);
// The power of a beta divergence; none: it is another one.
std::optional<double> power_of(const Divergence& divergence);
bool needs_positive_models(const Divergence& divergence);

// By its name, or as p of a beta divergence, from 0 to 3; a UsageError otherwise.
Divergence divergence_of(std::string_view text);
std::string divergence_name(const Divergence& divergence);  // "kl", "p = 1.5"

}  // namespace tulle
