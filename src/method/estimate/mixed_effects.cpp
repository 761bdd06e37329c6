#include "mixed_effects.hpp"

#include "position_traits.hpp"
#include "shrunk_matrix.hpp"

#include <tulle/tensor/decompositions.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <tuple>

namespace tulle {
namespace {

// Modes of other sizes are too short to show that neighbours are alike, or too long for a dense covariance.
constexpr std::size_t kFewestInOrder = 8, kMostInOrder = 600;
constexpr double kCorrelations[] = {0.8, 0.95, 0.99};  // between neighbours
constexpr int kScales = 7;
constexpr double kLeastScale = 0.004;
constexpr int kSmoothRounds = 2;

// Effects of a pair of modes.
struct Components {
  std::vector<int> modes;
  Svd parts;
};

struct Alternative {
  double log_evidence;
  Vector effects;
};

// Effects that follow a stationary autoregression along the mode, without their mean, which is the level's.
Alternative autoregression(const Eigen::MatrixXd& kernel, double sigma, const Vector& seen,
                           const Vector& variances) {
  Eigen::MatrixXd total = sigma * sigma * kernel;
  total.diagonal() += variances;
  const Eigen::MatrixXd lower = cholesky(total);
  const Vector half = lower.triangularView<Eigen::Lower>().solve(seen);
  const Vector solved = lower.transpose().triangularView<Eigen::Upper>().solve(half);
  return {-lower.diagonal().array().log().sum() - 0.5 * half.squaredNorm() -
              0.5 * std::log(2 * std::numbers::pi) * static_cast<double>(seen.size()),
          sigma * sigma * (kernel * solved)};
}

Eigen::MatrixXd centred_kernel(const Vector& places, double correlation) {
  const Eigen::Index size = places.size();
  Eigen::MatrixXd kernel(size, size);
  for (Eigen::Index i = 0; i < size; ++i)
    for (Eigen::Index j = 0; j < size; ++j)
      kernel(i, j) = std::pow(correlation, std::abs(places[i] - places[j]));
  const Eigen::RowVectorXd means = kernel.colwise().mean();
  kernel.rowwise() -= means;
  kernel.colwise() -= means.transpose();
  return kernel.array() + means.mean();
}

// Between neighbouring places.
double typical_gap(const ModeOrder& order) {
  std::vector<double> places = order.places, gaps;
  std::ranges::sort(places);
  for (std::size_t i = 1; i < places.size(); ++i) gaps.push_back(places[i] - places[i - 1]);
  if (gaps.empty()) return 1;
  const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
  std::ranges::nth_element(gaps, middle);
  return *middle > 0 ? *middle : 1;
}

}  // namespace

bool may_have_low_rank(const Cells& cells, const std::vector<int>& modes) {
  constexpr double kCellsOfAPlace = 40;  // so that, by chance, their numbers differ by a sixth
  return modes.size() == 2 &&
         static_cast<double>(cells.size()) >= kCellsOfAPlace * static_cast<double>(cells.shape()[modes[0]]) *
                                                  static_cast<double>(cells.shape()[modes[1]]);
}

MixedEffects::MixedEffects(const Cells& cells, const std::vector<MarginTable>& tables,
                           const std::vector<ModeOrder>& orders)
    : cells_(cells),
      tables_(tables),
      orders_(orders.empty() ? std::vector<ModeOrder>(static_cast<std::size_t>(cells.order())) : orders),
      grids_(tables.size()),
      sums_(tables.size()),
      posteriors_(tables.size()) {
  for (const MarginTable& table : tables) effects_.emplace_back(table.groups());
  for (const MarginTable& table : tables) {
    const std::vector<int>& modes = table.modes();
    std::vector<Index>& positions = positions_.emplace_back();
    auto& pairs = pairs_.emplace_back();
    auto& [rows, columns] = pair_sizes_.emplace_back();
    if (table.blocks()) blocks_ = positions_.size() - 1;
    for (std::size_t group = 0; group < table.groups(); ++group) {
      if (table.is_of_positions(1)) positions.push_back(cells(table.member(group), modes[0]));
      if (table.is_of_positions(2))
        pairs.emplace_back(cells(table.member(group), modes[0]), cells(table.member(group), modes[1]));
    }
    if (table.is_of_positions(2) && may_have_low_rank(cells, modes))
      std::tie(rows, columns) = std::pair(cells.shape()[modes[0]], cells.shape()[modes[1]]);
  }
  expected_.resize(static_cast<std::size_t>(tables[0].counts()[0]));
}

void MixedEffects::take(std::size_t table, std::span<const double> sums, double variance) {
  std::optional<Sums>& known = sums_[table];
  if (!known) {
    known = Sums{{sums.begin(), sums.end()}, variance};
    return;
  }
  const double weight = known->variance / (known->variance + variance);
  for (std::size_t group = 0; group < sums.size(); ++group)
    known->values[group] += weight * (sums[group] - known->values[group]);
  known->variance *= 1 - weight;
}

void MixedEffects::take_cell(std::size_t cell, double value, double variance) {
  cell_values_.resize(expected_.size());
  cell_precisions_.resize(expected_.size());
  cell_values_[cell] = value;
  cell_precisions_[cell] = 1 / variance;
}

void MixedEffects::match_noise_on_cells() {
  double seen = 0, said = 0;
  for (std::size_t cell = 0; cell < cell_precisions_.size(); ++cell) {
    const double precision = cell_precisions_[cell];
    if (precision == 0) continue;
    seen += precision * std::pow(cell_values_[cell] - expected_[cell], 2);
    said += 1 + precision * rest_;
  }
  if (seen <= said) return;
  for (double& precision : cell_precisions_) precision *= said / seen;
}

bool MixedEffects::estimable(std::size_t part) const {
  if (!cell_precisions_.empty()) return true;
  for (std::size_t table = 0; table < tables_.size(); ++table)
    if (sums_[table] && tables_[table].refines(tables_[part])) return true;
  return false;
}

// Generalized least squares of a margin's effects, as if those of all others were known: of a table that
// refines it, the residual sum of a group of n cells has the variance of its noise and n times that of a
// cell. The noise of the margin's own sums is Laplace noise; what many sums add up to is nearly Gaussian.
std::vector<SeenEffect> MixedEffects::seen(std::size_t part) const {
  const MarginTable& own = tables_[part];
  std::vector<double> along(own.groups()), precision(own.groups()), laplace(own.groups());
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    const MarginTable& table = tables_[t];
    if (!sums_[t] || !table.refines(own)) continue;
    const std::vector<double> expected = table.add_up([&](std::size_t cell) { return expected_[cell]; });
    for (std::size_t group = 0; group < table.groups(); ++group) {
      const std::size_t to = own.group(table.member(group));
      const double count = table.counts()[group];
      const double left = sums_[t]->values[group] - expected[group] + count * effects_[part][to];
      const double variance = sums_[t]->variance + count * rest_;
      along[to] += count * left / variance;
      precision[to] += count * count / variance;
      if (t == part) laplace[to] = count * std::sqrt(sums_[t]->variance / 2) / variance;
    }
  }
  for (std::size_t cell = 0; cell < cell_precisions_.size(); ++cell) {
    if (cell_precisions_[cell] == 0) continue;
    const std::size_t to = own.group(cell);
    const double p = 1 / (1 / cell_precisions_[cell] + rest_);
    along[to] += p * (cell_values_[cell] - expected_[cell] + effects_[part][to]);
    precision[to] += p;
  }
  std::vector<SeenEffect> seen(own.groups());
  for (std::size_t group = 0; group < own.groups(); ++group) {
    const double known = std::max(precision[group], 1e-12), scale = laplace[group] / known;
    seen[group] = {along[group] / known, std::max(1 / known - 2 * scale * scale, 1e-3 / known), scale};
  }
  return seen;
}

