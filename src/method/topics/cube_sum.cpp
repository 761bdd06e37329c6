#include "cube_sum.hpp"

#include <tulle/base/chunks.hpp>

#include <cmath>
#include <limits>

namespace tulle {

// Slice j of every row of the unfolding belongs to one thread: A^T diag(column j of B) C.
void add_cubes(const Matrix& a, const Matrix& b, const Matrix& c, Cube& tensor) {
  const Eigen::Index size = c.cols();
  const auto work = static_cast<std::size_t>(a.size() * b.cols() * c.cols());
#pragma omp parallel for schedule(static) if (work > kWorthThreads)
  for (Eigen::Index j = 0; j < b.cols(); ++j) {
    const Matrix scaled = b.col(j).asDiagonal() * c;
    const Matrix sum = a.transpose() * scaled;  // apart: Eigen would add to the total several times
    tensor.middleCols(j * size, size) += sum;
  }
}

// Within the panel that holds the summand, the rounding error of a sum of p numbers of at most 1 is at most
// p^2 u. The later panels add up to at most `count`, and each addition rounds by at most u times that. The
// sums of both neighbours have such errors, and each summand itself took a few roundings.
double rounding_of_sums(std::uint64_t count, std::uint64_t numbers) {
  const double unit = std::numeric_limits<double>::epsilon(), panel = static_cast<double>(kCubePanel);
  const double panels = std::ceil(static_cast<double>(count) / panel);
  return 16 * unit * (panel * panel + panels * static_cast<double>(count)) *
         std::sqrt(static_cast<double>(numbers));
}

}  // namespace tulle
