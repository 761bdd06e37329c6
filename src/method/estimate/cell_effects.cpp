#include "cell_effects.hpp"

#include <tulle/base/chunks.hpp>

#include <algorithm>

namespace tulle {

namespace {
constexpr std::size_t kAhead = 16;  // cells
}  // namespace

CellEffects::CellEffects(const Cells& cells, std::vector<PairFeatures> features)
    : cells_(&cells), features_(std::move(features)) {
  const auto add = [&](Kind kind, int mode, std::size_t size) {
    blocks_.push_back({kind, mode, static_cast<std::size_t>(size_), size});
    size_ += static_cast<Eigen::Index>(size);
  };
  add(Kind::global, 0, 1);
  for (int mode = 0; mode < cells.order(); ++mode) {
    groups_.emplace_back(cells, mode);
    add(Kind::offset, mode, cells.shape()[mode]);
  }
  first_pair_ = blocks_.size();
  for (const PairFeatures& pair : features_) {
    add(Kind::row, pair.first, static_cast<std::size_t>(pair.of_first.size()));
    add(Kind::row, pair.second, static_cast<std::size_t>(pair.of_second.size()));
    add(Kind::core, 0, static_cast<std::size_t>(pair.count()) * static_cast<std::size_t>(pair.count()));
    add(Kind::trend, pair.first, static_cast<std::size_t>(pair.count()));
    add(Kind::trend, pair.second, static_cast<std::size_t>(pair.count()));
    others_.push_back(groups_[pair.first].gathered(cells.column(pair.second)));
    others_.push_back(groups_[pair.second].gathered(cells.column(pair.first)));
  }
}

Eigen::Map<const Matrix> CellEffects::matrix(const Vector& effects, std::size_t block,
                                             Eigen::Index columns) const {
  return {effects.data() + blocks_[block].begin, static_cast<Eigen::Index>(blocks_[block].size) / columns,
          columns};
}

// p[i] . C q[j] = (C^T p[i]) . q[j]: so the general part is added to the coefficients of q of each position
// of the first mode.
std::vector<Matrix> CellEffects::rows_for_second(const Vector& effects, const EffectWeights& weights) const {
  std::vector<Matrix> rows;
  for (std::size_t p = 0; p < features_.size(); ++p) {
    const Eigen::Index count = features_[p].count();
    rows.push_back(weights.rows_of(features_[p].first) * matrix(effects, row_block(p, false), count) +
                   weights.core * features_[p].of_first.lazyProduct(matrix(effects, core_block(p), count)));
  }
  return rows;
}

std::vector<Vector> CellEffects::offsets_with_trends(const Vector& effects) const {
  std::vector<Vector> offsets;
  for (int mode = 0; mode < cells_->order(); ++mode)
    offsets.emplace_back(effects.segment(blocks_[1 + mode].begin, blocks_[1 + mode].size));
  for (std::size_t p = 0; p < features_.size(); ++p) {
    const PairFeatures& pair = features_[p];
    const auto trend = [&](bool second) {
      return effects.segment(blocks_[trend_block(p, second)].begin, pair.count());
    };
    offsets[pair.first] += pair.of_first.lazyProduct(trend(false));
    offsets[pair.second] += pair.of_second.lazyProduct(trend(true));
  }
  return offsets;
}

void CellEffects::gather_trends(Vector& effects) const {
  for (std::size_t p = 0; p < features_.size(); ++p) {
    const PairFeatures& pair = features_[p];
    for (bool second : {false, true}) {
      const Block& sums = blocks_[1 + (second ? pair.second : pair.first)];
      const Matrix& features = second ? pair.of_second : pair.of_first;
      effects.segment(blocks_[trend_block(p, second)].begin, pair.count()) =
          features.transpose().lazyProduct(effects.segment(sums.begin, sums.size));
    }
  }
}

Vector CellEffects::expect(const Vector& effects, const EffectWeights& weights) const {
  Vector expected;
  expect(effects, weights, expected);
  return expected;
}

void CellEffects::expect(const Vector& effects, const EffectWeights& weights, Vector& expected) const {
  const std::vector<Matrix> rows = rows_for_second(effects, weights);
  std::vector<Vector> offsets;
  if (weights.offsets.empty()) offsets = offsets_with_trends(effects);
  expected.resize(static_cast<Eigen::Index>(cells_->size()));
#pragma omp parallel for schedule(static) if (cells_->size() > kChunkItems)
  for (std::size_t cell = 0; cell < cells_->size(); ++cell) {
    double sum = weights.global * effects[0];
    for (int mode = 0; mode < cells_->order(); ++mode) {
      const Index position = (*cells_)(cell, mode);
      sum += offsets.empty() ? weights.offsets[mode][cell] * effects[blocks_[1 + mode].begin + position]
                             : offsets[mode][position];
    }
    for (std::size_t p = 0; p < features_.size(); ++p) {
      const PairFeatures& pair = features_[p];
      const Index i = (*cells_)(cell, pair.first), j = (*cells_)(cell, pair.second);
      sum += rows[p].row(i).dot(pair.of_second.row(j));
      if (const double weight = weights.rows_of(pair.second); weight != 0)
        sum += weight * matrix(effects, row_block(p, true), pair.count()).row(j).dot(pair.of_first.row(i));
    }
    expected[cell] = sum;
  }
}

// Each position adds up its own cells, so no two threads write to the same number. The cells of a position
// are spread over the list, so their data are fetched some cells ahead.
void CellEffects::gather_mode(int mode, const Vector& cells, const EffectWeights& weights,
                              Vector& effects) const {
  const CellsByPosition& group = groups_[mode];
  const double* const offset_weights = weights.offsets.empty() ? nullptr : weights.offsets[mode].data();
#pragma omp parallel for schedule(dynamic, 64) if (cells_->size() > kChunkItems)
  for (std::size_t i = 0; i < group.positions(); ++i) {
    double sum = 0;
    for (std::size_t k = group.begin(i); k < group.begin(i + 1); ++k) {
      const std::size_t cell = group.cell(k), later = group.cell(std::min(k + kAhead, cells_->size() - 1));
      __builtin_prefetch(cells.data() + later);
      if (offset_weights) __builtin_prefetch(offset_weights + later);
      sum += offset_weights ? offset_weights[cell] * cells[cell] : cells[cell];
    }
    effects[blocks_[1 + mode].begin + i] = sum;
    for (std::size_t p = 0; p < features_.size(); ++p) {
      const PairFeatures& pair = features_[p];
      const bool second = pair.second == mode;
      if (!second && pair.first != mode) continue;
      const Matrix& features = second ? pair.of_first : pair.of_second;
      const std::vector<Index>& other = others_[2 * p + second];
      Eigen::Map<Vector> row(effects.data() + blocks_[row_block(p, second)].begin + i * pair.count(),
                             pair.count());
      for (std::size_t k = group.begin(i); k < group.begin(i + 1); ++k)
        row += cells[group.cell(k)] * features.row(other[k]).transpose();
    }
  }
}

Vector CellEffects::gather(const Vector& cells, const EffectWeights& weights) const {
  Vector effects = Vector::Zero(size_);
  effects[0] = weights.global * chunked_sum(cells_->size(), [&](std::size_t begin, std::size_t end) {
                 return cells.segment(begin, end - begin).sum();
               });
  for (int mode = 0; mode < cells_->order(); ++mode) gather_mode(mode, cells, weights, effects);
  if (weights.offsets.empty()) gather_trends(effects);
  for (std::size_t p = 0; p < features_.size(); ++p) {
    const Block& core = blocks_[core_block(p)];
    Eigen::Map<Matrix>(effects.data() + core.begin, features_[p].count(), features_[p].count()) =
        weights.core * features_[p].of_first.transpose().lazyProduct(
                           matrix(effects, row_block(p, false), features_[p].count()));
    for (bool second : {false, true}) {
      const Block& rows = blocks_[row_block(p, second)];
      effects.segment(rows.begin, rows.size) *= weights.rows_of(rows.mode);
    }
  }
  return effects;
}

double CellEffects::terms_of_a_cell() const {
  double terms = 1.0 + cells_->order();
  for (const PairFeatures& pair : features_) {
    const auto count = static_cast<double>(pair.count());
    terms += count * count + 2 * count;
  }
  return terms;
}

// Sums on a grid are the same in any order, so threads may add up in any order.
Vector CellEffects::gather_exactly(const Vector& cells, const EffectWeights& weights, const SumGrid& grid,
                                   std::size_t begin, std::size_t end) const {
  Vector effects = Vector::Zero(size_);
  const auto add = [&](Vector& sums, std::size_t at, double term) { sums[at] += grid.round(term); };
#pragma omp parallel if (end - begin > kChunkItems)
  {
    Vector sums = Vector::Zero(size_);
#pragma omp for schedule(static)
    for (std::size_t cell = begin; cell < end; ++cell) {
      const double number = cells[cell];
      if (weights.global != 0) add(sums, 0, weights.global * number);
      for (int mode = 0; mode < cells_->order(); ++mode)
        add(sums, blocks_[1 + mode].begin + (*cells_)(cell, mode), weights.offsets[mode][cell] * number);
      for (std::size_t p = 0; p < features_.size(); ++p) {
        const PairFeatures& pair = features_[p];
        const std::size_t count = pair.count(), core = blocks_[core_block(p)].begin;
        const Index i = (*cells_)(cell, pair.first), j = (*cells_)(cell, pair.second);
        const double of_first = weights.rows_of(pair.first) * number,
                     of_second = weights.rows_of(pair.second) * number, of_core = weights.core * number;
        const std::size_t row_i = blocks_[row_block(p, false)].begin + i * count,
                          row_j = blocks_[row_block(p, true)].begin + j * count;
        for (std::size_t k = 0; k < count; ++k) {
          if (of_first != 0) add(sums, row_i + k, of_first * pair.of_second(j, k));
          if (of_second != 0) add(sums, row_j + k, of_second * pair.of_first(i, k));
          if (of_core == 0) continue;
          for (std::size_t l = 0; l < count; ++l)
            add(sums, core + k * count + l, of_core * (pair.of_first(i, k) * pair.of_second(j, l)));
        }
      }
    }
#pragma omp critical
    effects += sums;
  }
  return effects;
}

CellEffects CellEffects::squared() const {
  std::vector<PairFeatures> squares = features_;
  for (PairFeatures& pair : squares) {
    pair.of_first = pair.of_first.array().square();
    pair.of_second = pair.of_second.array().square();
  }
  return {*cells_, std::move(squares)};
}

Cp CellEffects::model(const Vector& effects) const {
  const Shape& shape = cells_->shape();
  Eigen::Index rank = 0;
  for (const PairFeatures& pair : features_) rank += 2 * pair.count();
  Cp model{Vector::Ones(rank), {}, {effects[0], offsets_with_trends(effects)}};
  for (int mode = 0; mode < shape.order(); ++mode)
    model.factors.emplace_back(Matrix::Ones(static_cast<Eigen::Index>(shape[mode]), rank));
  const std::vector<Matrix> rows = rows_for_second(effects, {});
  Eigen::Index begin = 0;
  for (std::size_t p = 0; p < features_.size(); ++p) {
    const PairFeatures& pair = features_[p];
    const Eigen::Index count = pair.count();
    model.factors[pair.first].middleCols(begin, count) = rows[p];
    model.factors[pair.second].middleCols(begin, count) = pair.of_second;
    model.factors[pair.first].middleCols(begin + count, count) = pair.of_first;
    model.factors[pair.second].middleCols(begin + count, count) = matrix(effects, row_block(p, true), count);
    begin += 2 * count;
  }
  return model;
}

}  // namespace tulle
