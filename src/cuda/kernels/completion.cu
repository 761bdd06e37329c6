// Completion of observed cells by least squares, row by row.
#include "columns.cuh"
#include "fits.cuh"
#include "row_solves.cuh"

#include <algorithm>

namespace tulle::gpu {
namespace {

constexpr std::size_t kMostSums = std::size_t{1} << 28;  // doubles at a time: 2 GiB

struct ValidationReads {
  const std::uint32_t* positions[kMostOrder];
  const double* factors[kMostOrder];
  const double* offsets[kMostOrder];
  const float* values;
  int order, stride, rank;
  double level, scale;
};

// Of a run of cells per block, so that the order of the sum does not depend on the GPU.
__global__ void sum_squared_errors(ValidationReads from, std::size_t count, double* parts) {
  constexpr int kCells = 8;  // per thread
  __shared__ double sums[256];
  double sum = 0;
  for (int turn = 0; turn < kCells; ++turn) {
    const std::size_t cell = (blockIdx.x * static_cast<std::size_t>(kCells) + turn) * 256 + threadIdx.x;
    if (cell >= count) break;
    double model = 0;
    for (int r = 0; r < from.rank; ++r) {
      double product = 1;
      for (int m = 0; m < from.order; ++m)
        product *= from.factors[m][from.positions[m][cell] * static_cast<std::size_t>(from.stride) + r];
      model += product;
    }
    for (int m = 0; m < from.order; ++m) model += from.offsets[m][from.positions[m][cell]];
    const double error = from.values[cell] - (from.level + from.scale * model);
    sum += error * error;
  }
  sums[threadIdx.x] = sum;
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) parts[blockIdx.x] = sums[0];
}

class RowCompletion final : public Completion {
 public:
  RowCompletion(std::span<const SortedList> lists, const FactorSizes& sizes, bool offsets)
      : sizes_(sizes), has_offsets_(offsets), lists_(lists.begin(), lists.end()) {
    for (std::size_t mode = 0; mode < lists.size(); ++mode) {
      factors_.emplace_back(size_of(mode));
      offsets_.emplace_back(sizes.rows[mode]);
    }
  }

  void set(int mode, const double* factor, const double* offsets) override {
    factors_[static_cast<std::size_t>(mode)].set(factor);
    offsets_[static_cast<std::size_t>(mode)].set(offsets);
  }
  void get(int mode, double* factor, double* offsets) override {
    factors_[static_cast<std::size_t>(mode)].get(factor);
    offsets_[static_cast<std::size_t>(mode)].get(offsets);
  }
  void forget_variances() override { variances_.clear(); }

  RowSums update(int mode, std::span<const double> ridge, double noise, Measure measure) override {
    const List& list = lists_[static_cast<std::size_t>(mode)];
    if (measure == Measure::variances && variances_.empty()) begin_variances();
    ridge_.assign(ridge);
    const RowTargets targets = targets_of(mode, list.rows(), noise, measure);
    solve_in_batches(list, measure == Measure::variances, targets);
    const int size = targets.outcome_size();
    const std::vector<double> all = columns_.sums(outcome_.data(), list.rows(), size, size);
    if (measure == Measure::errors) return {.rows = list.rows(), .squares = all[0]};
    return {list.rows(), all[0], all[1], all[2], {all.begin() + 3, all.end()}};
  }

  std::vector<double> squares_of_columns(int mode) override {
    const auto at = static_cast<std::size_t>(mode);
    return columns_.products(factors_[at].data(), factors_[at].data(), sizes_.rows[at], sizes_.stride,
                             sizes_.rank);
  }
  void scale(int mode, const double* by_column) override {
    const auto at = static_cast<std::size_t>(mode);
    columns_.scale(factors_[at].data(), sizes_.rows[at], sizes_.stride, by_column);
  }

