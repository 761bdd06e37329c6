// Sums of rows' normal equations (tensor/kernels/normal_equations.hpp), by the tensor unit for doubles: a
// warp per segment adds up h h^T in tiles of 8 x 8, four cells a step.
#pragma once

#include "list.cuh"

namespace tulle::gpu {

// The sums of one segment: sum h h^T, row by row; sum y h, sum h and the variances of h, by column; sum y,
// sum y^2, the number of cells.
struct SumLayout {
  int stride;

  __host__ __device__ int gram(int i, int j) const { return i * stride + j; }
  __host__ __device__ int right() const { return stride * stride; }
  __host__ __device__ int total() const { return right() + stride; }
  __host__ __device__ int variance() const { return total() + stride; }
  __host__ __device__ int value_total() const { return variance() + stride; }
  __host__ __device__ int value_square() const { return value_total() + 1; }
  __host__ __device__ int count() const { return value_total() + 2; }
  __host__ __device__ int size() const { return value_total() + 4; }  // even, for aligned pairs
};

// Writes layout.size() numbers per segment. Variances are written only if `uncertain`.
void sum_segments(const Reads& from, const Segment* segments, std::size_t count, bool uncertain,
                  double* sums);

}  // namespace tulle::gpu
