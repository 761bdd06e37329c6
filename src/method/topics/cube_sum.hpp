// Sums over many rows: by panels, which are added up in order.
#pragma once

#include <tulle/solve/topics/power.hpp>
#include <tulle/tensor/matrix.hpp>

#include <algorithm>
#include <cstdint>

namespace tulle {

inline constexpr Eigen::Index kCubePanel = 4096;  // rows that are added at a time

// tensor += sum over the rows r of a_r x b_r x c_r. Bit-identical for any number of threads.
void add_cubes(const Matrix& a, const Matrix& b, const Matrix& c, Cube& tensor);

using PanelOfRows = Eigen::Ref<const Matrix>;

// The sum of of(panel) over all panels, a vector of `numbers` coordinates. Bit-identical for any number of
// threads.
template <class Of>
Vector sum_of_panels(const Matrix& rows, Eigen::Index numbers, Of&& of) {
  Vector sum = Vector::Zero(numbers);
#pragma omp parallel for ordered schedule(dynamic) if (rows.rows() > kCubePanel)
  for (Eigen::Index first = 0; first < rows.rows(); first += kCubePanel) {
    const Vector part = of(rows.middleRows(first, std::min(kCubePanel, rows.rows() - first)));
#pragma omp ordered
    sum += part;
  }
  return sum;
}

// What rounding adds, in L2, to the change of the sum when one of `count` summands of norm at most 1 is
// replaced: a vector of `numbers` coordinates that is added up by panels.
double rounding_of_sums(std::uint64_t count, std::uint64_t numbers);

}  // namespace tulle
