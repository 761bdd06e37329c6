// A table with noise variance v shows the interaction of a set A of its modes with variance
// v (cells of the table) / (cells of A) in a cell of the table by A, and the precisions of tables add up. The
// error variance of a value of table Q is the sum over A in Q of
//   (cells of A) d(A) / (cells of Q)^2 c(A),   c(A) = P / (1 + p P),
// with d(A) directions of the interaction, its precision p, and its variance P before anything is released.
#include "table_shares.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle {
namespace {

// With more modes than these, tables are of one mode, of two, and of all.
constexpr int kMostModesForAllTables = 5;
constexpr int kSteps = 200;
constexpr double kLeastShare = 0.01;  // smaller ones are dropped
// Of single cells, of which no other table tells where the prior is wrong. Chosen on synthetic counts of all
// sizes and shapes.
constexpr double kShareOfCells = 0.25;
// Interactions vary by this times the square of what is expected, one as likely as the other.
constexpr std::array kInteractions = {0.03, 0.1, 0.3, 1.0, 3.0};
// How much worse than those of a histogram cells may get: the weight of their logarithm then, and how sharply
// it sets in.
constexpr double kWeightOfLoss = 5, kSharpness = 0.02;
constexpr double kKnownNothing = 1e30;  // variance
constexpr double kMostExponent = 40;

using BySet = std::vector<double>;

template <class Visit>
void for_each_subset(ModeSet modes, const Visit& visit) {
  for (ModeSet set = modes;; set = (set - 1) & modes) {
    visit(set);
    if (set == 0) return;
  }
}

class ShareDesign {
 public:
  ShareDesign(const Shape& shape, const NoiseOfShares& noise, std::optional<double> events)
      : shape_(shape), noise_(noise) {
    const ModeSet all = all_modes(shape_);
    for (ModeSet set = 0; set <= all; ++set) {
      cells_.push_back(table_cells(shape_, set));
      double directions = 1;
      for (int mode = 0; mode < shape_.order(); ++mode)
        if (has(set, mode)) directions *= shape_[mode] - 1.0;
      directions_.push_back(directions);
      const bool few = std::popcount(set) <= 2 || shape_.order() <= kMostModesForAllTables;
      if (set == all || (set != 0 && few && !has_mode_of_one(set))) tables_.push_back(set);
    }
    weigh_tables();
    if (events) most_ = error_of_histogram(*events / cells_.back());
    priors_ = priors_of(events);
    shares_.assign(tables_.size(), 1.0 / static_cast<double>(tables_.size()));
  }

  // The multiplicative algorithm of optimal design: a share grows with how much the criterion gains by it.
  void improve() {
    constexpr double kFloor = 1e-12;
    for (int step = 0; step < kSteps; ++step) {
      const std::vector<double> gains = gains_of_shares();
      const double largest = *std::ranges::max_element(gains);
      double sum = 0;
      for (std::size_t t = 0; t < tables_.size(); ++t)
        sum += shares_[t] = shares_[t] * std::sqrt(std::max(gains[t] / largest, 1e-30)) + kFloor;
      for (double& share : shares_) share /= sum;
    }
  }

  double criterion() const { return criterion(priors_, 0, 0); }

  double criterion(const LogOfRows& log) const {
    return criterion(priors_of(log.rows), log.rows, log.lost / log.rows);
  }

  std::vector<TableShare> shares() const {
    std::vector<double> shares = shares_;
    for (double& share : shares) share *= 1 - kShareOfCells;
    shares.back() += kShareOfCells;
    std::vector<TableShare> kept;
    double sum = 0;
    for (std::size_t t = 0; t < tables_.size(); ++t)
      if (shares[t] >= kLeastShare) {
        kept.push_back({tables_[t], shares[t]});
        sum += shares[t];
      }
    for (TableShare& table : kept) table.share /= sum;
    return kept;
  }

 private:
  // Such a table has the cells of a smaller one.
  bool has_mode_of_one(ModeSet set) const {
    for (int mode = 0; mode < shape_.order(); ++mode)
      if (has(set, mode) && shape_[mode] == 1) return true;
    return false;
  }

  void weigh_tables() {
    std::vector<double> of_size(static_cast<std::size_t>(shape_.order()) + 1);
    for (const ModeSet table : tables_) ++of_size[static_cast<std::size_t>(std::popcount(table))];
    for (const ModeSet table : tables_)
      weights_.push_back(1 / of_size[static_cast<std::size_t>(std::popcount(table))]);
    const double sum = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    for (double& weight : weights_) weight /= sum;
  }

  // Around m events in a cell an interaction has the variance of Poisson counts and what it makes of m
  // itself.
  std::vector<BySet> priors_of(std::optional<double> events) const {
    if (!events) return {BySet(cells_.size(), kKnownNothing)};
    std::vector<BySet> priors;
    for (const double interaction : kInteractions) {
      BySet& prior = priors.emplace_back();
      for (const double cells : cells_) {
        const double mean = *events / cells;
        prior.push_back(mean + interaction * mean * mean);
      }
      prior.front() = kKnownNothing;
    }
    return priors;
  }

