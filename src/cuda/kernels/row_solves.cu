#include "row_solves.cuh"

#include <algorithm>

namespace tulle::gpu {
namespace {

constexpr double kSingular = 1e-13;  // of the largest pivot: an unknown below that is 0, and counts as known

// The sums of a row, and the matrix of least squares in them; unknown `rank` is the offset.
struct RowSystem {
  SumLayout layout;
  const double* sums;
  int rank;

  __device__ double matrix(int i, int j) const {
    if (i < rank && j < rank) return sums[layout.gram(i, j)];
    return sums[min(i, j) < rank ? layout.total() + min(i, j) : layout.count()];
  }
  __device__ double right(int i) const { return sums[i < rank ? layout.right() + i : layout.value_total()]; }
  __device__ double variance(int i, const RowTargets& targets) const {
    return i < rank && targets.variances != nullptr ? sums[layout.variance() + i] : 0;
  }
};

// What is stored of one unknown, and what it adds to the row's outcome.
struct Part {
  double squares = 0, uncertainty = 0, freedom = 0;
};

__device__ Part store(const RowSystem& system, const RowTargets& targets, std::uint32_t position,
                      double* outcome, int i, double x, double product, double inverse) {
  const std::size_t at = position * static_cast<std::size_t>(system.layout.stride) + i;
  if (i < system.rank)
    targets.factor[at] = x;
  else
    targets.offsets[position] = x;
  // sum (y - x^T (h, 1))^2 = sum y^2 - 2 x^T b + x^T S x, with the sums before any ridge.
  Part part{x * (product - 2 * system.right(i)), system.variance(i, targets) * x * x};
  if (!targets.inverses) return part;
  part.freedom = 1 - targets.ridge[i] * inverse;
  outcome[3 + i] = x * x + targets.noise * inverse;
  if (i < system.rank && targets.variances != nullptr) targets.variances[at] = targets.noise * inverse;
  return part;
}

__device__ void finish(const RowSystem& system, const RowTargets& targets, double* outcome, const Part& sum) {
  outcome[0] = max(0.0, system.sums[system.layout.value_square()] + sum.squares);
  if (!targets.inverses) return;
  outcome[1] = sum.uncertainty + targets.noise * sum.freedom;
  outcome[2] = sum.freedom;
  if (targets.offsets == nullptr) outcome[3 + system.rank] = 0;
}

// Over the lanes that share a row.
template <int Lanes>
__device__ double sum_over_lanes(double value) {
#pragma unroll
  for (int half = Lanes / 2; half > 0; half /= 2) value += __shfl_xor_sync(~0u, value, half, Lanes);
  return value;
}
template <int Lanes>
__device__ Part sum_over_lanes(const Part& part) {
  return {sum_over_lanes<Lanes>(part.squares), sum_over_lanes<Lanes>(part.uncertainty),
          sum_over_lanes<Lanes>(part.freedom)};
}

struct Rows {
  const std::uint32_t* first_segments;
  const std::uint32_t* positions;
  std::size_t first, count;

  __device__ std::size_t segment(std::size_t row) const {
    return first_segments[row] - first_segments[first];
  }
};

// Up to Size unknowns: a lane has a row of the matrix in registers, and then of L with L L^T = matrix.
template <int Size>
struct Small {
  static constexpr int kLanes = Size <= 16 ? 16 : 32;
  static constexpr unsigned kThreads = 128, kRows = kThreads / kLanes;

