#include "estimate_counts.hpp"

#include "deconvolution.hpp"
#include "maximum_entropy.hpp"
#include "table_sums.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace tulle {
namespace {

// Sums of a table tell of one with fewer modes if each adds up so many cells. Otherwise the same noise would
// count twice.
constexpr double kCellsPerSum = 8;
constexpr double kLeastCount = 1e-9;  // of what is expected: no product of it is 0

// What tables say of the values of one, each with its precision.
struct Observation {
  std::vector<double> values;
  NoiseLaw noise;
};

class CountEstimate {
 public:
  CountEstimate(const Shape& shape, std::vector<NoisyTable> tables, bool laplace)
      : shape_(shape), tables_(std::move(tables)), laplace_(laplace), estimates_(all_modes(shape) + 1) {}

  Counts run() {
    const ModeSet all = all_modes(shape_);
    estimates_[0] = total();
    for (int size = 1; size <= shape_.order(); ++size)
      for (ModeSet modes = 1; modes <= all; ++modes)
        if (std::popcount(modes) == size) estimates_[modes] = estimate(modes);
    for (ModeSet modes = 0; modes < all; ++modes) add_finer_tables(modes);
    for (double& cell : estimates_[all].means)
      if (cell <= kLeastCount) cell = 0;
    Counts counts{DenseTensor(shape_, std::move(estimates_[all].means)), {}};
    for (PosteriorCounts& table : estimates_) counts.variances.push_back(std::move(table.variances));
    return counts;
  }

 private:
  // How many cells of a table a value of another one adds up.
  double ratio(ModeSet modes, ModeSet fewer) const {
    return table_cells(shape_, modes) / table_cells(shape_, fewer);
  }

  bool tells_of(const NoisyTable& table, ModeSet modes) const {
    return (table.modes & modes) == modes &&
           (table.modes == modes || ratio(table.modes, modes) >= kCellsPerSum);
  }

  // Otherwise it was made of tables of fewer modes alone.
  bool is_observed(ModeSet modes) const {
    return modes == 0 ||
           std::ranges::any_of(tables_, [&](const NoisyTable& table) { return tells_of(table, modes); });
  }

  double weight(const NoisyTable& table, ModeSet modes) const {
    return 1 / (table.variance * ratio(table.modes, modes));
  }

  // The posterior mean of a positive number.
  PosteriorCounts total() const {
    const bool any =
        std::ranges::any_of(tables_, [&](const NoisyTable& table) { return tells_of(table, 0); });
    double sum = 0, precision = 0;
    for (const NoisyTable& table : tables_) {
      if (any && !tells_of(table, 0)) continue;
      precision += weight(table, 0);
      sum += weight(table, 0) * summed(shape_, table.values, table.modes, 0).front();
    }
    const double stddev = 1 / std::sqrt(precision), z = sum / precision / stddev;
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    const double above = std::erfc(-z / std::numbers::sqrt2) / 2;
    const double mean = z < -30 ? stddev / -z : stddev * (z + density / above);
    return {{mean}, {1 / precision}};
  }

  PosteriorCounts estimate(ModeSet modes) const {
    std::vector<double> expected = expected_table(modes);
    const std::optional<Observation> observed = observation(modes);
    if (!observed) return not_observed(std::move(expected));
    PosteriorCounts posterior = posterior_of_counts(expected, observed->values, observed->noise);
    reconcile(modes, posterior);
    for (double& count : posterior.means) count = std::max(count, kLeastCount);
    return posterior;
  }

  // As far from what is expected as that is large.
  static PosteriorCounts not_observed(std::vector<double> expected) {
    PosteriorCounts posterior{std::move(expected), {}};
    for (const double count : posterior.means) posterior.variances.push_back(count + count * count);
    return posterior;
  }

