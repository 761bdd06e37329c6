#include "position_features.hpp"

#include "cells_by_position.hpp"

#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/tensor/decompositions.hpp>

namespace tulle {
namespace {

constexpr int kExtraColumns = 6,
              kPowerSteps = 12;  // of the randomised SVD (Halko, Martinsson and Tropp 2011)
constexpr double kAboveRandom = 1.1;
constexpr double kRegular = 0.3;
constexpr double kTie = 1e-4;    // singular values nearer than this part of the largest tie with it
constexpr double kShort = 1e-9;  // what is shorter is rounding: vectors mix by about 2^-53 / kTie

// The scaled counts of one pair of modes, as an operator: a cell adds 1 / sqrt((n[i,.] + r) (n[.,j] + r'))
// with r a part of the mean of n[i,.]: without it the few cells of rare positions would lead (regularised
// spectral clustering, Amini et al. 2013).
class PairCounts {
 public:
  PairCounts(const Cells& cells, const CellsByPosition& first, const CellsByPosition& second, int first_mode,
             int second_mode)
      : cells_(cells), groups_{&first, &second}, modes_{first_mode, second_mode} {
    for (int side : {0, 1})
      mean_[side] = static_cast<double>(cells.size()) / static_cast<double>(groups_[side]->occupied());
  }

  // The product with `right`, one row per position of the second mode; or of the transpose, the other way
  // round.
  Matrix times(const Matrix& right, bool transposed) const {
    const CellsByPosition& rows = *groups_[transposed];
    const CellsByPosition& columns = *groups_[!transposed];
    const auto other = cells_.column(modes_[!transposed]);
    Matrix product = Matrix::Zero(static_cast<Eigen::Index>(rows.positions()), right.cols());
#pragma omp parallel for schedule(dynamic, 64)
    for (std::size_t i = 0; i < rows.positions(); ++i) {
      for (std::size_t cell : rows.cells(i))
        product.row(i) += right.row(other[cell]) /
                          std::sqrt(degree(!transposed, static_cast<double>(columns.count(other[cell]))));
      product.row(i) /= std::sqrt(degree(transposed, static_cast<double>(rows.count(i))));
    }
    return product;
  }

  const CellsByPosition& group(bool second) const {
    return *groups_[second];
  }

  // About the largest singular value but the first if cells were drawn at random: that of a matrix of
  // independent entries whose variances follow from the mean degrees.
  double random_edge() const {
    return (std::sqrt(mean_[0]) + std::sqrt(mean_[1])) / std::sqrt(degree(0, mean_[0]) * degree(1, mean_[1]));
  }

 private:
  double degree(int side, double count) const {
    return count + kRegular * mean_[side];
  }

  const Cells& cells_;
  const CellsByPosition* groups_[2];
  int modes_[2];
  double mean_[2];  // cells of an occupied position
};

// Keeps directions only, since lengths measure how rare positions are. Then centres over the cells, so that
// features explain only what offsets do not.
Matrix centred_directions(Matrix features, const CellsByPosition& group) {
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(features.cols());
  double cells = 0;
  for (Eigen::Index i = 0; i < features.rows(); ++i) {
    const double length = features.row(i).norm();
    features.row(i) *= length > kShort ? 1 / length : 0;
    sum += static_cast<double>(group.count(i)) * features.row(i);
    cells += static_cast<double>(group.count(i));
  }
  for (Eigen::Index i = 0; i < features.rows(); ++i)
    if (group.count(i) > 0) features.row(i) -= sum / cells;
  return features;
}

// Every position has the same direction where the centred ones are roundings of a mean of directions.
bool tells_nothing(const Matrix& centred) {
  return centred.cwiseAbs().maxCoeff() <= static_cast<double>(centred.rows()) * 0x1p-50;
}

// The first singular value is large for any positions, and its vectors show how often they occur. Groups of
// positions that share no cell and have similar sizes tie with it, and their vectors are determined up to a
// rotation. They are rotated so that the first is nearest to how often positions occur; the others then
// separate the groups.
void turn_ties(Svd& svd, const CellsByPosition& group) {
  Eigen::Index ties = 1;
  while (ties < svd.values.size() && svd.values[ties] > (1 - kTie) * svd.values[0]) ++ties;
  if (ties == 1) return;
  Vector often(static_cast<Eigen::Index>(group.positions()));
  for (Eigen::Index i = 0; i < often.size(); ++i) often[i] = std::sqrt(static_cast<double>(group.count(i)));
  // The reflection that maps the first axis to the direction of `often` among the vectors.
  Vector normal = svd.u.leftCols(ties).transpose() * often;
  if (normal.norm() == 0) return;
  normal.normalize();
  normal[0] -= 1;
  if (normal.squaredNorm() < kShort) return;
  for (Eigen::MatrixXd* vectors : {&svd.u, &svd.v}) {
    auto tied = vectors->leftCols(ties);
    const Vector along = tied * normal * (2 / normal.squaredNorm());
    tied -= along * normal.transpose();
  }
}

PairFeatures features_of(const PairCounts& counts, const Shape& shape, int first, int second, int wanted) {
  const OneThread alone;  // BLAS must not add up in an order that depends on the number of threads
  const Eigen::Index smaller = std::min(shape[first], shape[second]);
  const Eigen::Index width = std::min<Eigen::Index>(wanted + kExtraColumns, smaller);
  Matrix right(static_cast<Eigen::Index>(shape[second]), width);
  Random random(1);
  for (double& entry : right.reshaped<Eigen::RowMajor>()) entry = random.normal();
  right = orthonormal(right);
  for (int step = 0; step < kPowerSteps; ++step)
    right = orthonormal(counts.times(orthonormal(counts.times(right, false)), true));
  Svd svd = thin_svd(counts.times(right, false));
  turn_ties(svd, counts.group(false));
  const double least = kAboveRandom * counts.random_edge();
  int kept = 0;
  while (kept < wanted && kept + 1 < width && svd.values[kept + 1] > least) ++kept;
  PairFeatures features{first, second, centred_directions(svd.u.middleCols(1, kept), counts.group(false)),
                        centred_directions(right * svd.v.middleCols(1, kept), counts.group(true))};
  if (kept > 0 && (tells_nothing(features.of_first) || tells_nothing(features.of_second)))
    features.of_first.resize(0, 0), features.of_second.resize(0, 0);
  return features;
}

}  // namespace

std::vector<PairFeatures> position_features(const Cells& cells, int count) {
  std::vector<PairFeatures> features;
  if (count == 0) return features;
  std::vector<CellsByPosition> groups;
  for (int mode = 0; mode < cells.order(); ++mode) groups.emplace_back(cells, mode);
  for (int first = 0; first < cells.order(); ++first)
    for (int second = first + 1; second < cells.order(); ++second) {
      const PairCounts counts(cells, groups[first], groups[second], first, second);
      PairFeatures pair = features_of(counts, cells.shape(), first, second, count);
      if (pair.count() > 0) features.push_back(std::move(pair));
    }
  return features;
}

}  // namespace tulle
