#include "margin_sums.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/unit_blocks.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace tulle {
namespace {

constexpr double kSpread = 0.02;  // of the epsilon of a release, for the spread
constexpr int kRounds = 5;
constexpr const char* kSums = "margins";  // ids of releases
constexpr const char* kSquares = "squared distances";

std::vector<std::vector<int>> sets_of_modes(const Cells& cells) {
  std::vector<std::vector<int>> sets;
  for (int mode = 0; mode < cells.order(); ++mode) sets.push_back({mode});
  for (int first = 0; first < cells.order() && cells.order() > 2; ++first)
    for (int second = first + 1; second < cells.order(); ++second) {
      const double pairs = static_cast<double>(cells.shape()[first]) * cells.shape()[second];
      if (static_cast<double>(cells.size()) >= MarginSums::kCellsOfAPair * pairs)
        sets.push_back({first, second});
    }
  return sets;
}

// An effect of rank 1 in a matrix of I x J sums has an error of about (I + J) / (I J) times the variance of a
// place's mean, hence c (noise / cells / share)^2 with c = (I + J) I J: the sum of those errors over all
// blocks is least for shares in proportion to the cube root of c.
double need(double rows, double columns) {
  return std::cbrt((rows + columns) * rows * columns);
}

}  // namespace

bool MarginSums::suit(const Cells& cells) {
  std::set<int> paired;
  for (const std::vector<int>& modes : sets_of_modes(cells))
    if (modes.size() > 1) paired.insert(modes.begin(), modes.end());
  return static_cast<int>(paired.size()) == cells.order();
}

double MarginSums::error(const Cells& cells, double epsilon) {
  double needs = 0;
  for (const std::vector<int>& modes : sets_of_modes(cells))
    needs += need(cells.shape()[modes[0]], modes.size() > 1 ? cells.shape()[modes[1]] : 1);
  return std::sqrt(2 * std::pow(needs, 3)) / (static_cast<double>(cells.size()) * epsilon);
}

MarginSums::MarginSums(const Cells& cells, const Range& range)
    : cells_(cells), range_(range), expected_(cells.size()) {
  for (int mode = 0; mode < cells_.order(); ++mode) groups_.emplace_back(cells_, mode);
  for (std::vector<int>& modes : sets_of_modes(cells_)) blocks_.push_back(block(std::move(modes)));
}

template <class Value>
std::vector<double> MarginSums::add_up(const Block& block, std::size_t begin, std::size_t end,
                                       Value&& value) const {
  const CellsByPosition& rows = groups_[block.modes[0]];
  const std::size_t columns = block.modes.size() == 1 ? 1 : cells_.shape()[block.modes[1]];
  std::vector<double> sums(rows.positions() * columns);
#pragma omp parallel for schedule(dynamic, 4)
  for (std::size_t row = 0; row < rows.positions(); ++row)
    for (std::size_t cell : rows.cells(row, begin, end))
      sums[row * columns + (columns == 1 ? 0 : cells_(cell, block.modes[1]))] += value(cell);
  return sums;
}

MarginSums::Block MarginSums::block(std::vector<int> modes) const {
  Block block{.modes = std::move(modes), .counts = {}, .sums = {}, .effect = {}, .effects = {}};
  const std::vector<double> counts = add_up(block, 0, cells_.size(), [](std::size_t) { return 1.0; });
  const auto rows = static_cast<Eigen::Index>(cells_.shape()[block.modes[0]]);
  const auto columns = static_cast<Eigen::Index>(counts.size()) / rows;
  block.counts = Eigen::Map<const Matrix>(counts.data(), rows, columns);
  block.sums = block.effects = Matrix::Zero(rows, columns);
  return block;
}

bool MarginSums::found_pairs() const {
  return std::ranges::any_of(
      blocks_, [](const Block& block) { return block.modes.size() > 1 && block.effect.rank() > 0; });
}

