#include "gpu.hpp"
#include "gpu_library.hpp"

#include <tulle/base/error.hpp>
#include <tulle/cuda/cuda_device.hpp>
#include <tulle/tensor/decompositions.hpp>
#include <tulle/tensor/sorted.hpp>

#include <charconv>
#include <cmath>
#include <map>
#include <mutex>

namespace tulle {
namespace {

// The border knows no Error.
template <class Call>
auto on_gpu(const Call& call) {
  try {
    return call();
  } catch (const Error&) {
    throw;
  } catch (const std::runtime_error& error) {
    fail("{}", error.what());
  }
}

std::vector<std::size_t> rows_of(const Shape& shape) {
  return {shape.dimensions().begin(), shape.dimensions().end()};
}

// The lists refer to the entries.
std::vector<gpu::SortedList> lists_of(const std::vector<SortedEntries>& entries) {
  std::vector<gpu::SortedList> lists;
  for (const SortedEntries& each : entries)
    lists.push_back({.mode = each.modes[0],
                     .others = {each.modes.begin() + 1, each.modes.end()},
                     .rows = each.rows,
                     .starts = each.starts,
                     .positions = {each.positions.data(), each.size() * (each.modes.size() - 1)},
                     .values = {each.values.data(), each.size()}});
  return lists;
}

class CudaSweeps final : public CpSweeps {
 public:
  CudaSweeps(const gpu::Gpu& gpu, const SparseTensor& tensor)
      : tensor_(tensor), sweeps_(on_gpu([&] {
          return gpu.sweeps(lists_of(sort_by_every_mode(tensor, Levels::large_first)),
                            rows_of(tensor.shape()));
        })) {}

  double norm() const override {
    double squares = 0;
    for (const float value : tensor_.values()) squares += double{value} * value;
    return std::sqrt(squares);
  }

  Matrix mttkrp(std::span<const Matrix> matrices, int mode) const override {
    const std::vector<Panel> panels(matrices.begin(), matrices.end());
    std::vector<const double*> rows;
    for (const Panel& panel : panels) rows.push_back(panel.data());
    Panel result(tensor_.shape()[mode], panels[0].columns());
    on_gpu([&] { sweeps_->mttkrp(rows, result.stride(), mode, result.data()); });
    return result.matrix();
  }

  std::vector<Matrix> start(std::vector<Matrix> factors) override {
    rank_ = static_cast<int>(factors[0].cols());
    stride_ = Panel(factors[0]).stride();
    std::vector<Matrix> grams;
    on_gpu([&] {
      sweeps_->start(stride_);
      for (int mode = 0; mode < tensor_.order(); ++mode) {
        sweeps_->set(mode, Panel(factors[static_cast<std::size_t>(mode)]).data());
        grams.push_back(gram(mode));
      }
    });
    return grams;
  }

  Update update(int mode, const Matrix& system) override {
    return on_gpu([&] {
      Update update;
      update.inner = sweeps_->update(mode, padded(inverse_of(system)).data(), mode + 1 == tensor_.order());
      update.gram = gram(mode);
      update.lengths = update.gram.diagonal().cwiseMax(0.0).cwiseSqrt();
      const Vector scale =
          (update.lengths.array() > 0).select(update.lengths.cwiseMax(1e-300).cwiseInverse(), 0.0);
      update.gram = scale.asDiagonal() * update.gram * scale.asDiagonal();
      Vector by_column = Vector::Zero(stride_);
      by_column.head(rank_) = scale;
      sweeps_->scale(mode, by_column.data());
      return update;
    });
  }

  std::vector<Matrix> take() && override {
    std::vector<Matrix> factors;
    for (int mode = 0; mode < tensor_.order(); ++mode) {
      Panel panel(tensor_.shape()[mode], rank_);
      on_gpu([&] { sweeps_->get(mode, panel.data()); });
      factors.push_back(panel.matrix());
    }
    return factors;
  }

