#include "recovery.hpp"

#include "trials.hpp"

#include <tulle/base/random.hpp>

#include <algorithm>
#include <cmath>

namespace tulle::attacks {
namespace {

constexpr int kValues = 8;        // that a graded secret may have
constexpr int kRunsPerValue = 6;  // of the attacker, for each value
constexpr int kSecrets = 64;      // runs on secrets unknown to the attacker
constexpr double kMostly = 0.9;   // share of secrets to recover: discrete noise repeats values too
constexpr double kExact = 1e-9;   // relative to the largest value seen: equal except for rounding

// Outputs at one place in the attacker's own runs, for each value of the secret.
class OutputTable {
 public:
  explicit OutputTable(std::vector<std::vector<double>> by_value) : by_value_(std::move(by_value)) {
    for (const auto& seen : by_value_)
      for (double x : seen) scale_ = std::max(scale_, std::abs(x));
  }

  // Each value of the secret gave the same output at least twice, and never an output of another value.
  bool determines_the_value() const {
    for (std::size_t value = 0; value < by_value_.size(); ++value) {
      bool repeats = false;
      const auto& seen = by_value_[value];
      for (std::size_t i = 0; i < seen.size() && !repeats; ++i)
        repeats = std::any_of(seen.begin() + static_cast<std::ptrdiff_t>(i) + 1, seen.end(),
                              [&](double x) { return same(x, seen[i]); });
      if (!repeats) return false;
      for (double x : seen)
        if (value_of(x) != static_cast<int>(value)) return false;
    }
    return true;
  }

  // The value of the secret with this output, or -1 if there is none or more than one.
  int value_of(double x) const {
    int found = -1;
    for (std::size_t value = 0; value < by_value_.size(); ++value)
      if (std::ranges::any_of(by_value_[value], [&](double seen) { return same(seen, x); })) {
        if (found >= 0) return -1;
        found = static_cast<int>(value);
      }
    return found;
  }

 private:
  bool same(double a, double b) const { return std::abs(a - b) <= kExact * scale_; }

  std::vector<std::vector<double>> by_value_;
  double scale_ = 0;
};

std::vector<double> seen_by_all(const Observation& observation) {
  std::vector<double> numbers = observation.output;
  if (numbers.empty()) numbers = observation.releases;
  return numbers;
}

}  // namespace

std::optional<Recovery> recover_values(const Subject& subject, std::uint64_t seed) {
  const int values = subject.graded ? kValues : 2;
  const auto secret = [&](int value) { return static_cast<double>(value) / (values - 1); };
  Random random(seed, 1);
  std::vector<int> secrets(kSecrets);
  for (int& each : secrets) each = static_cast<int>(random.below(static_cast<std::uint64_t>(values)));

  std::vector<std::vector<double>> known_runs(static_cast<std::size_t>(values * kRunsPerValue));
  run_with_bits(known_runs.size(), random.bits(), [&](std::size_t i, RandomBits& bits) {
    known_runs[i] = seen_by_all(subject.run(secret(static_cast<int>(i) / kRunsPerValue), bits));
  });
  std::size_t places = known_runs[0].size();
  for (const auto& numbers : known_runs) places = std::min(places, numbers.size());
  for (std::size_t place = 0; place < places; ++place) {
    std::vector<std::vector<double>> by_value(static_cast<std::size_t>(values));
    for (std::size_t i = 0; i < known_runs.size(); ++i)
      by_value[i / kRunsPerValue].push_back(known_runs[i][place]);
    const OutputTable table(std::move(by_value));
    if (!table.determines_the_value()) continue;
    std::vector<std::uint8_t> right(kSecrets);
    run_with_bits(right.size(), random.bits(), [&](std::size_t i, RandomBits& bits) {
      const auto numbers = seen_by_all(subject.run(secret(secrets[i]), bits));
      right[i] = place < numbers.size() && table.value_of(numbers[place]) == secrets[i];
    });
    const auto recovered = static_cast<int>(std::ranges::count(right, 1));
    if (recovered >= kMostly * kSecrets) return Recovery{kSecrets, recovered, values};
  }
  return std::nullopt;
}

}  // namespace tulle::attacks
