#include "release_design.hpp"

#include <tulle/base/random.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace tulle {
namespace {

constexpr int kDraws = 100, kSweeps = 60;
constexpr double kSteps[] = {1.5, 0.5, 0.15};  // of a random walk, in logarithms
constexpr double kMisfit = 0.1;  // by which variances may differ from what the model of components says
constexpr double kLeastPrior = 0.003, kMostPrior = 0.5;  // standard deviations of the prior
constexpr int kBins = 6;
constexpr std::array kRanks = {1.0, 2.0, 4.0};
// The Gavish-Donoho loss is that of matrices most of whose cells are known.
constexpr double kKnownEnough = 0.2;
constexpr double kLeastWindow = 5.5;  // of cells, in standard deviations of their distance from what is known

// Of smoothness along modes with a stated order: half of the prior is on none; lengths, in blocks, are 0, 1,
// 2, 4 .. along each.
constexpr std::size_t kLengths = 6;
constexpr int kWavesOfAMode = 6, kWaves = 8;

double cells_of(const Shape& shape) {
  double cells = 1;
  for (const Index size : shape.dimensions()) cells *= size;
  return cells;
}

// The least variance of an unbiased value in a window of width 1 for this epsilon: Laplace, piecewise
// constant (Wang et al. 2019) and two values (Duchi et al. 2018), for values around the middle.
double variance_of_cell(double epsilon) {
  if (!(epsilon > 0)) return INFINITY;
  constexpr double kSquare = 0.04;
  const double root = std::exp(std::min(epsilon, 50.0) / 2), above = root - 1;
  return std::min({2 / (epsilon * epsilon), kSquare / above + (root + 3) / (12 * above * above),
                   std::pow((root * root + 1) / (root * root - 1), 2) / 4 - kSquare});
}

// What part of a matrix of low rank is lost in noise after optimal shrinkage of singular values (Gavish and
// Donoho 2017). `signal`: variance of its numbers over that of the noise.
Eigen::ArrayXd lost_rank(double rows, double columns, const Eigen::ArrayXd& signal,
                         const Eigen::ArrayXd& rank) {
  const double shorter = std::min(rows, columns), aspect = shorter / std::max(rows, columns);
  const Eigen::ArrayXd square = signal * shorter / rank, fourth = square.square();
  return (fourth > aspect)
      .select(1 - (fourth - aspect).square() / ((fourth + aspect * square) * (fourth + square) + 1e-300),
              1.0);
}

}  // namespace

ReleaseDesign::ReleaseDesign(const DesignFacts& facts) : facts_(facts) {
  if (facts_.known.empty()) facts_.known.resize(facts_.tables.size());
  for (const MarginTable& table : facts_.tables) {
    std::vector<double> counts(table.counts().begin(), table.counts().end());
    std::ranges::sort(counts);
    std::vector<Bin>& bins = bins_.emplace_back();
    const std::size_t parts = std::min<std::size_t>(kBins, counts.size());
    for (std::size_t part = 0; part < parts; ++part) {
      const auto begin = counts.begin() + static_cast<std::ptrdiff_t>(part * counts.size() / parts);
      const auto end = counts.begin() + static_cast<std::ptrdiff_t>((part + 1) * counts.size() / parts);
      const double sum = std::accumulate(begin, end, 0.0);
      bins.push_back({sum / static_cast<double>(end - begin), sum / facts_.cells});
    }
  }
  if (facts_.tables.back().blocks()) draw_smoothness();
}

double ReleaseDesign::middle_deviation() {
  return std::sqrt(kLeastPrior * kMostPrior);
}