  // Of `events` a share is lost.
  double criterion(const std::vector<BySet>& priors, double events, double lost) const {
    const BySet precisions = precisions_of_interactions();
    double sum = 0;
    for (const BySet& prior : priors)
      for (std::size_t t = 0; t < tables_.size(); ++t)
        sum += weights_[t] * std::log(error(tables_[t], prior, precisions) +
                                      lost * lost * mean_square(tables_[t], prior, events));
    return sum / static_cast<double>(priors.size());
  }

  // Of the counts of a table.
  double mean_square(ModeSet table, const BySet& prior, double events) const {
    double sum = events * events / (cells_[table] * cells_[table]);
    for_each_subset(table, [&](ModeSet set) {
      if (set != 0) sum += weight_of(set, table) * prior[set];
    });
    return sum;
  }

  // Of counts that are drawn from an exponential distribution of this mean, with Laplace noise of scale b
  // that is cut off at 0: 2 b^2 - exp(-n/b) (n b + b^2) at a count of n.
  double error_of_histogram(double mean) const {
    const double b = 1 / noise_.whole, rate = 1 / mean + 1 / b;
    return 2 * b * b - (b / (rate * rate) + b * b / rate) / mean;
  }

  BySet precisions_of_interactions() const {
    BySet precisions(cells_.size());
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      const double precision = noise_.precision(shares_[t]) / cells_[tables_[t]];
      for_each_subset(tables_[t], [&](ModeSet set) { precisions[set] += precision * cells_[set]; });
    }
    return precisions;
  }

  double weight_of(ModeSet set, ModeSet table) const {
    return cells_[set] * directions_[set] / (cells_[table] * cells_[table]);
  }

  double error(ModeSet table, const BySet& prior, const BySet& precisions) const {
    double sum = 0;
    for_each_subset(table, [&](ModeSet set) {
      sum += weight_of(set, table) * prior[set] / (1 + precisions[set] * prior[set]);
    });
    return sum;
  }

  // What more precision of each interaction takes off the criterion.
  BySet gains_of_interactions() const {
    const BySet precisions = precisions_of_interactions();
    BySet gains(cells_.size());
    for (const BySet& prior : priors_)
      for (std::size_t t = 0; t < tables_.size(); ++t) {
        const double now = error(tables_[t], prior, precisions);
        double weight = weights_[t];
        if (t + 1 == tables_.size() && most_) weight += weight_of_loss(now);
        for_each_subset(tables_[t], [&](ModeSet set) {
          const double left = prior[set] / (1 + precisions[set] * prior[set]);
          gains[set] += weight / now * weight_of(set, tables_[t]) * left * left;
        });
      }
    return gains;
  }

  double weight_of_loss(double error_of_cells) const {
    return kWeightOfLoss / (1 + std::exp(-std::log(error_of_cells / *most_) / kSharpness));
  }

  std::vector<double> gains_of_shares() const {
    const BySet by_set = gains_of_interactions();
    std::vector<double> gains(tables_.size());
    for (std::size_t t = 0; t < tables_.size(); ++t) {
      const double slope = noise_.slope(shares_[t]) / cells_[tables_[t]];
      for_each_subset(tables_[t], [&](ModeSet set) { gains[t] += by_set[set] * slope * cells_[set]; });
    }
    return gains;
  }

  Shape shape_;
  NoiseOfShares noise_;
  BySet cells_, directions_;
  std::vector<ModeSet> tables_;  // in ascending order; the last is of all modes
  std::vector<double> weights_, shares_;
  std::vector<BySet> priors_;
  std::optional<double> most_;  // error of cells that is to be kept
};

}  // namespace

// Discrete Laplace noise of parameter e has variance 1 / (cosh(e) - 1).
double NoiseOfShares::precision(double share) const {
  if (loss == Loss::gaussian) return share * whole * whole;
  return std::cosh(std::min(share * whole, kMostExponent)) - 1 + 1e-18;
}

double NoiseOfShares::slope(double share) const {
  if (loss == Loss::gaussian) return whole * whole;
  return whole * std::sinh(std::min(share * whole, kMostExponent));
}

NoiseOfShares noise_of_shares(const CountRequest& request, Loss loss, double planned) {
  const AdditiveNoise noise = table_noise(request, all_modes(request.shape), loss, planned);
  const Norm norm = loss == Loss::gaussian ? Norm::l2 : Norm::l1;
  const double change = noise.sensitivity().in(norm).value();
  return {loss, loss == Loss::gaussian ? 1 / (planned * change) : planned / change};
}

TableDesign design_tables(const CountRequest& request, const NoiseOfShares& noise,
                          std::optional<double> events) {
  ShareDesign design(request.shape, noise, events);
  design.improve();
  return {design.shares(), design.criterion()};
}

// One design for all logs, of about as many events.
double expected_error(const Shape& shape, const NoiseOfShares& noise, std::span<const LogOfRows> logs) {
  double magnitude = 0, error = 0;
  for (const LogOfRows& log : logs) magnitude += log.weight * std::log(log.rows);
  ShareDesign design(shape, noise, std::exp(magnitude));
  design.improve();
  for (const LogOfRows& log : logs) error += log.weight * design.criterion(log);
  return error;
}

}  // namespace tulle
