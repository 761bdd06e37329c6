#include "evidence.hpp"

#include <tulle/tensor/decompositions.hpp>
#include <tulle/tensor/kernels/norms.hpp>
#include <tulle/tensor/kernels/ttm.hpp>
#include <tulle/tensor/unfold.hpp>

namespace tulle {
namespace {

// G_(m) (X (x) Y (x) ..) G_(m)^T with the moments X, Y, .. of the other modes: the average addition of a cell
// to the normal equations of a row.
Matrix curvature(const DenseTensor& core, const std::vector<Matrix>& moments, int mode) {
  std::vector<int> others;
  for (int other = 0; other < core.order(); ++other)
    if (other != mode) others.push_back(other);
  const Matrix weighted = unfold(ttm_chain(core, moments, Apply::project, others), mode);
  return weighted * unfold(core, mode).transpose();
}

// The mean square of the predictions.
double mean_square(const DenseTensor& core, const std::vector<Matrix>& moments) {
  return curvature(core, moments, 0).cwiseProduct(moments[0]).sum();
}

// The Kronecker product of vectors, one per mode, in C order.
Vector kronecker(const std::vector<Vector>& vectors) {
  Vector product = Vector::Ones(1);
  for (const Vector& vector : vectors) {
    Vector longer(product.size() * vector.size());
    for (Eigen::Index i = 0; i < product.size(); ++i)
      longer.segment(i * vector.size(), vector.size()) = product[i] * vector;
    product = std::move(longer);
  }
  return product;
}

std::vector<Vector> diagonals(const std::vector<Matrix>& matrices) {
  std::vector<Vector> result;
  for (const Matrix& matrix : matrices) result.push_back(matrix.diagonal());
  return result;
}

Eigen::ArrayXd nonnegative_eigenvalues(const Matrix& symmetric) {
  return eigenvalues(symmetric).array().max(0);
}

}  // namespace

Evidence::Evidence(const Penalty& penalty) : counts_(penalty.counts), cells_(penalty.cells) {}

std::vector<Matrix> Evidence::second_moments(const Tucker& model) const {
  std::vector<Matrix> moments;
  for (std::size_t mode = 0; mode < counts_.size(); ++mode) {
    const Matrix& factor = model.factors[mode];
    moments.push_back(factor.transpose() * counts_[mode].asDiagonal() * factor / cells_);
  }
  return moments;
}

std::vector<Matrix> Evidence::with_spread(std::vector<Matrix> moments) const {
  for (std::size_t mode = 0; mode < moments.size(); ++mode) moments[mode].diagonal() += spread_[mode];
  return moments;
}

// A row with n cells has the covariance noise (n E + noise P)^-1, where E is the curvature. Let S be the mean
// over the rows of this covariance plus the row's outer product, and L L^T = P S: then rows times L^-T have
// covariance 1 / P. They are rotated further so that E is diagonal, and with it the covariance of every row.
void Evidence::standardise(int mode, bool uncertain, std::vector<Matrix>& moments, Tucker& model) {
  Matrix& factor = model.factors[mode];
  const Eigen::ArrayXd counts = counts_[mode].array();
  const double held = static_cast<double>((counts > 0).count());
  const auto columns = static_cast<double>(factor.cols());
  const auto variances = [&](const Eigen::VectorXd& curvatures, const Eigen::ArrayXd& weights) -> Vector {
    Vector result(curvatures.size());
    for (Eigen::Index p = 0; p < result.size(); ++p)
      result[p] = (weights * noise_ / (counts * std::max(0.0, curvatures[p]) + noise_ * columns)).sum();
    return result;
  };
  const Matrix seen = curvature(model.core, with_spread(moments), mode);
  Eigen::MatrixXd rows = factor.transpose() * factor / held;
  if (uncertain) {
    const Eigendecomposition eigen = eigendecomposition(seen);
    const Vector spread = variances(eigen.values, (counts > 0).cast<double>() / held);
    rows += eigen.vectors * spread.asDiagonal() * eigen.vectors.transpose();
  }
  rows *= columns;
  rows.diagonal().array() += 1e-9 * rows.diagonal().mean() + 1e-12;
  const Eigen::MatrixXd lower = cholesky(rows);
  const Eigendecomposition turn = eigendecomposition(lower.transpose() * seen * lower);
  const Matrix forth = solve_transposed(lower, turn.vectors);
  const Matrix back = turn.vectors.transpose() * lower.transpose();
  factor = Matrix(factor * forth);
  model.core = ttm(model.core, mode, back, Apply::expand);
  moments[mode] = Matrix(forth.transpose() * moments[mode] * forth);
  if (uncertain) spread_[mode] = variances(turn.values, counts / cells_);
}

// The posterior of the core with the mean Gram matrix of its regressors, a Kronecker product, in place of the
// true one.
void Evidence::learn_core(const Tucker& model, const std::vector<Matrix>& moments, bool uncertain) {
  std::vector<Vector> values;
  for (const Matrix& moment : moments) values.emplace_back(nonnegative_eigenvalues(moment));
  const Eigen::ArrayXd curvatures = cells_ * kronecker(values).array();
  const double ridge = noise_ / core_variance_;
  core_freedom_ = (curvatures / (curvatures + ridge)).sum();
  const double spread = uncertain ? (noise_ / (curvatures + ridge)).sum() : 0;
  core_variance_ =
      std::max(1e-12, (squared_norm(model.core) + spread) / static_cast<double>(model.core.size()));
}

void Evidence::set_ridges(const std::vector<Matrix>& moments, const Tucker& model, Penalty& penalty) const {
  const auto uncertain = with_spread(moments);
  for (int mode = 0; mode < model.core.order(); ++mode) {
    penalty.row_ridge[mode] = noise_ * static_cast<double>(model.factors[mode].cols());
    penalty.cell_ridge[mode] = (curvature(model.core, uncertain, mode) - curvature(model.core, moments, mode))
                                   .diagonal()
                                   .cwiseMax(0);
  }
  penalty.core_ridge = noise_ / core_variance_;
  penalty.core_cell_ridge = kronecker(diagonals(uncertain)) - kronecker(diagonals(moments));
}

// The uncertainty of the core adds to the ridge of a row as well: entry j has the variance noise / (cells s_j
// + core_ridge), where s_j is the mean square of its regressor.
void Evidence::add_spread_of_core(const std::vector<Matrix>& moments, Penalty& penalty) const {
  const std::vector<Vector> of_modes = diagonals(with_spread(moments));
  const Vector squares = kronecker(of_modes);
  const Vector spread =
      squares.array() * noise_ / (cells_ * squares.array() + penalty.core_ridge).max(1e-300);
  std::vector<std::uint64_t> sizes;
  for (const Vector& of_mode : of_modes) sizes.push_back(static_cast<std::uint64_t>(of_mode.size()));
  const DenseTensor as_core(Shape(sizes), {spread.data(), spread.data() + spread.size()});
  for (std::size_t mode = 0; mode < of_modes.size(); ++mode)
    penalty.cell_ridge[mode].array() +=
        unfold(as_core, static_cast<int>(mode)).rowwise().sum().array() / of_modes[mode].array().max(1e-300);
}

void Evidence::explore(double squares, Tucker& model, Penalty& penalty) {
  spread_.clear();
  for (const Matrix& factor : model.factors) spread_.push_back(Vector::Zero(factor.cols()));
  noise_ = std::max(1e-12, squares / cells_);
  auto moments = second_moments(model);
  for (int mode = 0; mode < model.core.order(); ++mode) standardise(mode, false, moments, model);
  learn_core(model, moments, false);
  set_ridges(moments, model, penalty);
}

void Evidence::learn(double squares, Tucker& model, Penalty& penalty) {
  auto moments = second_moments(model);
  const double unknown = mean_square(model.core, with_spread(moments)) - mean_square(model.core, moments);
  noise_ = std::max(1e-12, (squares + noise_ * core_freedom_) / cells_ + std::max(0.0, unknown));
  for (int mode = 0; mode < model.core.order(); ++mode) standardise(mode, true, moments, model);
  learn_core(model, with_spread(moments), true);
  set_ridges(moments, model, penalty);
  add_spread_of_core(moments, penalty);
}

double Evidence::freedom(const Tucker& model, const Penalty& penalty) const {
  const auto moments = second_moments(model);
  double sum = core_freedom_;
  for (int mode = 0; mode < model.core.order(); ++mode) {
    const Eigen::ArrayXd counts = counts_[mode].array();
    for (double value : nonnegative_eigenvalues(curvature(model.core, moments, mode)))
      sum += (counts * value / (counts * value + penalty.row_ridge[mode])).sum();
  }
  return sum;
}

}  // namespace tulle