// The variances of waves are those of a Gaussian field with these lengths, as estimates have it
// (ordered/grid.hpp).
void ReleaseDesign::draw_smoothness() {
  Random random(2);
  const Blocks& blocks = *facts_.tables.back().blocks();
  waves_ = Components::Ones(kWaves, kDraws);
  for (int k = 0; k < kDraws; ++k) {
    if (random.chance(0.5)) continue;
    std::vector<double> all{1};
    for (int mode = 0; mode < facts_.shape.order(); ++mode) {
      const std::uint64_t step = random.below(kLengths);
      if (!blocks.in_runs(mode) || step == 0) continue;
      const double square = std::pow(4.0, static_cast<double>(step - 1));
      std::vector<double> more;
      for (int wave = 0; wave < kWavesOfAMode; ++wave) {
        const double roughness = 2 - 2 * std::cos(std::numbers::pi * (wave + 0.5) / kWavesOfAMode);
        for (const double before : all) more.push_back(before / (1 + square * roughness));
      }
      all = std::move(more);
    }
    std::ranges::sort(all, std::greater());
    double sum = 0;
    for (int wave = 0; wave < kWaves; ++wave) {
      const std::size_t begin = wave * all.size() / kWaves, end = (wave + 1) * all.size() / kWaves;
      waves_(wave, k) = all[begin];
      if (end > begin)
        waves_(wave, k) = std::accumulate(all.begin() + static_cast<std::ptrdiff_t>(begin),
                                          all.begin() + static_cast<std::ptrdiff_t>(end), 0.0) /
                          static_cast<double>(end - begin);
      sum += waves_(wave, k) / kWaves;
    }
    waves_.col(k) /= sum;
  }
}

// Metropolis: every draw is a chain of its own.
void ReleaseDesign::draw(const VarianceFacts& facts) {
  Random random(1);
  const std::size_t parts = facts_.tables.size(), components = parts + 3;  // of no modes: not used
  Components state(components, kDraws);
  const auto from_prior = [&](std::size_t component) {
    return component + 1 < components
               ? std::log(kLeastPrior) + random.uniform() * std::log(kMostPrior / kLeastPrior)
               : kRanks[random.below(kRanks.size())];
  };
  for (std::size_t component = 0; component < components; ++component)
    for (int k = 0; k < kDraws; ++k) state(component, k) = from_prior(component);
  Draws current = log_posterior(state, facts);
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    for (std::size_t component = 0; component < components; ++component) {
      Components trial = state;
      for (int k = 0; k < kDraws; ++k)
        trial(component, k) = component + 1 < components
                                  ? state(component, k) + kSteps[sweep % 3] * random.normal()
                                  : from_prior(component);
      const Draws proposed = log_posterior(trial, facts);
      for (int k = 0; k < kDraws; ++k)
        if (std::log(random.uniform()) < proposed[k] - current[k]) {
          state.col(k) = trial.col(k);
          current[k] = proposed[k];
        }
    }
  set(state);
}

void ReleaseDesign::set(const Components& components) {
  const auto parts = static_cast<Eigen::Index>(facts_.tables.size());
  effects_.clear();
  for (Eigen::Index part = 0; part < parts; ++part)
    effects_.push_back((2 * components.row(part)).exp().transpose());
  off_level_ = effects_[0];
  effects_[0] = kLevelDeviation * kLevelDeviation;
  low_ = (2 * components.row(parts)).exp().transpose();
  rest_ = (2 * components.row(parts + 1)).exp().transpose();
  rank_ = components.row(parts + 2).transpose();
}

ReleaseDesign::Draws ReleaseDesign::log_posterior(const Components& components, const VarianceFacts& facts) {
  set(components);
  Draws sum = log_prior(components, facts.effects);
  // Of the distance; in logarithms, as chains move, its density is multiplied by it.
  const double scale = facts.level_stddev / std::numbers::sqrt2;
  if (!facts.squares.empty()) sum += components.row(0).transpose() - off_level_.sqrt() / scale;
  for (std::size_t t = 0; t < facts.squares.size(); ++t) {
    const Draws expected = expected_square(t);
    if (t == 0)
      sum += (expected - off_level_ > 0.25)
                 .select(-1000.0, Draws::Zero(expected.size()));  // no value leaves the range
    sum -= ((expected - facts.squares[t]).abs() / (facts.scale + kMisfit * expected));
  }
  if (facts.left_stddev > 0) {
    const Draws expected = errors(Division{std::vector<double>(facts_.tables.size())});
    sum -= (expected - facts.left).abs() / (facts.left_stddev / std::numbers::sqrt2 + kMisfit * expected);
  }
  return sum;
}

