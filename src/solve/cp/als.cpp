#include "../convergence.hpp"
#include "../observed.hpp"
#include "spectral.hpp"

#include <tulle/base/error.hpp>
#include <tulle/solve/cp/als.hpp>
#include <tulle/tensor/decompositions.hpp>
#include <tulle/tensor/kernels/mttkrp.hpp>

#include <Eigen/Cholesky>

#include <numeric>

namespace tulle {
namespace {

constexpr Eigen::Index kChunkRows = 2048;  // of sums over the rows of a factor

// fold(first, count) for every chunk of rows, the results added in order.
template <class Result, class Fold>
Result sum_over_chunks(Eigen::Index rows, Result zero, const Fold& fold) {
  const Eigen::Index chunks = (rows + kChunkRows - 1) / kChunkRows;
  std::vector<Result> parts(chunks, zero);
#pragma omp parallel for schedule(static) if (chunks > 1)
  for (Eigen::Index c = 0; c < chunks; ++c)
    parts[c] = fold(c * kChunkRows, std::min(kChunkRows, rows - c * kChunkRows));
  for (const Result& part : parts) zero += part;
  return zero;
}

Matrix gram(const Matrix& factor) {
  return sum_over_chunks(factor.rows(), Matrix(Matrix::Zero(factor.cols(), factor.cols())),
                         [&](Eigen::Index first, Eigen::Index count) -> Matrix {
                           const auto rows = factor.middleRows(first, count);
                           return rows.transpose() * rows;
                         });
}

// The dense tensor as the loop below sees it.
class DenseData {
 public:
  explicit DenseData(const DenseTensor& tensor) : tensor_(tensor), sweep_(tensor) {}

  const Shape& shape() const { return tensor_.shape(); }
  double norm() const { return norm_of(tensor_.values()); }
  void mttkrp(const std::vector<Matrix>& factors, int mode, Matrix& result) {
    sweep_.mttkrp(factors, mode, result);
  }
  Matrix mttkrp_alone(const std::vector<Matrix>& factors, int mode) {
    return tulle::mttkrp(tensor_, factors, mode);
  }

 private:
  static double norm_of(std::span<const double> values) {
    const Eigen::Map<const Vector> vector(values.data(), static_cast<Eigen::Index>(values.size()));
    return std::sqrt(sum_over_chunks(vector.size(), 0.0, [&](Eigen::Index first, Eigen::Index count) {
      return vector.segment(first, count).squaredNorm();
    }));
  }

  const DenseTensor& tensor_;
  DenseSweep sweep_;
};

class SparseData {
 public:
  explicit SparseData(const SparseTensor& tensor)
      : tensor_(tensor), entries_(sort_by_every_mode(tensor, Levels::large_first)) {}

  const Shape& shape() const { return tensor_.shape(); }
  double norm() const {
    const auto values = tensor_.values();
    return std::sqrt(std::transform_reduce(values.begin(), values.end(), 0.0, std::plus<>(),
                                           [](float value) { return double{value} * value; }));
  }
  void mttkrp(const std::vector<Matrix>& factors, int mode, Matrix& result) {
    // Only the factor before has changed since the last call; the first call copies all.
    const int before = (mode + shape().order() - 1) % shape().order();
    if (panels_.empty())
      panels_ = std::vector<Panel>(factors.begin(), factors.end());
    else
      panels_[before].assign(factors[before]);
    tulle::mttkrp(entries_[mode], panels_, result);
  }
  Matrix mttkrp_alone(const std::vector<Matrix>& factors, int mode) {
    const std::vector<Panel> panels(factors.begin(), factors.end());
    Matrix result;
    tulle::mttkrp(entries_[mode], panels, result);
    return result;
  }

