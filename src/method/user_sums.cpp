#include "user_sums.hpp"

#include <algorithm>

namespace tulle {
namespace {

constexpr double kRoundedDown = 1 - 1e-9;

// Of what the cells of one user add to the sums of one mode.
double squared_length(const UserCells& data, std::span<const std::size_t> cells, int mode, Eigen::Index width,
                      const NumbersOfCell& numbers_of_cell) {
  const auto column = data.tensor.column(mode);
  std::vector<std::size_t> sorted(cells.begin(), cells.end());
  std::ranges::stable_sort(sorted, {}, [&](std::size_t cell) { return column[cell]; });
  double square = 0;
  Vector sum = Vector::Zero(width), numbers(width);
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    numbers_of_cell(sorted[k], numbers);
    sum += numbers;
    if (k + 1 < sorted.size() && column[sorted[k]] == column[sorted[k + 1]]) continue;
    square += sum.squaredNorm();
    sum.setZero();
  }
  return square;
}

}  // namespace

std::vector<double> sums_of_equal_users(const UserCells& data, std::span<const int> modes, Eigen::Index width,
                                        double length, const NumbersOfCell& numbers_of_cell) {
  const CellsByPosition& users = data.groups[data.users];
  std::vector<double> weights(users.positions());
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t u = 0; u < users.positions(); ++u) {
    double square = 0;
    for (int mode : modes) square += squared_length(data, users.cells(u), mode, width, numbers_of_cell);
    weights[u] = square > 1e-200 ? kRoundedDown * length / std::sqrt(square) : 0;
  }
  std::vector<double> sums;
  for (int mode : modes) {
    const CellsByPosition& positions = data.groups[mode];
    const std::size_t begin = sums.size();
    sums.resize(begin + positions.positions() * static_cast<std::size_t>(width));
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t j = 0; j < positions.positions(); ++j) {
      Eigen::Map<Vector> sum(sums.data() + begin + j * static_cast<std::size_t>(width), width);
      Vector numbers(width);
      for (std::size_t cell : positions.cells(j)) {
        numbers_of_cell(cell, numbers);
        sum += weights[data.tensor.cells()(cell, data.users)] * numbers;
      }
    }
  }
  return sums;
}

}  // namespace tulle
