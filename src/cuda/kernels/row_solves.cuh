// Least squares for every row, from the sums over its segments.
#pragma once

#include "normal_equations.cuh"

namespace tulle::gpu {

struct RowTargets {
  double* factor;
  double* offsets;      // null: none are fitted
  double* variances;    // of the factor's elements, to be set; null: they are not needed
  const double* ridge;  // of every unknown: columns, then the offset
  double noise;
  int rank;
  // By row of the list, outcome_size() numbers: squares, uncertainty, freedom and moments, as in gpu.hpp; or
  // squares alone, without inverses.
  double* outcome;
  bool inverses;

  __host__ __device__ int outcome_size() const { return inverses ? rank + 4 : 1; }
};

// Of rows first .. first + count of a list; the sums are those of their segments, and are added up in place.
void solve_rows(const SumLayout& layout, double* sums, const List& list, std::size_t first, std::size_t count,
                const RowTargets& targets);

}  // namespace tulle::gpu