 private:
  const SparseTensor& tensor_;
  std::vector<SortedEntries> entries_;  // by mode
  std::vector<Panel> panels_;
};

// rows <- rows * system^-1 for a symmetric system that may be singular to working precision: components that
// repeat each other make it so. Then the shortest solution is taken.
void solve_rows(const Matrix& system, Matrix& rows) {
  const int rank = static_cast<int>(system.cols());
  const Eigen::LLT<Matrix> cholesky(system);
  const auto pivots = cholesky.matrixLLT().diagonal().array();
  if (cholesky.info() == Eigen::Success && pivots.minCoeff() > 1e-7 * pivots.maxCoeff()) {
    const Matrix lower = cholesky.matrixL();
#pragma omp parallel for schedule(static) if (rows.rows() > kChunkRows)
    for (Eigen::Index first = 0; first < rows.rows(); first += kChunkRows) {
      auto chunk = rows.middleRows(first, std::min(kChunkRows, rows.rows() - first));
      lower.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(chunk);
      lower.triangularView<Eigen::Lower>().solveInPlace<Eigen::OnTheRight>(chunk);
    }
    return;
  }
  const auto [values, vectors] = eigendecomposition(system);
  const double cut = 1e-14 * rank * values[rank - 1];
  const Vector inverse = (values.array() > cut).select(values.array().max(cut).inverse(), 0.0);
  rows = rows * (vectors * inverse.asDiagonal() * vectors.transpose());
}

// Makes every column of the factor as long as 1 and returns the lengths; a column of zeros stays one, with
// weight 0.
Vector normalise(Matrix& factor, Matrix& factor_gram) {
  const Vector lengths = factor_gram.diagonal().cwiseMax(0.0).cwiseSqrt();
  const Vector scale = (lengths.array() > 0).select(lengths.cwiseMax(1e-300).cwiseInverse(), 0.0);
  const Eigen::RowVectorXd row_scale = scale.transpose();
#pragma omp parallel for schedule(static) if (factor.rows() > kChunkRows)
  for (Eigen::Index i = 0; i < factor.rows(); ++i) factor.row(i).array() *= row_scale.array();
  factor_gram = scale.asDiagonal() * factor_gram * scale.asDiagonal();
  return lengths;
}

void sort_components(Cp& model) {
  std::vector<int> order(model.rank());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return model.weights[a] > model.weights[b]; });
  model.weights = Vector(model.weights(order));
  for (Matrix& factor : model.factors) factor = Matrix(factor(Eigen::all, order));
}

template <class Data>
Fit<Cp> run(Data data, const CpAlsOptions& options) {
  check_rank(options.rank);
  check_ridge("ridge", options.ridge);
  Convergence convergence(options.control);
  const int order = data.shape().order(), rank = options.rank;
  const double norm = data.norm();
  if (!std::isfinite(norm)) fail("the tensor has a value that is not finite");

  Cp model;
  auto& factors = model.factors;
  model.weights = Vector::Zero(rank);
  factors = options.start == Start::random
                ? random_factors(data.shape(), std::vector<int>(order, rank), options.control.seed)
                : spectral_start(data.shape(), rank, options.control.seed,
                                 [&](const auto& tests, int mode) { return data.mttkrp_alone(tests, mode); });
  std::vector<Matrix> grams;
  for (const Matrix& factor : factors) grams.push_back(gram(factor));

  std::vector<Matrix> products(order);  // one per mode: their memory is used again in every sweep
  double last_fit = 0;
  while (true) {
    double inner = 0;  // <X, model>, from the last mode's product
    for (int mode = 0; mode < order; ++mode) {
      Matrix& product = products[mode];
      data.mttkrp(factors, mode, product);
      Matrix system = Matrix::Ones(rank, rank);
      for (int other = 0; other < order; ++other)
        if (other != mode) system.array() *= grams[other].array();
      system.diagonal().array() += options.ridge * system.diagonal().mean();
      if (mode == order - 1)
        factors[mode] = product;
      else
        factors[mode].swap(product);  // only the last mode's product is needed again
      solve_rows(system, factors[mode]);
      grams[mode] = gram(factors[mode]);
      if (mode == order - 1)
        inner = sum_over_chunks(product.rows(), 0.0, [&](Eigen::Index first, Eigen::Index count) {
          return product.middleRows(first, count).cwiseProduct(factors[mode].middleRows(first, count)).sum();
        });
      model.weights = normalise(factors[mode], grams[mode]);
    }
    Matrix overlap = Matrix::Ones(rank, rank);
    for (const Matrix& g : grams) overlap.array() *= g.array();
    const double model_square = model.weights.dot(overlap * model.weights);
    const double error = std::sqrt(std::max(0.0, norm * norm + model_square - 2 * inner));

    const double objective = norm > 0 ? error / norm : 0;
    const double change = std::abs(1 - objective - last_fit);
    last_fit = 1 - objective;
    if (!convergence.record(objective, change)) break;
  }
  sort_components(model);
  return std::move(convergence).finish(std::move(model));
}

}  // namespace

Fit<Cp> cp_als(const DenseTensor& tensor, const CpAlsOptions& options) {
  return run(DenseData(tensor), options);
}

Fit<Cp> cp_als(const SparseTensor& tensor, const CpAlsOptions& options) {
  if (tensor.unlisted() == Unlisted::missing)
    fail(
        "cp_als: the cells that are not listed are missing, but this method takes them for zeros; use "
        "complete_cp_als, or read the data with zero semantics");
  return run(SparseData(tensor), options);
}

}  // namespace tulle