Releases MarginSums::release(const PrivateTensor& data, double epsilon, std::size_t block_size,
                             Curator& curator) {
  Release sums = release_sums(data, (1 - kSpread) * epsilon, block_size, curator);
  take_sums(sums);
  estimate();
  Release spread = release_spread(data, kSpread * epsilon, block_size, curator);
  take_spread(spread);
  estimate();
  return {std::move(sums), std::move(spread)};
}

void MarginSums::take(const Measurement& measured) {
  static_cast<void>(measured.find(kSums, places()));
  for (const Release* sums : measured.all(kSums)) take_sums(*sums);
  for (const Release* spread : measured.all(kSquares)) take_spread(*spread);
  estimate();
}

// ---- Releases ----

std::vector<double> MarginSums::weights() const {
  std::vector<double> weights;
  for (const Block& block : blocks_)
    weights.push_back(
        need(static_cast<double>(block.counts.rows()), static_cast<double>(block.counts.cols())));
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

// In widths, each kind times its weight.
std::vector<double> MarginSums::exact_sums(const SparseTensor& entries, std::size_t block_size) const {
  const std::vector<double> weights = this->weights();
  const double width = range_.width();
  const auto share = [&, grid = grid()](std::size_t cell) {
    return grid.round(range_.centred(entries.values()[cell]) / width);
  };
  std::vector<double> sums;
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    for (double sum : add_up_blocks(cells_.size(), block_size, [&](std::size_t begin, std::size_t end) {
           return add_up(blocks_[b], begin, end, share);
         }))
      sums.push_back(weights[b] * sum);
  return sums;
}

// An entry is in one sum of every block, and changes it by the largest change: times the weights, which add
// up to 1, that is what all of them change by. In widths, the grid adds two steps, and the product with a
// weight rounds a sum of at most n / 2 to 53 bits.
Release MarginSums::release_sums(const PrivateTensor& data, double epsilon, std::size_t block_size,
                                 Curator& curator) {
  const double change = data.largest_change() / range_.width(), cells = static_cast<double>(cells_.size());
  const double most = change + 2 * grid().step() + (cells + 8) * 0x1p-52;
  const auto noise =
      AdditiveNoise::laplace(Sensitivity::l1(most, Unit::entry, Relation::replace), epsilon, places());
  Noisy released =
      curator.release(data.observed(), noise, "sums of positions and of pairs",
                      [&](const SparseTensor& entries) { return exact_sums(entries, block_size); });
  return Release::of(kSums, curator, std::move(released));
}

std::size_t MarginSums::places() const {
  std::size_t places = 0;
  for (const Block& block : blocks_) places += static_cast<std::size_t>(block.counts.size());
  return places;
}

void MarginSums::take_sums(const Release& released) {
  if (released.values.size() != places()) fail("release '{}' is of other positions than these", released.id);
  const std::vector<double> weights = this->weights();
  const double width = range_.width();
  const double* next = released.values.data();
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    Block& block = blocks_[b];
    const Matrix sums =
        Eigen::Map<const Matrix>(next, block.sums.rows(), block.sums.cols()) * width / weights[b];
    next += sums.size();
    const double precision = 1 / std::max(std::pow(released.deviation * width / weights[b], 2), 1e-300);
    block.precision += precision;
    block.sums += precision / block.precision * (sums - block.sums);
  }
}

std::vector<double> MarginSums::exact_spread(const SparseTensor& entries, std::size_t block_size) const {
  const double width = range_.width(), middle = range_.middle();
  return add_up_blocks(entries.size(), block_size, [&](std::size_t begin, std::size_t end) {
    const SumGrid grid = this->grid();
    double sum = 0;
    for (std::size_t cell = begin; cell < end; ++cell) {
      const double distance = (entries.values()[cell] - middle - expected_[cell]) / width;
      sum += grid.round(std::min(distance * distance, 1.0));
    }
    return std::vector{sum};
  });
}

