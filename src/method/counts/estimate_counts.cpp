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
constexpr double kLeastVariance = 1e-12;
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

  std::vector<PosteriorCounts> tables(int most) {
    estimates_[0] = total();
    for (int size = 1; size <= most; ++size) {
      for (ModeSet modes = 1; modes <= all_modes(shape_); ++modes)
        if (std::popcount(modes) == size && (most == shape_.order() || is_observed(modes)))
          estimates_[modes] = estimate(modes);
      for (const NoisyTable& table : tables_)
        if (std::popcount(table.modes) == size) add_to_sums(table);
    }
    return std::move(estimates_);
  }

  Counts run() {
    const ModeSet all = all_modes(shape_);
    estimates_ = tables(shape_.order());
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

  // Whether the estimate of a table was made of all tables that one of more modes is observed by.
  bool has_all_that_tells_of(ModeSet modes, ModeSet fewer) const {
    return std::ranges::all_of(
        tables_, [&](const NoisyTable& table) { return !tells_of(table, modes) || tells_of(table, fewer); });
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
    reconcile(modes, posterior, observed->noise.variance);
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

  // What is known of the sums of a table.
  struct Known {
    ModeSet modes;
    std::vector<double> variances;  // of the sums
    std::vector<double> targets, noise, multipliers;
  };

  // An estimate that was made of other tables too is evidence of its own. One that was made of the same
  // values has the larger variance, but no error that it shares with all cells that it adds up: by how much
  // it differs from their sums beyond that tells how large such errors are, and what it counts (Hausman
  // 1978).
  Known known_sums(ModeSet modes, ModeSet fewer, const PosteriorCounts& posterior,
                   std::span<const double> variances, double noise) const {
    const PosteriorCounts& table = estimates_[fewer];
    Known known{fewer, summed(shape_, variances, modes, fewer), table.means, table.variances,
                std::vector<double>(table.means.size())};
    if (!has_all_that_tells_of(modes, fewer)) return known;
    known.noise.assign(table.means.size(), 0);
    const std::vector<double> sums = summed(shape_, posterior.means, modes, fewer);
    const std::vector<double> of_sums = variances_of_sums(modes, known, posterior, variances, noise);
    double away = 0, more = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      away += (table.means[i] - sums[i]) * (table.means[i] - sums[i]);
      more += table.variances[i] - of_sums[i];
    }
    const double weight = away > 0 ? 1 - std::clamp(more / away, 0.0, 1.0) : 1;
    for (std::size_t i = 0; i < sums.size(); ++i)
      known.targets[i] = sums[i] + weight * (table.means[i] - sums[i]);
    return known;
  }

  // Of sums of cells with the same noise, each shrunk by a share k towards what the table of their sums makes
  // expect: (1-k)^2 of the noise of a cell, k^2 of that of the sum, whose noise is that of its cells.
  std::vector<double> variances_of_sums(ModeSet modes, const Known& known, const PosteriorCounts& posterior,
                                        std::span<const double> variances, double noise) const {
    std::vector<double> own(variances.size()), weighted(variances.size());
    for (std::size_t cell = 0; cell < own.size(); ++cell) {
      own[cell] = variances[cell] * variances[cell] / noise;
      weighted[cell] = posterior.means[cell] * std::min(1.0, variances[cell] / noise);
    }
    const std::vector<double> sums = summed(shape_, posterior.means, modes, known.modes);
    const std::vector<double> kept = summed(shape_, weighted, modes, known.modes);
    std::vector<double> of_sums = summed(shape_, own, modes, known.modes);
    for (std::size_t i = 0; i < of_sums.size(); ++i) {
      const double shrunk = sums[i] > 0 ? 1 - kept[i] / sums[i] : 0;
      of_sums[i] += shrunk * (shrunk * estimates_[known.modes].variances[i] + 2 * known.variances[i]);
    }
    return of_sums;
  }

  // Conditions independent normal cells on the sums that are known, whose errors are taken for independent:
  // steps on their multipliers, the tables of more modes first; what is known of these follows once the sums
  // of fewer modes agree. Posterior means of numbers that are not negative would drift upwards otherwise,
  // from table to table.
  void reconcile(ModeSet modes, PosteriorCounts& posterior, double noise) const {
    constexpr int kRounds = 4;
    std::vector<double> variances = posterior.variances;
    for (double& variance : variances) variance = std::max(variance, kLeastVariance);
    std::vector<Known> known;
    for (int size = 0; size < std::popcount(modes); ++size) {
      std::vector<Known> of_size;
      for (ModeSet fewer = 0; fewer < modes; ++fewer)
        if ((fewer & modes) == fewer && std::popcount(fewer) == size && is_observed(fewer))
          of_size.push_back(known_sums(modes, fewer, posterior, variances, noise));
      known.insert(known.begin(), of_size.begin(), of_size.end());
      const int rounds = size + 1 < std::popcount(modes) ? 1 : kRounds;
      for (int round = 0; round < rounds; ++round)
        for (Known& each : known) condition(modes, each, variances, posterior);
    }
  }

  void condition(ModeSet modes, Known& known, std::span<const double> variances,
                 PosteriorCounts& posterior) const {
    std::vector<double> steps = summed(shape_, posterior.means, modes, known.modes);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const double away = known.targets[i] - steps[i] - known.noise[i] * known.multipliers[i];
      steps[i] = away / (known.variances[i] + known.noise[i] + kLeastVariance);
      known.multipliers[i] += steps[i];
    }
    std::size_t cell = 0;
    for_each_place(shape_, modes, known.modes, [&](std::size_t place) {
      double& mean = posterior.means[cell];
      mean = std::max(mean + variances[cell] * steps[place], kLeastCount);
      ++cell;
    });
  }

  // A table of few cells tells of their sums too, once the cells have been estimated from the sums without
  // it. Otherwise larger tables would be made to agree with sums that know less than the table.
  void add_to_sums(const NoisyTable& table) {
    for (ModeSet fewer = 0; fewer < table.modes; ++fewer) {
      PosteriorCounts& sums = estimates_[fewer];
      if ((fewer & table.modes) != fewer || tells_of(table, fewer) || sums.means.empty()) continue;
      const std::vector<double> own = summed(shape_, table.values, table.modes, fewer);
      for (std::size_t i = 0; i < own.size(); ++i) {
        const double more = weight(table, fewer) * sums.variances[i];
        sums.means[i] = std::max(sums.means[i] + more / (1 + more) * (own[i] - sums.means[i]), kLeastCount);
        sums.variances[i] /= 1 + more;
      }
    }
  }

  Shape shape_;
  std::vector<NoisyTable> tables_;
  bool laplace_;
  std::vector<PosteriorCounts> estimates_;  // by sets of modes
};

CountEstimate estimate_of(const Measurement& measured) {
  const bool laplace = measured.releases.front().noise != "Gaussian";
  return {measured.shape, released_tables(measured), laplace};
}

}  // namespace

Counts estimate_counts(const Measurement& measured) {
  return estimate_of(measured).run();
}

std::vector<PosteriorCounts> estimate_tables(const Measurement& measured, int most) {
  return estimate_of(measured).tables(most);
}

}  // namespace tulle
