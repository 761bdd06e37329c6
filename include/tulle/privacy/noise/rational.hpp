// Parameters of exact samplers. The caller names the direction in which a double may be rounded.
#pragma once

#include <cstdint>

#pragma GCC visibility push(default)

namespace tulle {

// numerator / denominator > 0, in lowest terms, both at most 2^52.
class Rational {
 public:
  static constexpr std::uint64_t kLimit = std::uint64_t{1} << 52;

  Rational(std::uint64_t numerator, std::uint64_t denominator = 1);  // an Error outside the limits

  // Within a factor 1 +- 2^-39 of the value (from 2^-12 up; below, within 2^-52), and never on the wrong side
  // of it.
  static Rational at_least(double value);  // for scales: rounding adds noise
  static Rational at_most(double value);   // for epsilons: rounding spends less

  std::uint64_t numerator() const { return numerator_; }
  std::uint64_t denominator() const { return denominator_; }
  double value() const { return static_cast<double>(numerator_) / static_cast<double>(denominator_); }

  bool operator==(const Rational& other) const = default;

 private:
  std::uint64_t numerator_;
  std::uint64_t denominator_;
};

}  // namespace tulle

#pragma GCC visibility pop