// Even in logarithms, up to the most, and interactions no larger than the larger of their main effects
// (heredity). What was estimated from sums of a margin replaces that.
ReleaseDesign::Draws ReleaseDesign::log_prior(const Components& components,
                                              const MixedEffects* effects) const {
  const double least = std::log(kLeastPrior), most = std::log(kMostPrior);
  Draws sum = Draws::Zero(components.cols());
  const auto outside = [&](const auto& row, const auto& upper) {
    sum += ((row < least) || (row > upper)).select(-1000.0, Draws::Zero(sum.size()).transpose()).transpose();
  };
  for (std::size_t part = 1; part < facts_.tables.size() + 2; ++part) {
    const auto row = components.row(static_cast<Eigen::Index>(part));
    Eigen::ArrayXXd upper = Eigen::ArrayXXd::Constant(1, row.size(), most);
    if (part < facts_.tables.size() && facts_.tables[part].is_of_positions(2)) {
      const std::vector<int>& modes = facts_.tables[part].modes();
      upper = components.row(1 + modes[0]).max(components.row(1 + modes[1])).max(std::log(0.01));
    }
    if (part < facts_.tables.size() && effects && effects->posterior(part)) {
      const DeviationWeights& weights = *effects->posterior(part);
      for (Eigen::Index k = 0; k < row.size(); ++k) {
        std::size_t at = 1;
        while (at + 1 < kDeviations && deviations()[at] < std::exp(row[k])) ++at;
        const double weight = at == 1 ? weights[0] + weights[1] : weights[at];
        sum[k] += std::log(std::max(weight, 1e-9));
      }
    }
    outside(row, upper);
  }
  return sum;
}

double ReleaseDesign::parts_of(std::size_t finer, std::size_t table, double count) const {
  const MarginTable& parts = facts_.tables[finer];
  if (!parts.blocks()) return std::max(1.0, static_cast<double>(parts.groups()) * count / facts_.cells);
  double blocks = 1;
  for (const int mode : parts.modes())
    if (std::ranges::find(facts_.tables[table].modes(), mode) == facts_.tables[table].modes().end())
      blocks *= parts.blocks()->count(mode);
  return std::min(blocks, std::max(1.0, count));
}

// Whether the effects of a part differ within a group of the table.
bool ReleaseDesign::is_within(std::size_t part, std::size_t table) const {
  const MarginTable& own = facts_.tables[table];
  return part != table && !own.refines(facts_.tables[part]) &&
         std::ranges::includes(facts_.tables[part].modes(), own.modes());
}

// The effects of the groups, and what finer effects and the rest of cells leave in their means.
ReleaseDesign::Draws ReleaseDesign::expected_square(std::size_t table) const {
  const MarginTable& own = facts_.tables[table];
  const Draws rest = rest_ + low_;
  Draws sum = off_level_;
  for (std::size_t part = 1; part < facts_.tables.size(); ++part) {
    const bool finer = is_within(part, table);
    if (table == 0 || own.blocks() || own.refines(facts_.tables[part]))
      sum += effects_[part];  // neighbours in a block are taken to be alike
    else if (finer)
      for (const auto& [count, weight] : bins_[table])
        sum += weight / parts_of(part, table, count) * effects_[part];
  }
  if (table == 0) return sum + rest;
  for (const auto& [count, weight] : bins_[table]) sum += weight / count * rest;
  return sum;
}

double ReleaseDesign::precision(std::size_t table, double epsilon) const {
  return facts_.known[table] + epsilon * epsilon / (2 * facts_.window * facts_.window);
}

ReleaseDesign::Draws ReleaseDesign::lost(std::size_t part, const Draws& variance) const {
  if (!facts_.tables[part].blocks()) return variance / (effects_[part] + variance);
  Draws sum = Draws::Zero(variance.size());
  for (int wave = 0; wave < kWaves; ++wave) {
    const Draws own = waves_.row(wave).transpose();
    sum += own * variance / (effects_[part] * own + variance) / kWaves;
  }
  return sum;
}

