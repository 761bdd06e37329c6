#include "../cpu.hpp"

#include <tulle/tensor/decompositions.hpp>
#include <tulle/tensor/kernels/mttkrp.hpp>

#include <Eigen/Cholesky>

#include <numeric>

namespace tulle {
namespace {

constexpr Eigen::Index kChunkRows = 2048;  // of sums over the rows of a factor

// Adds up fold(first, count) over the chunks of rows, in order.
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

class DenseData {
 public:
  explicit DenseData(const DenseTensor& tensor) : tensor_(tensor), sweep_(tensor) {}

  double norm() const { return norm_of(tensor_.values()); }
  void mttkrp(const std::vector<Matrix>& factors, int mode, Matrix& result) {
    sweep_.mttkrp(factors, mode, result);
  }
  Matrix mttkrp_alone(std::span<const Matrix> matrices, int mode) const {
    return tulle::mttkrp(tensor_, matrices, mode);
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

  double norm() const {
    const auto values = tensor_.values();
    return std::sqrt(std::transform_reduce(values.begin(), values.end(), 0.0, std::plus<>(),
                                           [](float value) { return double{value} * value; }));
  }
  void mttkrp(const std::vector<Matrix>& factors, int mode, Matrix& result) {
    // Only the factor of the previous mode has changed since the last call; the first call copies all.
    const int before = (mode + tensor_.order() - 1) % tensor_.order();
    if (panels_.empty())
      panels_ = std::vector<Panel>(factors.begin(), factors.end());
    else
      panels_[before].assign(factors[before]);
    tulle::mttkrp(entries_[mode], panels_, result);
  }
  Matrix mttkrp_alone(std::span<const Matrix> matrices, int mode) const {
    const std::vector<Panel> panels(matrices.begin(), matrices.end());
    Matrix result;
    tulle::mttkrp(entries_[mode], panels, result);
    return result;
  }

 private:
  const SparseTensor& tensor_;
  std::vector<SortedEntries> entries_;  // by mode
  std::vector<Panel> panels_;
};

// rows <- rows * system^-1 for a symmetric system. Components that repeat each other make it singular to
// working precision; the minimum-norm solution is then taken.
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

// Scales every column of the factor to length 1 and returns the old lengths; a column of zeros stays so, with
// length 0.
Vector normalise(Matrix& factor, Matrix& factor_gram) {
  const Vector lengths = factor_gram.diagonal().cwiseMax(0.0).cwiseSqrt();
  const Vector scale = (lengths.array() > 0).select(lengths.cwiseMax(1e-300).cwiseInverse(), 0.0);
  const Eigen::RowVectorXd row_scale = scale.transpose();
#pragma omp parallel for schedule(static) if (factor.rows() > kChunkRows)
  for (Eigen::Index i = 0; i < factor.rows(); ++i) factor.row(i).array() *= row_scale.array();
  factor_gram = scale.asDiagonal() * factor_gram * scale.asDiagonal();
  return lengths;
}

template <class Data>
class CpuCpSweeps final : public CpSweeps {
 public:
  template <class Tensor>
  explicit CpuCpSweeps(const Tensor& tensor) : data_(tensor) {}

  double norm() const override { return data_.norm(); }
  Matrix mttkrp(std::span<const Matrix> matrices, int mode) const override {
    return data_.mttkrp_alone(matrices, mode);
  }

  std::vector<Matrix> start(std::vector<Matrix> factors) override {
    factors_ = std::move(factors);
    products_.resize(factors_.size());
    std::vector<Matrix> grams;
    for (const Matrix& factor : factors_) grams.push_back(gram(factor));
    return grams;
  }

  Update update(int mode, const Matrix& system) override {
    Matrix &factor = factors_[mode], &product = products_[mode];
    const bool last = mode + 1 == static_cast<int>(factors_.size());
    data_.mttkrp(factors_, mode, product);
    if (last)
      factor = product;
    else
      factor.swap(product);  // only the last mode's product is needed later
    solve_rows(system, factor);
    Update update{gram(factor), {}};
    if (last)
      update.inner = sum_over_chunks(product.rows(), 0.0, [&](Eigen::Index first, Eigen::Index count) {
        return product.middleRows(first, count).cwiseProduct(factor.middleRows(first, count)).sum();
      });
    update.lengths = normalise(factor, update.gram);
    return update;
  }

  std::vector<Matrix> take() && override { return std::move(factors_); }

 private:
  Data data_;
  std::vector<Matrix> factors_;
  std::vector<Matrix> products_;  // one per mode, reused in every sweep
};

}  // namespace

std::unique_ptr<CpSweeps> Cpu::cp_sweeps(const DenseTensor& tensor) const {
  return std::make_unique<CpuCpSweeps<DenseData>>(tensor);
}

std::unique_ptr<CpSweeps> Cpu::cp_sweeps(const SparseTensor& tensor) const {
  return std::make_unique<CpuCpSweeps<SparseData>>(tensor);
}

}  // namespace tulle