  void validate_on(std::vector<std::span<const std::uint32_t>> columns,
                   std::span<const float> values) override {
    for (const std::span<const std::uint32_t> column : columns) validation_positions_.emplace_back(column);
    validation_values_ = Buffer<float>(values);
  }
  double squares_on_validation(double level, double scale) override {
    ValidationReads reads{.values = validation_values_.data(),
                          .order = static_cast<int>(factors_.size()),
                          .stride = sizes_.stride,
                          .rank = sizes_.rank,
                          .level = level,
                          .scale = scale};
    for (std::size_t mode = 0; mode < factors_.size(); ++mode) {
      reads.positions[mode] = validation_positions_[mode].data();
      reads.factors[mode] = factors_[mode].data();
      reads.offsets[mode] = offsets_[mode].data();
    }
    const std::size_t count = validation_values_.size();
    const unsigned blocks = blocks_for(count, 256 * 8);
    if (blocks == 0) return 0;
    validation_parts_.grow(blocks);
    sum_squared_errors<<<blocks, 256>>>(reads, count, validation_parts_.data());
    check(cudaGetLastError());
    return columns_.sums(validation_parts_.data(), blocks, 1, 1).front();
  }

 private:
  std::size_t size_of(std::size_t mode) const {
    return sizes_.rows[mode] * static_cast<std::size_t>(sizes_.stride);
  }

  void begin_variances() {
    for (std::size_t mode = 0; mode < factors_.size(); ++mode) {
      variances_.emplace_back(size_of(mode));
      variances_.back().clear();
    }
  }

  RowTargets targets_of(int mode, std::size_t rows, double noise, Measure measure) {
    const auto at = static_cast<std::size_t>(mode);
    RowTargets targets{.factor = factors_[at].data(),
                       .offsets = has_offsets_ ? offsets_[at].data() : nullptr,
                       .variances = measure == Measure::variances ? variances_[at].data() : nullptr,
                       .ridge = ridge_.data(),
                       .noise = noise,
                       .rank = sizes_.rank,
                       .inverses = measure != Measure::errors};
    outcome_.grow(rows * static_cast<std::size_t>(targets.outcome_size()));
    targets.outcome = outcome_.data();
    return targets;
  }

  // As many rows at a time as there is memory for.
  void solve_in_batches(const List& list, bool uncertain, const RowTargets& targets) {
    const SumLayout layout{sizes_.stride};
    const Reads reads =
        list.reads(pointers(factors_), pointers(variances_), pointers(offsets_), sizes_.stride);
    const std::size_t most = std::max<std::size_t>(1, kMostSums / static_cast<std::size_t>(layout.size()));
    for (std::size_t first = 0, last = 0; first < list.rows(); first = last) {
      const std::size_t begin = list.first_segment(first);
      for (last = first + 1; last < list.rows() && list.first_segment(last + 1) - begin <= most;) ++last;
      const std::size_t segments = list.first_segment(last) - begin;
      sums_.grow(segments * layout.size());
      sum_segments(reads, list.segment_list() + begin, segments, uncertain, sums_.data());
      solve_rows(layout, sums_.data(), list, first, last - first, targets);
    }
  }

  static std::vector<const double*> pointers(const std::vector<Buffer<double>>& buffers) {
    std::vector<const double*> all;
    for (const Buffer<double>& buffer : buffers) all.push_back(buffer.data());
    return all;
  }

  FactorSizes sizes_;
  bool has_offsets_;
  std::vector<List> lists_;  // by mode
  std::vector<Buffer<double>> factors_, offsets_, variances_;
  Buffer<double> ridge_, sums_, outcome_, validation_parts_;
  std::vector<Buffer<std::uint32_t>> validation_positions_;
  Buffer<float> validation_values_;
  Columns columns_;
};

}  // namespace

std::unique_ptr<Completion> row_completion(std::span<const SortedList> lists, const FactorSizes& sizes,
                                           bool offsets) {
  return std::make_unique<RowCompletion>(lists, sizes, offsets);
}

}  // namespace tulle::gpu