// Takes away what belongs to coarser margins: the mean over cells of each of their groups.
void MixedEffects::centre(std::size_t part, std::span<double> effects) const {
  const MarginTable& own = tables_[part];
  for (std::size_t t = 0; t < part; ++t) {
    const MarginTable& coarser = tables_[t];
    if (!own.refines(coarser)) continue;
    std::vector<double> means(coarser.groups());
    for (std::size_t group = 0; group < effects.size(); ++group)
      means[coarser.group(own.member(group))] += own.counts()[group] * effects[group];
    for (std::size_t group = 0; group < means.size(); ++group) means[group] /= coarser.counts()[group];
    for (std::size_t group = 0; group < effects.size(); ++group)
      effects[group] -= means[coarser.group(own.member(group))];
  }
}

void MixedEffects::set(std::size_t part, std::vector<double> effects) {
  for (std::size_t cell = 0; cell < expected_.size(); ++cell) {
    const std::size_t group = tables_[part].group(cell);
    expected_[cell] += effects[group] - effects_[part][group];
  }
  effects_[part] = std::move(effects);
}

// What follows from public positions: popular films are rated higher, and films with the same viewers alike.
std::vector<double> MixedEffects::from_traits(std::size_t part, std::span<const SeenEffect> seen) const {
  std::vector<double> values, variances;
  for (std::size_t group = 0; group < seen.size(); ++group) {
    values.push_back(seen[group].value);
    variances.push_back(seen[group].variance_about(effects_[part][group]));
  }
  return explained_by(tables_[part].traits(), values, variances, std::max(most_, 0.01));
}

