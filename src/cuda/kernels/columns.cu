#include "columns.cuh"

namespace tulle::gpu {
namespace {

constexpr std::size_t kChunk = 128;  // rows
constexpr unsigned kThreads = 128;

__global__ void sum_products(const double* of, const double* by, std::size_t rows, int stride, int columns,
                             double* parts) {
  const std::size_t first = blockIdx.x * kChunk, last = min(first + kChunk, rows);
  for (int column = static_cast<int>(threadIdx.x); column < columns; column += static_cast<int>(blockDim.x)) {
    double sum = 0;
#pragma unroll 4
    for (std::size_t row = first; row < last; ++row) {
      const double value = of[row * stride + column];
      sum += by == nullptr ? value : value * by[row * stride + column];
    }
    parts[blockIdx.x * static_cast<std::size_t>(columns) + column] = sum;
  }
}

__global__ void sum_grams(const double* of, std::size_t rows, int columns, double* parts) {
  const std::size_t first = blockIdx.x * kChunk, last = min(first + kChunk, rows);
  for (int pair = static_cast<int>(threadIdx.x); pair < columns * columns;
       pair += static_cast<int>(blockDim.x)) {
    const int i = pair / columns, j = pair % columns;
    double sum = 0;
#pragma unroll 4
    for (std::size_t row = first; row < last; ++row) sum += of[row * columns + i] * of[row * columns + j];
    parts[blockIdx.x * static_cast<std::size_t>(columns * columns) + pair] = sum;
  }
}

// One block per column: each thread adds every 128th chunk, then pairs of threads add up.
__global__ void sum_chunks(const double* parts, std::size_t chunks, int columns, double* total) {
  __shared__ double sums[kThreads];
  double sum = 0;
  for (std::size_t chunk = threadIdx.x; chunk < chunks; chunk += kThreads)
    sum += parts[chunk * columns + blockIdx.x];
  sums[threadIdx.x] = sum;
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0) total[blockIdx.x] = sums[0];
}

__global__ void scale_all(double* matrix, std::size_t size, int columns, const double* by_column) {
  const std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  if (i < size) matrix[i] *= by_column[i % columns];
}

}  // namespace

std::vector<double> Columns::finish(std::size_t chunks, int columns) {
  total_.grow(static_cast<std::size_t>(columns));
  sum_chunks<<<static_cast<unsigned>(columns), kThreads>>>(parts_.data(), chunks, columns, total_.data());
  check(cudaGetLastError());
  return total_.first(static_cast<std::size_t>(columns));
}

std::vector<double> Columns::products(const double* of, const double* by, std::size_t rows, int stride,
                                      int columns) {
  if (rows == 0) return std::vector<double>(static_cast<std::size_t>(columns));
  const unsigned chunks = blocks_for(rows, kChunk);
  parts_.grow(static_cast<std::size_t>(chunks) * columns);
  sum_products<<<chunks, kThreads>>>(of, by, rows, stride, columns, parts_.data());
  check(cudaGetLastError());
  return finish(chunks, columns);
}

std::vector<double> Columns::sums(const double* of, std::size_t rows, int stride, int columns) {
  return products(of, nullptr, rows, stride, columns);
}

void Columns::gram(const double* of, std::size_t rows, int columns, double* result) {
  const unsigned chunks = blocks_for(rows, kChunk);
  parts_.grow(static_cast<std::size_t>(chunks) * columns * columns);
  sum_grams<<<chunks, kThreads>>>(of, rows, columns, parts_.data());
  check(cudaGetLastError());
  const std::vector<double> total = finish(chunks, columns * columns);
  std::copy(total.begin(), total.end(), result);
}

void Columns::scale(double* matrix, std::size_t rows, int columns, const double* by_column) {
  scales_.assign(std::span(by_column, static_cast<std::size_t>(columns)));
  scale_all<<<blocks_for(rows * columns, 256), 256>>>(matrix, rows * columns, columns, scales_.data());
  check(cudaGetLastError());
}

}  // namespace tulle::gpu