 private:
  Matrix gram(int mode) {
    Matrix all(stride_, stride_);
    sweeps_->gram(mode, all.data());
    return all.topLeftCorner(rank_, rank_);
  }

  Matrix padded(const Matrix& matrix) const {
    Matrix all = Matrix::Zero(stride_, stride_);
    all.topLeftCorner(rank_, rank_) = matrix;
    return all;
  }

  // Components that repeat each other make it singular to working precision; rows are then the shortest.
  static Matrix inverse_of(const Matrix& system) {
    const auto [values, vectors] = eigendecomposition(system);
    const double cut = 1e-14 * static_cast<double>(system.cols()) * values[values.size() - 1];
    const Vector inverse = (values.array() > cut).select(values.array().max(cut).inverse(), 0.0);
    return vectors * inverse.asDiagonal() * vectors.transpose();
  }

  const SparseTensor& tensor_;
  std::unique_ptr<gpu::Sweeps> sweeps_;
  int rank_ = 0, stride_ = 0;
};

class CudaCompletion final : public CpCompletion {
 public:
  CudaCompletion(const gpu::Gpu& gpu, const SparseTensor& observed, const SparseTensor* validation,
                 const CompletionState& state)
      : has_validation_(validation != nullptr), cells_of_validation_(validation ? validation->size() : 0) {
    std::vector<SortedEntries> entries = sort_by_every_mode(observed, Levels::large_first);
    for (SortedEntries& each : entries) each.transform_values(state.level, 1 / state.scale);
    const Panel& first = state.factors[0];
    on_gpu([&] {
      fit_ = gpu.completion(lists_of(entries), {rows_of(observed.shape()), first.columns(), first.stride()},
                            state.biases);
      if (!has_validation_) return;
      std::vector<std::span<const std::uint32_t>> columns;
      for (int mode = 0; mode < validation->order(); ++mode) columns.push_back(validation->column(mode));
      fit_->validate_on(std::move(columns), validation->values());
    });
  }

  void set(CompletionState state) override {
    state_ = std::move(state);
    on_gpu([&] {
      for (std::size_t mode = 0; mode < state_.factors.size(); ++mode)
        fit_->set(static_cast<int>(mode), state_.factors[mode].data(), state_.offsets[mode].data());
      fit_->forget_variances();
    });
    changed_ = false;
  }

  const CompletionState& state() const override {
    if (changed_)
      on_gpu([&] {
        for (std::size_t mode = 0; mode < state_.factors.size(); ++mode)
          fit_->get(static_cast<int>(mode), state_.factors[mode].data(), state_.offsets[mode].data());
      });
    changed_ = false;
    return state_;
  }

  Outcome update(int mode, const Prior& prior, Measure measure) override {
    const int rank = state_.factors[0].columns();
    const Vector ridge = prior.ridge(mode);
    changed_ = true;
    return on_gpu([&] {
      const gpu::RowSums sums =
          fit_->update(mode, {ridge.data(), static_cast<std::size_t>(rank + (state_.biases ? 1 : 0))},
                       prior.noise, static_cast<gpu::Completion::Measure>(measure));
      Outcome outcome{.squares = sums.squares, .uncertainty = sums.uncertainty, .freedom = sums.freedom};
      if (measure != Measure::errors)
        outcome.moments =
            Eigen::Map<const Vector>(sums.moments.data(), rank + 1) / static_cast<double>(sums.rows);
      return outcome;
    });
  }

  void balance() override {
    const int order = state_.order(), rank = state_.factors[0].columns();
    if (static_cast<int>(state_.fitted.size()) < order) return;
    changed_ = true;
    on_gpu([&] {
      Eigen::ArrayXXd squares(rank, order);
      for (int mode = 0; mode < order; ++mode)
        squares.col(mode) = Eigen::Map<const Eigen::ArrayXd>(fit_->squares_of_columns(mode).data(), rank);
      const Eigen::ArrayXXd scales = balancing_scales(squares);
      for (int mode = 0; mode < order; ++mode) {
        Eigen::ArrayXd by_column = Eigen::ArrayXd::Zero(state_.factors[0].stride());
        by_column.head(rank) = scales.col(mode);
        fit_->scale(mode, by_column.data());
      }
    });
  }