// No mean of cells is outside of the range.
void MixedEffects::keep_in_range(std::size_t part, std::span<double> effects) const {
  const MarginTable& own = tables_[part];
  const std::vector<double> expected = own.add_up([&](std::size_t cell) { return expected_[cell]; });
  for (std::size_t group = 0; group < effects.size(); ++group) {
    const double mean = expected[group] / own.counts()[group] - effects_[part][group] + effects[group];
    effects[group] -= mean - std::clamp(mean, -0.5, 0.5);
  }
}

// A group whose mean has more noise than is typical counts less: only a part of its distance to what is
// estimated so far goes into the matrix that is shrunk (weighted low-rank approximation, Srebro and Jaakkola
// 2003).
std::vector<double> MixedEffects::low_rank(std::size_t part, std::span<const SeenEffect> seen) const {
  const MarginTable& own = tables_[part];
  const auto& [rows, columns] = pair_sizes_[part];
  std::vector<double> variances;
  for (const SeenEffect& effect : seen) variances.push_back(effect.variance());
  const auto middle = variances.begin() + static_cast<std::ptrdiff_t>(variances.size() / 2);
  std::ranges::nth_element(variances, middle);
  Matrix noisy = Matrix::Zero(rows, columns);
  double total = 0;
  for (std::size_t group = 0; group < seen.size(); ++group) {
    const double weight = std::min(1.0, *middle / seen[group].variance());
    const auto& [row, column] = pairs_[part][group];
    noisy(row, column) = effects_[part][group] + weight * (seen[group].value - effects_[part][group]);
    total += weight * weight * seen[group].variance();
  }
  const Matrix found =
      shrink_to_signal(noisy, std::sqrt(total / static_cast<double>(noisy.size()))).product();
  std::vector<double> effects(own.groups());
  for (std::size_t group = 0; group < effects.size(); ++group)
    effects[group] = found(pairs_[part][group].first, pairs_[part][group].second);
  return effects;
}

void MixedEffects::update(std::size_t part, bool smooth) {
  std::vector<SeenEffect> seen = this->seen(part);
  if (part == 0) return set(part, {seen[0].under(kLevelDeviation * kLevelDeviation).mean});
  std::vector<double> values;
  for (const SeenEffect& effect : seen) values.push_back(effect.value);
  centre(part, values);
  for (std::size_t group = 0; group < seen.size(); ++group) seen[group].value = values[group];
  std::vector<double> found = from_traits(part, seen);
  if (std::min(pair_sizes_[part].first, pair_sizes_[part].second) > 1) found = low_rank(part, seen);
  for (std::size_t group = 0; group < seen.size(); ++group) seen[group].value -= found[group];
  Shrunk shrunk = shrink(seen, most_);
  if (smooth && is_line(part))
    shrunk.means = smoothed(part, seen, shrunk);
  else if (smooth && grid(part))
    shrunk.means = smoothed_on_grid(part, seen, shrunk);
  for (std::size_t group = 0; group < seen.size(); ++group) shrunk.means[group] += found[group];
  posteriors_[part] = shrunk.weights;
  keep_in_range(part, shrunk.means);
  centre(part, shrunk.means);
  if (part == blocks_ && smooth) centre_blocks(shrunk.means);
  set(part, std::move(shrunk.means));
}

