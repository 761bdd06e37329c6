// Alternating least squares of sparse data: MTTKRP and the row solves.
#include "columns.cuh"
#include "fits.cuh"
#include "list.cuh"

namespace tulle::gpu {
namespace {

// Two columns of one segment's sum per thread.
template <int Others>
__global__ void sum_segments(Reads from, const Segment* segments, std::size_t count, double* parts) {
  const std::size_t thread = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  const int pairs = from.stride / 2, pair = static_cast<int>(thread % pairs);
  const std::size_t number = thread / pairs;
  if (number >= count) return;
  const Segment segment = segments[number];
  const int others = Others > 0 ? Others : from.others;
  double2 sum{0, 0};
#pragma unroll 4
  for (std::size_t cell = segment.begin; cell < segment.end; ++cell) {
    const std::uint32_t* const position = from.positions + cell * others;
    const double value = from.values[cell];
    double2 product{value, value};
    for (int k = 0; k < others; ++k) {
      const double2 row = reinterpret_cast<const double2*>(
          from.factors[k])[position[k] * static_cast<std::size_t>(pairs) + pair];
      product.x *= row.x;
      product.y *= row.y;
    }
    sum.x += product.x;
    sum.y += product.y;
  }
  reinterpret_cast<double2*>(parts)[thread] = sum;
}

__global__ void add_segments(const double* parts, const std::uint32_t* first_segments,
                             const std::uint32_t* rows, std::size_t count, int stride, double* result) {
  const std::size_t thread = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  const std::size_t row = thread / stride, column = thread % stride;
  if (row >= count) return;
  double sum = 0;
  for (std::size_t s = first_segments[row]; s < first_segments[row + 1]; ++s)
    sum += parts[s * stride + column];
  result[rows[row] * static_cast<std::size_t>(stride) + column] = sum;
}

__global__ void multiply_rows(const double* rows, std::size_t count, int columns, const double* matrix,
                              double* result) {
  const std::size_t thread = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  const std::size_t row = thread / columns, column = thread % columns;
  if (row >= count) return;
  double sum = 0;
  for (int k = 0; k < columns; ++k) sum += rows[row * columns + k] * matrix[k * columns + column];
  result[row * columns + column] = sum;
}

class SparseSweeps final : public Sweeps {
 public:
  SparseSweeps(std::span<const SortedList> lists, std::vector<std::size_t> rows)
      : sizes_{std::move(rows)}, lists_(lists.begin(), lists.end()), factors_(lists.size()) {}

  void mttkrp(std::span<const double* const> factors, int stride, int mode, double* result) override {
    std::vector<Buffer<double>> held;
    std::vector<const double*> copies;
    for (std::size_t m = 0; m < factors.size(); ++m) {
      held.emplace_back(std::span(factors[m], sizes_.rows[m] * static_cast<std::size_t>(stride)));
      copies.push_back(held.back().data());
    }
    multiply(copies, stride, mode);
    const std::size_t size = sizes_.rows[static_cast<std::size_t>(mode)] * static_cast<std::size_t>(stride);
    check(cudaMemcpy(result, product_.data(), size * sizeof(double), cudaMemcpyDeviceToHost));
  }

  void start(int stride) override { sizes_.stride = stride; }
  void set(int mode, const double* factor) override {
    const auto at = static_cast<std::size_t>(mode);
    factors_[at] = Buffer<double>(std::span(factor, size_of(at)));
  }
  void get(int mode, double* factor) override { factors_[static_cast<std::size_t>(mode)].get(factor); }
  void gram(int mode, double* result) override {
    const auto at = static_cast<std::size_t>(mode);
    columns_.gram(factors_[at].data(), sizes_.rows[at], sizes_.stride, result);
  }

  double update(int mode, const double* matrix, bool inner) override {
    const auto at = static_cast<std::size_t>(mode);
    std::vector<const double*> factors;
    for (const Buffer<double>& factor : factors_) factors.push_back(factor.data());
    multiply(factors, sizes_.stride, mode);
    const int columns = sizes_.stride;
    const auto squared = static_cast<std::size_t>(columns) * columns;
    right_.assign(std::span(matrix, squared));
    multiply_rows<<<blocks_for(size_of(at), 256), 256>>>(product_.data(), sizes_.rows[at], columns,
                                                         right_.data(), factors_[at].data());
    check(cudaGetLastError());
    double sum = 0;
    if (inner)
      for (const double each :
           columns_.products(product_.data(), factors_[at].data(), sizes_.rows[at], columns, columns))
        sum += each;
    return sum;
  }

  void scale(int mode, const double* by_column) override {
    const auto at = static_cast<std::size_t>(mode);
    columns_.scale(factors_[at].data(), sizes_.rows[at], sizes_.stride, by_column);
  }

 private:
  std::size_t size_of(std::size_t mode) const {
    return sizes_.rows[mode] * static_cast<std::size_t>(sizes_.stride);
  }

  // The product of every row; rows without cells have zeros.
  void multiply(std::span<const double* const> factors, int width, int mode) {
    const List& list = lists_[static_cast<std::size_t>(mode)];
    const auto stride = static_cast<std::size_t>(width);
    const std::size_t size = sizes_.rows[static_cast<std::size_t>(mode)] * stride;
    product_.grow(size);
    check(cudaMemsetAsync(product_.data(), 0, size * sizeof(double)));
    if (list.segments() == 0) return;
    parts_.grow(list.segments() * stride);
    const Reads reads = list.reads(factors, {}, {}, width);
    const unsigned blocks = blocks_for(list.segments() * stride / 2, 256);
    const auto sum = reads.others == 1   ? sum_segments<1>
                     : reads.others == 2 ? sum_segments<2>
                                         : sum_segments<0>;
    sum<<<blocks, 256>>>(reads, list.segment_list(), list.segments(), parts_.data());
    add_segments<<<blocks_for(list.rows() * stride, 256), 256>>>(
        parts_.data(), list.first_segments(), list.row_positions(), list.rows(), width, product_.data());
    check(cudaGetLastError());
  }

  FactorSizes sizes_;
  std::vector<List> lists_;  // by mode
  std::vector<Buffer<double>> factors_;
  Buffer<double> product_, parts_, right_;
  Columns columns_;
};

}  // namespace

std::unique_ptr<Sweeps> sparse_sweeps(std::span<const SortedList> lists, std::vector<std::size_t> rows) {
  return std::make_unique<SparseSweeps>(lists, std::move(rows));
}

}  // namespace tulle::gpu
