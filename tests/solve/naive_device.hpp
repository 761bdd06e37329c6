// A device that computes everything by its definition, cell by cell: what other devices are held against.
#pragma once

#include "tensor/kernels/reference.hpp"

#include <tulle/cuda/cuda_device.hpp>
#include <tulle/solve/device.hpp>
#include <tulle/solve/network/network_pass.hpp>

#include <cstdlib>
#include <numeric>

namespace tulle::naive {

template <class Tensor>
double squared_norm(const Tensor& tensor) {
  double sum = 0;
  reference::for_each_cell(tensor, [&](const reference::Cell&, double value) { sum += value * value; });
  return sum;
}

// Of a symmetric matrix; directions with less than `cut` of the largest eigenvalue count as missing.
inline Matrix pseudo_inverse(const Matrix& system, double cut) {
  const auto [values, vectors] = eigendecomposition(system);
  const double least = cut * values.maxCoeff();
  const Vector inverse = (values.array() > least).select(values.array().max(least).inverse(), 0.0);
  return vectors * inverse.asDiagonal() * vectors.transpose();
}

template <class Tensor>
class Sweeps final : public CpSweeps {
 public:
  explicit Sweeps(const Tensor& tensor) : tensor_(tensor) {}

  double norm() const override { return std::sqrt(squared_norm(tensor_)); }
  Matrix mttkrp(std::span<const Matrix> matrices, int mode) const override {
    return reference::mttkrp(tensor_, matrices, mode);
  }
  std::vector<Matrix> start(std::vector<Matrix> factors) override {
    factors_ = std::move(factors);
    std::vector<Matrix> grams;
    for (const Matrix& factor : factors_) grams.emplace_back(factor.transpose() * factor);
    return grams;
  }
  Update update(int mode, const Matrix& system) override {
    const Matrix product = mttkrp(factors_, mode);
    Matrix factor = product * pseudo_inverse(system, 1e-14 * static_cast<double>(system.cols()));
    Update update{{}, factor.colwise().norm(), product.cwiseProduct(factor).sum()};
    for (Eigen::Index r = 0; r < factor.cols(); ++r)
      if (update.lengths[r] > 0) factor.col(r) /= update.lengths[r];
    update.gram = factor.transpose() * factor;
    factors_[static_cast<std::size_t>(mode)] = std::move(factor);
    return update;
  }
  std::vector<Matrix> take() && override { return std::move(factors_); }

 private:
  const Tensor& tensor_;
  std::vector<Matrix> factors_;
};

// Higher-order SVD, and projections on all factors but one.
template <class Tensor>
class Projections final : public TuckerSweeps {
 public:
  explicit Projections(const Tensor& tensor) : tensor_(tensor) {}

  double squared_norm() override { return naive::squared_norm(tensor_); }
  void start(std::vector<Matrix> factors) override { factors_ = std::move(factors); }
  void start_spectral(const std::vector<int>& ranks, std::uint64_t) override {
    std::vector<Matrix> all, leading;
    for (Index size : tensor_.shape().dimensions()) all.push_back(Matrix::Identity(size, size));
    for (int mode = 0; mode < tensor_.order(); ++mode)
      leading.push_back(left_vectors(reference::project_all_but(tensor_, all, mode), ranks[mode]));
    start(std::move(leading));
  }
  double sweep() override {
    for (int mode = 0; mode < tensor_.order(); ++mode) {
      Matrix& factor = factors_[static_cast<std::size_t>(mode)];
      factor = left_vectors(reference::project_all_but(tensor_, factors_, mode), factor.cols());
    }
    return naive::squared_norm(core());
  }
  Tucker take() && override { return {core(), std::move(factors_), {}}; }

 private:
  static Matrix left_vectors(const Matrix& unfolded, Eigen::Index count) {
    const Matrix gram = unfolded * unfolded.transpose();
    return eigendecomposition(gram).vectors.rightCols(count);
  }

  DenseTensor core() const {  // unfolded along mode 0 it is a matrix in C order
    const Matrix unfolded = factors_[0].transpose() * reference::project_all_but(tensor_, factors_, 0);
    std::vector<std::uint64_t> sizes;
    for (const Matrix& factor : factors_) sizes.push_back(static_cast<std::uint64_t>(factor.cols()));
    return {Shape(sizes), {unfolded.data(), unfolded.data() + unfolded.size()}};
  }

  const Tensor& tensor_;
  std::vector<Matrix> factors_;
};

class Completion final : public CpCompletion {
 public:
  Completion(const SparseTensor& observed, const SparseTensor* validation, const CompletionState& state)
      : observed_(observed), validation_(validation) {
    for (float& value : observed_.values())
      value = static_cast<float>((double{value} - state.level) * (1 / state.scale));
  }

  void set(CompletionState state) override {
    state_ = std::move(state);
    variances_.clear();
    for (const Panel& factor : state_.factors)
      variances_.push_back(Matrix::Zero(static_cast<Eigen::Index>(factor.rows()), factor.columns()));
  }
  const CompletionState& state() const override { return state_; }