// Of blocks without cells there is no effect in the table, but one on the grid.
void MixedEffects::centre_blocks(std::span<const double> effects) {
  const MarginTable& own = tables_[*blocks_];
  double shift = 0;
  for (std::size_t group = 0; group < effects.size(); ++group)
    shift += own.counts()[group] * (of_blocks_.effects[grids_[*blocks_]->places[group]] - effects[group]);
  for (double& effect : of_blocks_.effects) effect -= shift / tables_[0].counts()[0];
}

// Whether the effects are those of a mode that is short enough for a dense covariance, which knows the noise
// of each.
bool MixedEffects::is_line(std::size_t part) const {
  const std::size_t size = tables_[part].groups();
  if (!tables_[part].is_of_positions(1) || size < kFewestInOrder || size > kMostInOrder) return false;
  const ModeOrder& order = orders_[static_cast<std::size_t>(tables_[part].modes()[0])];
  return order.kind != ModeOrder::Kind::none && order.period == 0;
}

// Of positions or blocks; none where no mode has an order.
const OrderedGrid* MixedEffects::grid(std::size_t part) {
  std::optional<Grid>& made = grids_[part];
  if (made) return made->grid.get();
  made.emplace();
  const MarginTable& table = tables_[part];
  std::vector<ModeAxes> modes;
  for (const int mode : table.modes()) {
    const ModeOrder& order = orders_[static_cast<std::size_t>(mode)];
    modes.push_back(table.blocks() ? axes_of({.kind = order.kind}, table.blocks()->count(mode))
                                   : axes_of(order, cells_.shape()[mode]));
  }
  if (!table.blocks() && std::ranges::none_of(modes, &ModeAxes::has_order)) return nullptr;
  made->grid = std::make_unique<OrderedGrid>(std::move(modes), !table.blocks());
  std::vector<Index> at;
  for (std::size_t group = 0; group < table.groups(); ++group) {
    at.clear();
    for (const int mode : table.modes()) {
      const Index position = cells_(table.member(group), mode);
      at.push_back(table.blocks() ? table.blocks()->of(mode, position) : position);
    }
    made->places.push_back(made->grid->place(at));
  }
  return made->grid.get();
}

std::vector<double> MixedEffects::smoothed_on_grid(std::size_t part, std::span<const SeenEffect> seen,
                                                   const Shrunk& independent) {
  const OrderedGrid* const grid = this->grid(part);
  const std::vector<std::size_t>& places = grids_[part]->places;
  SmoothedGrid found = grid->smooth(places, seen, independent.means, most_);
  std::vector<double> means;
  for (const std::size_t place : places) means.push_back(found.effects[place]);
  if (part == blocks_) of_blocks_ = std::move(found);
  return means;
}