  std::vector<double> expected_table(ModeSet modes) const {
    std::vector<TableOfSums> parents;
    for (int mode = 0; mode < shape_.order(); ++mode)
      if (has(modes, mode)) {
        const ModeSet fewer = modes & ~(ModeSet{1} << mode);
        parents.push_back({fewer, estimates_[fewer].means});
      }
    std::vector<double> expected = maximum_entropy(shape_, modes, parents);
    for (double& count : expected) count = std::max(count, kLeastCount);
    return expected;
  }

  std::optional<Observation> observation(ModeSet modes) const {
    constexpr double kAlone = 0.95, kMostly = 0.8;
    double precision = 0, direct = 0;
    for (const NoisyTable& table : tables_) {
      if (!tells_of(table, modes)) continue;
      precision += weight(table, modes);
      if (table.modes == modes) direct += weight(table, modes);
    }
    if (precision == 0) return std::nullopt;
    const bool alone = direct > kAlone * precision;
    if (alone) precision = direct;
    Observation observed{std::vector<double>(static_cast<std::size_t>(table_cells(shape_, modes))),
                         {1 / precision, laplace_ && direct > kMostly * precision}};
    for (const NoisyTable& table : tables_) {
      if (!tells_of(table, modes) || (alone && table.modes != modes)) continue;
      const std::vector<double> sums = summed(shape_, table.values, table.modes, modes);
      for (std::size_t i = 0; i < sums.size(); ++i)
        observed.values[i] += weight(table, modes) / precision * sums[i];
    }
    return observed;
  }

  // Conditions independent normal cells on the observed tables of fewer modes, whose errors are taken
  // for independent: steps on their multipliers, the tables of more modes first. Posterior means of numbers
  // that are not negative would drift upwards otherwise, from table to table.
  void reconcile(ModeSet modes, PosteriorCounts& posterior) const {
    constexpr int kRounds = 4;
    constexpr double kLeastVariance = 1e-12;
    std::vector<double> variances = posterior.variances;
    for (double& variance : variances) variance = std::max(variance, kLeastVariance);
    struct Known {
      ModeSet modes;
      std::vector<double> variances, multipliers;
    };
    std::vector<Known> known;
    for (int size = shape_.order() - 1; size >= 0; --size)
      for (ModeSet fewer = 0; fewer < modes; ++fewer)
        if ((fewer & modes) == fewer && std::popcount(fewer) == size && is_observed(fewer)) {
          known.push_back({fewer, summed(shape_, variances, modes, fewer), {}});
          known.back().multipliers.resize(known.back().variances.size());
        }
    for (int round = 0; round < kRounds; ++round)
      for (Known& each : known) {
        const PosteriorCounts& table = estimates_[each.modes];
        std::vector<double> steps = summed(shape_, posterior.means, modes, each.modes);
        for (std::size_t i = 0; i < steps.size(); ++i) {
          const double away = table.means[i] - steps[i] - table.variances[i] * each.multipliers[i];
          steps[i] = away / (each.variances[i] + table.variances[i] + kLeastVariance);
          each.multipliers[i] += steps[i];
        }
        std::size_t cell = 0;
        for_each_place(shape_, modes, each.modes, [&](std::size_t place) {
          posterior.means[cell] += variances[cell] * steps[place];
          ++cell;
        });
      }
  }

  // Tables whose sums were not observed tell of the errors all the same: estimates agree with them.
  void add_finer_tables(ModeSet modes) {
    double precision = 0;
    for (const NoisyTable& table : tables_)
      if ((table.modes & modes) == modes && !tells_of(table, modes)) precision += weight(table, modes);
    for (double& variance : estimates_[modes].variances) variance /= 1 + precision * variance;
  }

  Shape shape_;
  std::vector<NoisyTable> tables_;
  bool laplace_;
  std::vector<PosteriorCounts> estimates_;  // by sets of modes
};

}  // namespace

Counts estimate_counts(const Measurement& measured) {
  const bool laplace = measured.releases.front().noise != "Gaussian";
  return CountEstimate(measured.shape, released_tables(measured), laplace).run();
}

}  // namespace tulle