Release MarginSums::release_spread(const PrivateTensor& data, double epsilon, std::size_t block_size,
                                   Curator& curator) {
  const auto most = Sensitivity::one_coordinate(1 + 2 * grid().step(), Unit::entry, Relation::replace);
  const auto noise = AdditiveNoise::laplace(most, epsilon, 1);
  Noisy released =
      curator.release(data.observed(), noise, "squared distances of entries from what margins predict",
                      [&](const SparseTensor& entries) { return exact_spread(entries, block_size); });
  return Release::of(kSquares, curator, std::move(released));
}

void MarginSums::take_spread(const Release& released) {
  if (released.values.size() != 1) fail("'{}' is of one number", released.id);
  const double width = range_.width();
  spread_ = std::max(released.values[0], 0.0) * width * width / static_cast<double>(cells_.size());
}

// ---- Estimates ----

// Block after block on what the others leave over, a few rounds. Pairs come in once the spread is known,
// without which chance could look like signal.
void MarginSums::estimate() {
  level_ = blocks_[0].sums.sum() / static_cast<double>(cells_.size());
  std::ranges::fill(expected_, level_);
  for (Block& block : blocks_) block.effects.setZero();
  for (int round = 0; round < kRounds; ++round)
    for (Block& block : blocks_)
      if (block.modes.size() == 1 || spread_) update(block);
}

// The mean of the n entries of a place has noise of variance v / n^2 + spread / n. Places with fewer entries
// than the average count less: only a part w of their distance to what is estimated so far goes into the
// matrix that is shrunk (weighted low-rank approximation, Srebro and Jaakkola 2003).
void MarginSums::update(Block& block) {
  const std::vector<double> expected =
      add_up(block, 0, cells_.size(), [&](std::size_t cell) { return expected_[cell]; });
  const double typical = static_cast<double>(cells_.size()) / static_cast<double>(block.counts.size());
  Matrix noisy = block.effects;
  double variances = 0;
  for (Eigen::Index place = 0; place < noisy.size(); ++place) {
    const double count = block.counts.data()[place];
    if (count == 0) continue;
    const double w = std::min(1.0, std::pow(count / typical, 2));
    noisy.data()[place] += w * (block.sums.data()[place] - expected[static_cast<std::size_t>(place)]) / count;
    variances += w * w * (1 / (block.precision * count * count) + spread_.value_or(0) / count);
  }
  block.effect = shrink_to_signal(noisy, std::sqrt(variances / static_cast<double>(noisy.size())));
  const Matrix effects = block.effect.product(), change = effects - block.effects;
  block.effects = effects;
  const int first = block.modes[0], second = block.modes.back();
#pragma omp parallel for schedule(static)
  for (std::size_t cell = 0; cell < cells_.size(); ++cell)
    expected_[cell] += change(cells_(cell, first), change.cols() == 1 ? 0 : cells_(cell, second));
}

Cp MarginSums::model() const {
  Eigen::Index rank = 0;
  for (const Block& block : blocks_)
    if (block.modes.size() > 1) rank += block.effect.rank();
  Cp model{.weights = Vector(rank), .factors = {}, .biases = {}};
  for (Index size : cells_.shape().dimensions()) model.factors.push_back(Matrix::Ones(size, rank));
  model.biases.global = range_.middle() + level_;
  Eigen::Index next = 0;
  for (const Block& block : blocks_) {
    if (block.modes.size() == 1) {
      model.biases.offsets.emplace_back(block.effects.col(0));
      continue;
    }
    const Eigen::Index count = block.effect.rank();
    model.weights.segment(next, count) = block.effect.values;
    model.factors[block.modes[0]].middleCols(next, count) = block.effect.left;
    model.factors[block.modes[1]].middleCols(next, count) = block.effect.right;
    next += count;
  }
  return model;
}

}  // namespace tulle