// The mean of the effects under independence and under autoregressions, weighted by their evidence: half of
// the prior is on independence.
std::vector<double> MixedEffects::smoothed(std::size_t part, std::span<const SeenEffect> seen,
                                           const Shrunk& independent) const {
  const double most = std::max(most_, 0.01);
  const ModeOrder& order = orders_[static_cast<std::size_t>(tables_[part].modes()[0])];
  Vector values(static_cast<Eigen::Index>(seen.size())), variances(values.size()), places(values.size());
  const double unit = typical_gap(order);
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    places[i] = order.place(positions_[part][static_cast<std::size_t>(i)]) / unit;
    const SeenEffect& effect = seen[static_cast<std::size_t>(i)];
    values[i] = effect.value;
    variances[i] = effect.variance_about(independent.means[static_cast<std::size_t>(i)]);
  }
  // Evidence is compared as if all noise were Gaussian.
  std::vector<SeenEffect> gaussian;
  for (Eigen::Index i = 0; i < values.size(); ++i) gaussian.push_back({values[i], variances[i], 0});
  std::vector<Alternative> all{{shrink(gaussian, most_).log_evidence,
                                Eigen::Map<const Vector>(independent.means.data(), values.size())}};
  for (const double correlation : kCorrelations) {
    const Eigen::MatrixXd kernel = centred_kernel(places, correlation);
    for (int scale = 0; scale < kScales; ++scale)
      all.push_back(autoregression(
          kernel, kLeastScale * std::pow(most / kLeastScale, scale / (kScales - 1.0)), values, variances));
  }
  double best = -INFINITY;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0) all[i].log_evidence -= std::log(static_cast<double>(all.size() - 1));
    best = std::max(best, all[i].log_evidence);
  }
  Vector mean = Vector::Zero(values.size());
  double sum = 0;
  for (const Alternative& one : all) {
    const double weight = std::exp(one.log_evidence - best);
    mean += weight * one.effects;
    sum += weight;
  }
  mean /= sum;
  return {mean.begin(), mean.end()};
}

void MixedEffects::fit(int rounds, std::size_t most_modes, bool smooth) {
  for (std::size_t cell = 0; cell < between_blocks_.size(); ++cell) expected_[cell] -= between_blocks_[cell];
  between_blocks_.clear();
  for (int round = 0; round < rounds; ++round)
    for (std::size_t part = 0; part < tables_.size(); ++part)
      if (std::min<std::size_t>(tables_[part].modes().size(), 2) <= most_modes && estimable(part))
        update(part, (smooth || part == blocks_) && round >= rounds - kSmoothRounds);
  if (!of_blocks_.effects.empty()) spread_blocks();
}

// Of a mode: what part of each block's effect its positions have.
Eigen::MatrixXd MixedEffects::spread(int mode) const {
  const Blocks& blocks = *tables_[*blocks_].blocks();
  const Index count = blocks.count(mode);
  Eigen::MatrixXd parts = Eigen::MatrixXd::Zero(cells_.shape()[mode], count);
  const double between = blocks.in_runs(mode) ? of_blocks_.along[static_cast<std::size_t>(mode)] : 0;
  for (Index position = 0; position < cells_.shape()[mode]; ++position) {
    parts(position, blocks.of(mode, position)) += 1 - between;
    const double place = std::clamp(blocks.between(mode, position), 0.0, count - 1.0);
    const auto before = static_cast<Index>(place);
    parts(position, before) += between * (1 - (place - before));
    if (before + 1 < count) parts(position, before + 1) += between * (place - before);
  }
  return parts;
}

void MixedEffects::spread_blocks() {
  const Blocks& blocks = *tables_[*blocks_].blocks();
  const int order = cells_.order();
  struct Part {
    std::size_t block;
    double share;
  };
  std::vector<std::vector<std::vector<Part>>> parts(static_cast<std::size_t>(order));
  for (int mode = 0; mode < order; ++mode) {
    const Eigen::MatrixXd own = spread(mode);
    for (Eigen::Index position = 0; position < own.rows(); ++position) {
      std::vector<Part>& some = parts[static_cast<std::size_t>(mode)].emplace_back();
      for (Eigen::Index block = 0; block < own.cols(); ++block)
        if (own(position, block) > 0) some.push_back({static_cast<std::size_t>(block), own(position, block)});
    }
  }
  const auto value = [&](auto&& self, std::size_t cell, int mode, std::size_t place) -> double {
    if (mode == order) return of_blocks_.effects[place];
    double sum = 0;
    for (const auto& [block, share] : parts[static_cast<std::size_t>(mode)][cells_(cell, mode)])
      sum += share * self(self, cell, mode + 1, place * blocks.count(mode) + block);
    return sum;
  };
  between_blocks_.resize(expected_.size());
  for (std::size_t cell = 0; cell < expected_.size(); ++cell) {
    between_blocks_[cell] = value(value, cell, 0, 0) - effects_[*blocks_][tables_[*blocks_].group(cell)];
    expected_[cell] += between_blocks_[cell];
  }
}