// Expected posterior variances: an effect of variance s^2 that is estimated with variance v leaves
// s^2 v / (s^2 + v). The sum over a group of n cells has noise of variance B; what finer effects and the rest
// of a cell add to its mean is sampling error.
ReleaseDesign::Draws ReleaseDesign::errors(const Division& division, const Draws& cell_variance) const {
  const Draws noise = rest_ + low_;
  Draws total = rest_;
  for (std::size_t part = 0; part < facts_.tables.size(); ++part) {
    const MarginTable& own = facts_.tables[part];
    for (const auto& [count, weight] : bins_[part]) {
      double known = 0;
      Draws variance = noise / count;
      for (std::size_t t = 0; t < facts_.tables.size(); ++t) {
        const MarginTable& table = facts_.tables[t];
        if (!table.refines(own)) continue;
        const double groups = parts_of(t, part, count);
        known += count * count * precision(t, division.tables[t]) / groups;
        if (t != part) variance += effects_[t] / groups;
      }
      variance += 1 / (known + count / cell_variance).max(1e-12);
      Draws kept = lost(part, variance);
      if (facts_.low_rank.size() > part && facts_.low_rank[part])
        kept = kept.min(lost_rank(facts_.shape[own.modes()[0]], facts_.shape[own.modes()[1]],
                                  effects_[part] / variance, rank_));
      total += weight * effects_[part] * kept;
    }
  }
  const double longest = static_cast<double>(std::ranges::max(facts_.shape.dimensions()));
  const double all = cells_of(facts_.shape), others = all / longest;
  if (division.cells <= 0 || facts_.cells < kKnownEnough * all) return total + low_;
  return total +
         low_ * lost_rank(longest, others, low_ / ((cell_variance + rest_) * all / facts_.cells), rank_);
}

ReleaseDesign::Draws ReleaseDesign::errors(const Division& division) const {
  const Draws none = Draws::Constant(rest_.size(), INFINITY);
  const Draws without = errors(division, none);
  if (division.cells <= 0) return without;
  const double unit = variance_of_cell(division.cells - facts_.cost_of_windows);
  const double most = facts_.window * facts_.window;
  if (!std::isfinite(unit)) return without;
  if (facts_.batches == 0) return errors(division, Draws::Constant(rest_.size(), unit * most));
  // The more batches were released, the better are windows about what is known.
  // Heavy tails make them as wide as the present one is, in proportion to the error.
  const Division nothing{std::vector<double>(facts_.tables.size())};
  const Draws square = (most / errors(nothing)).max(kLeastWindow * kLeastWindow);
  Draws error = without, precision = Draws::Zero(rest_.size());
  for (std::size_t batch = 0; batch < facts_.batches; ++batch) {
    precision += 1.0 / static_cast<double>(facts_.batches) / (square * error).min(most);
    error = errors(division, unit / precision);
  }
  return error;
}

double ReleaseDesign::expected_error(const Division& division) const {
  return errors(division).log().mean();
}

// Exchanges between two parts of the division, ever smaller, from the best of a few starts.
Division ReleaseDesign::best(double epsilon) const {
  const std::size_t tables = facts_.tables.size(), parts = tables + 1;
  using Shares = std::vector<double>;
  const auto division_of = [&](const Shares& shares) {
    return Division{{shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(tables)}, shares.back()};
  };
  const auto value = [&](const Shares& shares) { return expected_error(division_of(shares)); };
  std::vector<std::pair<double, Shares>> starts;
  const auto start = [&](auto&& among) {
    Shares shares(parts);
    double sum = 0;
    for (std::size_t part = 0; part < parts; ++part) sum += shares[part] = among(part) ? 1 : 0;
    for (double& share : shares) share *= epsilon / sum;
    starts.emplace_back(value(shares), shares);
  };
  for (std::size_t alone = 0; alone < parts; ++alone) start([&](std::size_t part) { return part == alone; });
  start([](std::size_t) { return true; });
  start([&](std::size_t part) { return part < tables && facts_.tables[part].modes().size() == 1; });
  std::ranges::sort(starts, {}, [](const auto& one) { return one.first; });
  constexpr std::size_t kStarts = 3;
  std::pair<double, Shares> best = starts[0];
  for (std::size_t s = 0; s < std::min(kStarts, starts.size()); ++s) {
    auto [error, shares] = starts[s];
    for (const double step : {0.3, 0.1, 0.03})
      for (bool better = true; better;) {
        better = false;
        for (std::size_t from = 0; from < parts; ++from)
          for (std::size_t to = 0; to < parts; ++to) {
            const double move = std::min(step * epsilon, shares[from]);
            if (from == to || move < 1e-6 * epsilon) continue;
            Shares trial = shares;
            trial[from] -= move;
            trial[to] += move;
            if (const double after = value(trial); after < error - 1e-5) {
              error = after;
              shares = std::move(trial);
              better = true;
            }
          }
      }
    if (error < best.first) best = {error, shares};
  }
  return division_of(best.second);
}

}  // namespace tulle