  static std::size_t bytes(const SumLayout& layout) {
    return kRows * (static_cast<std::size_t>(layout.size()) + Size * (Size + 2)) * sizeof(double);
  }
};

template <int Size>
__global__ void solve_small(SumLayout layout, const double* sums, Rows rows, RowTargets targets) {
  constexpr int kLanes = Small<Size>::kLanes;
  extern __shared__ double memory[];
  const int lane = static_cast<int>(threadIdx.x % kLanes), rank = targets.rank;
  const int size = rank + (targets.offsets != nullptr ? 1 : 0);
  const std::size_t number =
      min(blockIdx.x * static_cast<std::size_t>(Small<Size>::kRows) + threadIdx.x / kLanes,
          rows.count - 1);  // the last rows are solved again: a warp stays together
  const std::size_t row = rows.first + number;
  double* const own = memory + threadIdx.x / kLanes * (layout.size() + Size * (Size + 2));
  double *const lower = own + layout.size(), *const inverse = lower + Size * Size, *const x = inverse + Size;
  for (int i = lane; i < layout.size(); i += kLanes) own[i] = sums[rows.segment(row) * layout.size() + i];
  __syncwarp();
  const RowSystem system{layout, own, rank};

  double c[Size], y = lane < size ? system.right(lane) : 0, largest = 0;
#pragma unroll
  for (int j = 0; j < Size; ++j) {
    const bool is_there = lane < size && j < size;
    c[j] = is_there ? system.matrix(lane, j) : 0;
    if (is_there && lane == j) c[j] += system.variance(j, targets) + targets.ridge[j];
    largest = max(largest, __shfl_sync(~0u, c[j], j, kLanes));
  }
#pragma unroll
  for (int j = 0; j < Size; ++j) {
    const double pivot = __shfl_sync(~0u, c[j], j, kLanes);
    const double scale = pivot > kSingular * largest ? 1 / sqrt(pivot) : 0;
    if (lane == j) {
      inverse[j] = scale;
      y *= scale;
    }
    const double at_j = c[j] *= scale, y_j = __shfl_sync(~0u, y, j, kLanes);
    if (lane > j) y -= at_j * y_j;
#pragma unroll
    for (int k = j + 1; k < Size; ++k) c[k] -= at_j * __shfl_sync(~0u, at_j, k, kLanes);
  }
#pragma unroll
  for (int j = 0; j < Size; ++j)
    if (lane < Size) lower[lane * Size + j] = c[j];
  __syncwarp();
#pragma unroll
  for (int j = Size - 1; j >= 0; --j) {
    if (lane == j) y *= inverse[j];
    const double x_j = __shfl_sync(~0u, y, j, kLanes);
    if (lane < j) y -= lower[j * Size + lane] * x_j;
  }
  if (lane < Size) x[lane] = y;
  __syncwarp();

  // The diagonal of the inverse: column `lane` of L^-1 solves L z = e; its squares add up to the element.
  double of_inverse = 0;
  if (targets.inverses) {
    double z[Size];
#pragma unroll
    for (int i = 0; i < Size; ++i) {
      double sum = lane == i ? 1 : 0;
#pragma unroll
      for (int j = 0; j < i; ++j) sum -= lower[i * Size + j] * z[j];
      z[i] = lane <= i ? sum * inverse[i] : 0;
      of_inverse += z[i] * z[i];
    }
  }
  Part part;
  double* const outcome = targets.outcome + row * targets.outcome_size();
  if (lane < size) {
    double product = 0;
#pragma unroll
    for (int j = 0; j < Size; ++j)
      if (j < size) product += system.matrix(lane, j) * x[j];
    part = store(system, targets, rows.positions[row], outcome, lane, y, product, of_inverse);
  }
  part = sum_over_lanes<kLanes>(part);
  if (lane == 0) finish(system, targets, outcome, part);
}

// Any number of unknowns: a warp per row, the matrix in shared memory: U with U^T U = matrix, on and above
// the diagonal.
std::size_t bytes_of_large(int size, bool inverses) {
  return (static_cast<std::size_t>(size) * (size + 2 + (inverses ? 32 : 0))) * sizeof(double);
}

__device__ double diagonal_of_inverse(const double* upper, const double* inverse, int size, int k,
                                      double* x) {
  for (int j = k; j < size; ++j) x[j * 32] = 0;
  x[k * 32] = 1;
  double sum = 0;
  for (int j = k; j < size; ++j) {
    const double solved = x[j * 32] * inverse[j];
    sum += solved * solved;
    for (int i = j + 1; i < size; ++i) x[i * 32] -= solved * upper[j * size + i];
  }
  return sum;
}

__global__ void solve_large(SumLayout layout, const double* sums, Rows rows, RowTargets targets) {
  extern __shared__ double memory[];
  const int lane = static_cast<int>(threadIdx.x), rank = targets.rank;
  const int size = rank + (targets.offsets != nullptr ? 1 : 0);
  const std::size_t row = rows.first + blockIdx.x;
  double *const matrix = memory, *const x = matrix + size * size, *const inverse = x + size,
                *const scratch = inverse + size;
  const RowSystem system{layout, sums + rows.segment(row) * layout.size(), rank};
  double largest = 0;
  for (int i = 0; i < size; ++i)
    for (int j = i + lane; j < size; j += 32) {
      const double ridge = i == j ? system.variance(i, targets) + targets.ridge[i] : 0;
      matrix[i * size + j] = system.matrix(i, j) + ridge;
    }
  for (int i = lane; i < size; i += 32) x[i] = system.right(i);
  __syncwarp();
  for (int k = 0; k < size; ++k) largest = max(largest, matrix[k * size + k]);
  __syncwarp();
  for (int k = 0; k < size; ++k) {
    double* const pivot_row = matrix + k * size;
    const double pivot = pivot_row[k];
    const double scale = pivot > kSingular * largest ? 1 / sqrt(pivot) : 0;
    __syncwarp();
    for (int j = k + lane; j < size; j += 32) pivot_row[j] *= scale;
    if (lane == 0) {
      inverse[k] = scale;
      x[k] *= scale;
    }
    __syncwarp();
    for (int j = k + 1 + lane; j < size; j += 32) {
      const double at_j = pivot_row[j];
      for (int i = k + 1; i <= j; ++i) matrix[i * size + j] -= pivot_row[i] * at_j;
      x[j] -= at_j * x[k];
    }
    __syncwarp();
  }
  for (int k = size - 1; k >= 0; --k) {
    double sum = 0;
    for (int j = k + 1 + lane; j < size; j += 32) sum += matrix[k * size + j] * x[j];
    sum = sum_over_lanes<32>(sum);
    if (lane == 0) x[k] = (x[k] - sum) * inverse[k];
    __syncwarp();
  }
  Part part;
  double* const outcome = targets.outcome + row * targets.outcome_size();
  for (int i = lane; i < size; i += 32) {
    double product = 0;
    for (int j = 0; j < size; ++j) product += system.matrix(i, j) * x[j];
    const double own = targets.inverses ? diagonal_of_inverse(matrix, inverse, size, i, scratch + lane) : 0;
    const Part each = store(system, targets, rows.positions[row], outcome, i, x[i], product, own);
    part = {part.squares + each.squares, part.uncertainty + each.uncertainty, part.freedom + each.freedom};
  }
  part = sum_over_lanes<32>(part);
  if (lane == 0) finish(system, targets, outcome, part);
}

template <int Size>
void launch_small(const SumLayout& layout, const double* sums, const Rows& rows, const RowTargets& targets) {
  const std::size_t bytes = Small<Size>::bytes(layout);
  check(cudaFuncSetAttribute(solve_small<Size>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(bytes)));
  solve_small<Size><<<blocks_for(rows.count, Small<Size>::kRows), Small<Size>::kThreads, bytes>>>(
      layout, sums, rows, targets);
}

// Segments of a row, added up in their order into the first.
__global__ void join_segments(double* sums, int size, Rows rows, const std::uint32_t* long_rows,
                              std::size_t count) {
  const std::size_t thread = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  const std::size_t number = thread / size, place = thread % size;
  if (number >= count) return;
  const std::size_t begin = rows.segment(long_rows[number]), end = rows.segment(long_rows[number] + 1);
  double sum = 0;
  for (std::size_t s = begin; s < end; ++s) sum += sums[s * size + place];
  sums[begin * size + place] = sum;
}

}  // namespace

void solve_rows(const SumLayout& layout, double* sums, const List& list, std::size_t first, std::size_t count,
                const RowTargets& targets) {
  const Rows rows{list.first_segments(), list.row_positions(), first, count};
  const auto [long_rows, number] = list.long_rows(first, first + count);
  if (number > 0)
    join_segments<<<blocks_for(number * layout.size(), 256), 256>>>(sums, layout.size(), rows, long_rows,
                                                                    number);
  const int size = targets.rank + (targets.offsets != nullptr ? 1 : 0);
  if (size <= 8)
    launch_small<8>(layout, sums, rows, targets);
  else if (size <= 16)
    launch_small<16>(layout, sums, rows, targets);
  else if (size <= 20)
    launch_small<20>(layout, sums, rows, targets);
  else if (size <= 24)
    launch_small<24>(layout, sums, rows, targets);
  else if (size <= 32)
    launch_small<32>(layout, sums, rows, targets);
  else {
    const std::size_t bytes = bytes_of_large(size, targets.inverses);
    check(cudaFuncSetAttribute(solve_large, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)));
    solve_large<<<static_cast<unsigned>(count), 32, bytes>>>(layout, sums, rows, targets);
  }
  check(cudaGetLastError());
}

}  // namespace tulle::gpu