  double validation_rmse() const override {
    if (!has_validation_) return std::numeric_limits<double>::quiet_NaN();
    const double squares = on_gpu([&] { return fit_->squares_on_validation(state_.level, state_.scale); });
    return std::sqrt(squares / static_cast<double>(cells_of_validation_));
  }

 private:
  bool has_validation_;
  std::size_t cells_of_validation_;
  std::unique_ptr<gpu::Completion> fit_;
  mutable CompletionState state_;  // whose factors are the GPU's, unless they have changed there
  mutable bool changed_ = false;
};

// Of a row's least squares: its matrix is in the memory that the cores of the GPU share.
constexpr int kMostRank = 128;

// What a GPU has no kernels for, the CPU computes.
class Cuda final : public Device {
 public:
  explicit Cuda(int number) : gpu_(open_gpu(number)), name_(fmt::format("cuda:{}", number)) {}

  std::string_view name() const override { return name_; }

  std::unique_ptr<CpSweeps> cp_sweeps(const DenseTensor& tensor) const override {
    return cpu().cp_sweeps(tensor);
  }
  std::unique_ptr<CpSweeps> cp_sweeps(const SparseTensor& tensor) const override {
    return std::make_unique<CudaSweeps>(*gpu_, tensor);
  }
  std::unique_ptr<TuckerSweeps> tucker_sweeps(const DenseTensor& tensor) const override {
    return cpu().tucker_sweeps(tensor);
  }
  std::unique_ptr<TuckerSweeps> tucker_sweeps(const SparseTensor& tensor) const override {
    return cpu().tucker_sweeps(tensor);
  }
  std::unique_ptr<CpCompletion> cp_completion(const SparseTensor& observed, const SparseTensor* validation,
                                              const CompletionState& state) const override {
    if (state.factors[0].columns() > kMostRank) return cpu().cp_completion(observed, validation, state);
    return std::make_unique<CudaCompletion>(*gpu_, observed, validation, state);
  }
  std::unique_ptr<ClippedCells> clipped_cells(const SparseTensor& observed, const ModelLayout& layout,
                                              const Standard& standard, double share) const override {
    return cpu().clipped_cells(observed, layout, standard, share);
  }
  std::unique_ptr<ClippedSlices> clipped_slices(const SparseTensor& observed, const ModelLayout& layout,
                                                int mode, SliceTables tables) const override {
    return cpu().clipped_slices(observed, layout, mode, std::move(tables));
  }
  std::unique_ptr<ClippedExamples> clipped_examples(FloatMatrix prepared, std::vector<int> labels,
                                                    const NetworkLayout& layout) const override {
    return cpu().clipped_examples(std::move(prepared), std::move(labels), layout);
  }

 private:
  std::unique_ptr<gpu::Gpu> gpu_;
  std::string name_;
};

}  // namespace

const Device& cuda(int number) {
  static std::mutex mutex;
  static std::map<int, Cuda> all;
  const std::scoped_lock lock(mutex);
  return all.try_emplace(number, number).first->second;
}

const Device& device_of(const std::string& name) {
  if (name == "cpu") return cpu();
  if (name == "cuda") return cuda();
  constexpr std::string_view kNumbered = "cuda:";
  int number = 0;
  const char* const end = name.data() + name.size();
  if (name.starts_with(kNumbered)) {
    const auto [stop, error] = std::from_chars(name.data() + kNumbered.size(), end, number);
    if (error == std::errc() && stop == end && number >= 0) return cuda(number);
  }
  fail_usage("device {} is unknown; it is one of: cpu, cuda, cuda:N (the GPU of number N, from 0)", name);
}

}  // namespace tulle
