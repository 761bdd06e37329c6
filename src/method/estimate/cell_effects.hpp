// The expected value of every listed cell as a sum of effects, linear in all of them:
//   global + offset of its position in each mode (of its own, and a trend in its features)
//   + for each pair of modes with public features p (first) and q (second):
//       a[i] . q[j]  (what i makes of j)  +  b[j] . p[i]  (the other way round)  +  p[i] . C q[j]  (in
//       general).
// This class is the linear map and its transpose, matrix-free: a product costs cells x features.
#pragma once

#include "cells_by_position.hpp"
#include "position_features.hpp"

#include <tulle/base/sum_grid.hpp>
#include <tulle/model/cp.hpp>

#include <vector>

namespace tulle {

// How strongly each kind of effect enters a weighted map. For the model itself everything is 1.
struct EffectWeights {
  double global = 1;
  std::vector<std::vector<double>>
      offsets;               // of each mode and cell; empty: 1. When given, trends do not enter
  std::vector<double> rows;  // of each mode; empty: 1
  double core = 1;

  double rows_of(int mode) const { return rows.empty() ? 1 : rows[mode]; }
};

class CellEffects {
 public:
  enum class Kind { global, offset, row, core, trend };
  struct Block {
    Kind kind;
    int mode;  // of offsets and rows
    std::size_t begin, size;
  };

  CellEffects(const Cells& cells, std::vector<PairFeatures> features);

  const Cells& cells() const { return *cells_; }
  const std::vector<PairFeatures>& features() const { return features_; }
  const CellsByPosition& group(int mode) const { return groups_[mode]; }
  const std::vector<Block>& blocks() const { return blocks_; }
  Eigen::Index size() const { return size_; }

  Vector expect(const Vector& effects, const EffectWeights& weights = {}) const;  // one number per cell
  void expect(const Vector& effects, const EffectWeights& weights, Vector& expected) const;
  Vector gather(const Vector& cells, const EffectWeights& weights = {}) const;  // the transpose

  // The transpose, without trends, for a release: every term of a cell, its number times a weight and up to
  // two features, is rounded to the grid, and the sums are exact. Of the cells from `begin` to `end`.
  Vector gather_exactly(const Vector& cells, const EffectWeights& weights, const SumGrid& grid,
                        std::size_t begin, std::size_t end) const;
  // How many effects one cell has a term in.
  double terms_of_a_cell() const;

  // This map with every feature squared: its transpose gives the diagonals of normal equations.
  CellEffects squared() const;

  // The effects as a CP model: a pair of modes takes twice as many components as it has features.
  Cp model(const Vector& effects) const;

 private:
  std::size_t row_block(std::size_t pair, bool second) const { return first_pair_ + 5 * pair + second; }
  std::size_t core_block(std::size_t pair) const { return first_pair_ + 5 * pair + 2; }
  std::size_t trend_block(std::size_t pair, bool second) const { return first_pair_ + 5 * pair + 3 + second; }
  Eigen::Map<const Matrix> matrix(const Vector& effects, std::size_t block, Eigen::Index columns) const;
  std::vector<Vector> offsets_with_trends(const Vector& effects) const;
  std::vector<Matrix> rows_for_second(const Vector& effects, const EffectWeights& weights) const;
  void gather_trends(Vector& effects) const;
  void gather_mode(int mode, const Vector& cells, const EffectWeights& weights, Vector& effects) const;

  const Cells* cells_;
  std::vector<PairFeatures> features_;
  std::vector<CellsByPosition> groups_;
  // For each pair: the positions in the second mode of the cells in the order of groups_[first], then the
  // positions in the first mode in the order of groups_[second].
  std::vector<std::vector<Index>> others_;
  std::vector<Block> blocks_;
  std::size_t first_pair_ = 0;
  Eigen::Index size_ = 0;
};

}  // namespace tulle