  Outcome update(int mode, const Prior& prior, Measure measure) override {
    const bool uncertain = measure == Measure::variances;
    const std::vector<Matrix> factors = matrices();
    const Matrix sums = reference::normal_equations(
        observed_, factors, state_.offsets,
        uncertain ? std::span<const Matrix>(variances_) : std::span<const Matrix>(), mode);
    Outcome outcome;
    outcome.moments = Vector::Zero(factors[0].cols() + 1);
    double rows = 0;
    for (Eigen::Index row = 0; row < sums.rows(); ++row)
      if (NormalEquations(state_.factors[0].columns()).count(&sums(row, 0)) > 0) {
        solve(mode, row, &sums(row, 0), prior, uncertain, outcome);
        ++rows;
      }
    outcome.moments /= rows;
    const double squares = reference::squared_residuals(observed_, matrices(), state_.offsets, 0, 1);
    if (measure == Measure::errors) return {squares, 0, 0, {}};
    outcome.squares = squares;
    return outcome;
  }

  void balance() override {
    const auto order = static_cast<double>(state_.order());
    if (static_cast<double>(state_.fitted.size()) < order) return;
    std::vector<Matrix> factors = matrices();
    for (Eigen::Index r = 0; r < factors[0].cols(); ++r) {
      double product = 1;
      for (const Matrix& factor : factors) product *= factor.col(r).norm();
      if (product == 0) continue;
      for (Matrix& factor : factors) factor.col(r) *= std::pow(product, 1 / order) / factor.col(r).norm();
    }
    for (std::size_t mode = 0; mode < factors.size(); ++mode) state_.factors[mode].assign(factors[mode]);
  }

  double validation_rmse() const override {
    if (validation_ == nullptr) return std::numeric_limits<double>::quiet_NaN();
    return std::sqrt(
        reference::squared_residuals(*validation_, matrices(), state_.offsets, state_.level, state_.scale) /
        static_cast<double>(validation_->size()));
  }

 private:
  std::vector<Matrix> matrices() const {
    std::vector<Matrix> factors;
    for (const Panel& factor : state_.factors) factors.push_back(factor.matrix());
    return factors;
  }

  void solve(int mode, Eigen::Index row, const double* sums, const Prior& prior, bool uncertain,
             Outcome& outcome) {
    const NormalEquations equations(state_.factors[0].columns());
    const int rank = equations.rank, width = rank + (state_.biases ? 1 : 0), stride = equations.stride;
    Matrix matrix = Matrix::Zero(width, width);
    Vector right = Vector::Zero(width);
    for (int i = 0; i < rank; ++i) {
      for (int j = i; j < rank; ++j) matrix(i, j) = matrix(j, i) = equations.gram(sums)[i * stride + j];
      matrix(i, i) += equations.variance(sums)[i];
      right[i] = equations.right(sums)[i];
      if (state_.biases) matrix(i, rank) = matrix(rank, i) = equations.total(sums)[i];
    }
    if (state_.biases) {
      matrix(rank, rank) = equations.count(sums);
      right[rank] = equations.value_total(sums);
    }
    const Vector ridge = prior.ridge(mode).head(width);
    matrix.diagonal() += ridge;
    const Matrix inverse = pseudo_inverse(matrix, 1e-13);
    const Vector solution = inverse * right;
    const auto at = static_cast<std::size_t>(mode);
    double freedom = width;
    for (int k = 0; k < width; ++k) {
      const double variance = prior.noise * inverse(k, k);
      outcome.moments[k] += solution[k] * solution[k] + variance;
      freedom -= ridge[k] * inverse(k, k);
      if (k == rank) {
        state_.offsets[at][row] = solution[k];
        continue;
      }
      state_.factors[at].row(static_cast<std::size_t>(row))[k] = solution[k];
      if (uncertain) variances_[at](row, k) = variance;
      outcome.uncertainty += equations.variance(sums)[k] * solution[k] * solution[k];
    }
    outcome.uncertainty += prior.noise * freedom;
    outcome.freedom += freedom;
  }

  SparseTensor observed_;  // standardised
  const SparseTensor* validation_;
  CompletionState state_;
  std::vector<Matrix> variances_;
};

class Cells final : public ClippedCells {
 public:
  Cells(const SparseTensor& observed, const ModelLayout& layout, const Standard& standard)
      : observed_(observed), layout_(layout), standard_(standard) {}

  std::size_t size() const override { return observed_.size(); }
  ClippedSum sum(std::span<const double> numbers, std::span<const std::uint64_t> cells,
                 double clip) const override {
    const std::vector<std::size_t> chosen(cells.begin(), cells.end());
    return reference::cell_gradients(observed_.select(chosen), layout_, standard_, numbers, clip);
  }

 private:
  SparseTensor observed_;
  ModelLayout layout_;
  Standard standard_;
};

class Slices final : public ClippedSlices {
 public:
  Slices(const SparseTensor& observed, const ModelLayout& layout, int mode, SliceTables tables)
      : observed_(observed), layout_(layout.with(mode, 1)), mode_(mode), tables_(std::move(tables)) {}

