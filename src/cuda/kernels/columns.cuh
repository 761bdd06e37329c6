// Columns of tall matrices: sums over the rows, in a fixed order (over chunks of rows, then over the chunks),
// and scaling.
#pragma once

#include "buffer.cuh"

namespace tulle::gpu {

class Columns {
 public:
  // of[row * stride + column] * by[row * stride + column] for column < columns.
  std::vector<double> products(const double* of, const double* by, std::size_t rows, int stride, int columns);
  std::vector<double> sums(const double* of, std::size_t rows, int stride, int columns);
  // columns x columns: sum over rows of of[row, i] of[row, j].
  void gram(const double* of, std::size_t rows, int columns, double* result);
  // Multiplies every column by its number.
  void scale(double* matrix, std::size_t rows, int columns, const double* by_column);

 private:
  std::vector<double> finish(std::size_t chunks, int columns);

  Buffer<double> parts_, total_, scales_;
};

}  // namespace tulle::gpu