Cp MixedEffects::model(const Cells& cells, double middle, double width) const {
  Cp model;
  model.biases.global = middle + width * level();
  std::vector<Components> pairs;
  Eigen::Index rank = 0;
  for (std::size_t part = 1; part < tables_.size(); ++part) {
    const std::vector<int>& modes = tables_[part].modes();
    if (part == blocks_) continue;
    if (modes.size() == 1) {
      Vector offsets = Vector::Zero(cells.shape()[modes[0]]);
      for (std::size_t group = 0; group < positions_[part].size(); ++group)
        offsets[positions_[part][group]] = width * effects_[part][group];
      model.biases.offsets.push_back(std::move(offsets));
      continue;
    }
    if (std::ranges::all_of(effects_[part], [](double effect) { return effect == 0; })) continue;
    Matrix effects = Matrix::Zero(cells.shape()[modes[0]], cells.shape()[modes[1]]);
    for (std::size_t group = 0; group < pairs_[part].size(); ++group)
      effects(pairs_[part][group].first, pairs_[part][group].second) = width * effects_[part][group];
    Svd& parts = pairs.emplace_back(Components{modes, thin_svd(effects)}).parts;
    Eigen::Index size = 0;
    while (size < parts.values.size() && parts.values[size] > 1e-6 * parts.values[0]) ++size;
    parts.values.conservativeResize(size);
    rank += size;
  }
  model.weights = Vector(rank);
  for (Index size : cells.shape().dimensions()) model.factors.push_back(Matrix::Ones(size, rank));
  Eigen::Index next = 0;
  for (const auto& [modes, parts] : pairs) {
    const Eigen::Index size = parts.values.size();
    model.weights.segment(next, size) = parts.values;
    model.factors[modes[0]].middleCols(next, size) = parts.u.leftCols(size);
    model.factors[modes[1]].middleCols(next, size) = parts.v.leftCols(size);
    next += size;
  }
  if (!of_blocks_.effects.empty()) add_blocks(width, model);
  return model;
}

// One component per combination of blocks of all modes but the one that has most.
void MixedEffects::add_blocks(double width, Cp& model) const {
  const Blocks& blocks = *tables_[*blocks_].blocks();
  const int order = cells_.order();
  int longest = 0;
  std::vector<Index> counts;
  for (int mode = 0; mode < order; ++mode) {
    counts.push_back(blocks.count(mode));
    if (counts.back() > counts[static_cast<std::size_t>(longest)]) longest = mode;
  }
  const Shape grid(std::vector<std::uint64_t>(counts.begin(), counts.end()));
  const auto length = static_cast<Eigen::Index>(blocks.count(longest));
  const Eigen::Index before = model.weights.size(),
                     more = static_cast<Eigen::Index>(of_blocks_.effects.size()) / length;
  model.weights.conservativeResize(before + more);
  model.weights.tail(more).setConstant(width);
  std::vector<Eigen::MatrixXd> parts;
  for (int mode = 0; mode < order; ++mode) {
    parts.push_back(spread(mode));
    model.factors[static_cast<std::size_t>(mode)].conservativeResize(Eigen::NoChange, before + more);
  }
  Vector along(length);
  for (Eigen::Index component = 0; component < more; ++component) {
    auto left = static_cast<std::size_t>(component);
    std::size_t first = 0;
    for (int mode = order; mode-- > 0;) {
      if (mode == longest) continue;
      const Index block = static_cast<Index>(left % blocks.count(mode));
      left /= blocks.count(mode);
      first += block * grid.stride(mode);
      model.factors[static_cast<std::size_t>(mode)].col(before + component) =
          parts[static_cast<std::size_t>(mode)].col(block);
    }
    for (Eigen::Index block = 0; block < length; ++block)
      along[block] = of_blocks_.effects[first + static_cast<std::size_t>(block) * grid.stride(longest)];
    model.factors[static_cast<std::size_t>(longest)].col(before + component) =
        parts[static_cast<std::size_t>(longest)] * along;
  }
}

}  // namespace tulle