  std::size_t slices() const override { return observed_.shape()[mode_]; }
  ModelLayout own_layout() const override { return layout_.with(mode_, slices()); }

  ClippedSum sum(std::span<const double> numbers, double ridge, std::span<const std::uint64_t> slices,
                 double clip) const override {
    const ModelLayout own = own_layout();
    ClippedSum sum = reference::slice_gradients(observed_, own, mode_, tables_,
                                                with_rows(numbers, own.size()), ridge, slices, clip);
    sum.numbers = with_rows(sum.numbers, numbers.size());
    return sum;
  }

  std::vector<double> with_own_rows(std::span<const double> numbers, double ridge) const override {
    const ModelLayout own = own_layout();
    std::vector<double> all = with_rows(numbers, own.size());
    for (std::size_t slice = 0; slice < slices(); ++slice)
      all = reference::with_own_row(observed_, own, mode_, static_cast<Index>(slice), tables_, all, ridge);
    return all;
  }

 private:
  // So many numbers, with zeros for the rows of the slices' mode.
  std::vector<double> with_rows(std::span<const double> numbers, std::size_t size) const {
    const ModelLayout own = own_layout();
    const std::size_t begin = own.start(mode_), after = own.size() - begin - own.factor_size(mode_);
    std::vector<double> result(size);
    std::ranges::copy(numbers.first(begin), result.begin());
    std::ranges::copy(numbers.last(after), result.end() - static_cast<std::ptrdiff_t>(after));
    return result;
  }

  SparseTensor observed_;
  ModelLayout layout_;
  int mode_;
  SliceTables tables_;
};

class Examples final : public ClippedExamples {
 public:
  Examples(FloatMatrix prepared, std::vector<int> labels, const NetworkLayout& layout)
      : prepared_(std::move(prepared)), labels_(std::move(labels)), layout_(layout) {}

  std::size_t size() const override { return labels_.size(); }
  ClippedSum sum(std::span<const double> parameters, std::span<const std::uint64_t> examples,
                 double clip) const override {
    ClippedSum sum{std::vector<double>(layout_.size())};
    for (const std::uint64_t example : examples) {
      NetworkPass pass(layout_, parameters);
      pass.forward(prepared_.row(static_cast<Eigen::Index>(example)));
      pass.backward(std::vector{labels_[example]});
      std::vector<double> gradient(layout_.size());
      pass.add_gradients(gradient);
      for (double& number : gradient) number = -number;
      reference::add_clipped(gradient, clip, sum);
    }
    return sum;
  }

 private:
  FloatMatrix prepared_;
  std::vector<int> labels_;
  NetworkLayout layout_;
};

class Naive final : public Device {
 public:
  std::string_view name() const override { return "naive"; }
  std::unique_ptr<CpSweeps> cp_sweeps(const DenseTensor& tensor) const override {
    return std::make_unique<Sweeps<DenseTensor>>(tensor);
  }
  std::unique_ptr<CpSweeps> cp_sweeps(const SparseTensor& tensor) const override {
    return std::make_unique<Sweeps<SparseTensor>>(tensor);
  }
  std::unique_ptr<TuckerSweeps> tucker_sweeps(const DenseTensor& tensor) const override {
    return std::make_unique<Projections<DenseTensor>>(tensor);
  }
  std::unique_ptr<TuckerSweeps> tucker_sweeps(const SparseTensor& tensor) const override {
    return std::make_unique<Projections<SparseTensor>>(tensor);
  }
  std::unique_ptr<CpCompletion> cp_completion(const SparseTensor& observed, const SparseTensor* validation,
                                              const CompletionState& state) const override {
    return std::make_unique<Completion>(observed, validation, state);
  }
  std::unique_ptr<ClippedCells> clipped_cells(const SparseTensor& observed, const ModelLayout& layout,
                                              const Standard& standard, double) const override {
    return std::make_unique<Cells>(observed, layout, standard);
  }
  std::unique_ptr<ClippedSlices> clipped_slices(const SparseTensor& observed, const ModelLayout& layout,
                                                int mode, SliceTables tables) const override {
    return std::make_unique<Slices>(observed, layout, mode, std::move(tables));
  }
  std::unique_ptr<ClippedExamples> clipped_examples(FloatMatrix prepared, std::vector<int> labels,
                                                    const NetworkLayout& layout) const override {
    return std::make_unique<Examples>(std::move(prepared), std::move(labels), layout);
  }
};

}  // namespace tulle::naive

namespace tulle::testing {

inline const Device& naive() {
  static const naive::Naive kNaive;
  return kNaive;
}

// Suites of solvers and methods run on the device that TULLE_TEST_DEVICE names.
inline const Device* device_under_test() {
  const char* const name =
      std::getenv("TULLE_TEST_DEVICE");  // NOLINT(concurrency-mt-unsafe): nothing sets it
  if (name == nullptr) return nullptr;
  return name == naive().name() ? &naive() : &device_of(name);
}

}  // namespace tulle::testing
