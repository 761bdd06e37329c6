#include "user_sums.hpp"

#include <tulle/base/sum_grid.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

// What the cells of one user add to the sums: for each mode and each position that she has cells at, the sum
// of their numbers.
class UserVector {
 public:
  UserVector(const UserCells& data, std::span<const int> modes, Eigen::Index width)
      : data_(data), modes_(modes), width_(static_cast<std::size_t>(width)), of_cell_(width) {
    std::size_t begin = 0;
    for (int mode : modes) {
      begins_.push_back(begin);
      begin += data.groups[mode].positions() * width_;
    }
  }

  void fill(std::span<const std::size_t> cells, const NumbersOfCell& numbers_of_cell) {
    places_.clear();
    numbers_.clear();
    for (std::size_t m = 0; m < modes_.size(); ++m) {
      const auto column = data_.tensor.column(modes_[m]);
      sorted_.assign(cells.begin(), cells.end());
      std::ranges::stable_sort(sorted_, {}, [&](std::size_t cell) { return column[cell]; });
      for (std::size_t k = 0; k < sorted_.size(); ++k) {
        if (k == 0 || column[sorted_[k]] != column[sorted_[k - 1]]) {
          places_.push_back(begins_[m] + column[sorted_[k]] * width_);
          numbers_.resize(numbers_.size() + width_);
        }
        numbers_of_cell(sorted_[k], of_cell_);
        double* const sum = numbers_.data() + numbers_.size() - width_;
        for (std::size_t i = 0; i < width_; ++i) sum[i] += of_cell_[static_cast<Eigen::Index>(i)];
      }
    }
  }

  double length() const {
    double square = 0;
    for (double number : numbers_) square += number * number;
    return std::sqrt(square);
  }

  void add_to(std::vector<double>& sums, double weight, const SumGrid& grid) const {
    const double* number = numbers_.data();
    for (std::size_t place : places_)
      for (std::size_t i = 0; i < width_; ++i) sums[place + i] += grid.round(weight * *number++);
  }

 private:
  const UserCells& data_;
  std::span<const int> modes_;
  std::size_t width_;
  std::vector<std::size_t> begins_;  // of the sums of each mode
  Vector of_cell_;
  std::vector<std::size_t> sorted_, places_;
  std::vector<double> numbers_;  // `width` for each place
};

}  // namespace

// Her length is computed from at most as many squares as there are sums, K, and is off by K units in the last
// place or less; rounding to the grid makes her vector longer by at most sqrt(K) / 2 steps. Her vector is
// shortened by more than both. Her weight does not depend on how many users there are, only on how many there
// may be.
std::vector<double> sums_of_equal_users(const UserCells& data, double most_users, std::span<const int> modes,
                                        Eigen::Index width, double length,
                                        const NumbersOfCell& numbers_of_cell) {
  const CellsByPosition& users = data.groups[data.users];
  std::size_t count = 0;
  for (int mode : modes) count += data.groups[mode].positions() * static_cast<std::size_t>(width);
  const auto numbers = static_cast<double>(count);
  const SumGrid grid(length, most_users);
  const double shortened =
      std::max(0.0, length * (1 - (numbers + 16) * 0x1p-51) - std::sqrt(numbers) * grid.step());
  std::vector<double> sums(count);
#pragma omp parallel
  {
    UserVector own(data, modes, width);
    std::vector<double> part(count);
#pragma omp for schedule(dynamic, 16)
    for (std::size_t u = 0; u < users.positions(); ++u) {
      own.fill(users.cells(u), numbers_of_cell);
      const double own_length = own.length();
      if (own_length > 1e-100 && std::isfinite(own_length)) own.add_to(part, shortened / own_length, grid);
    }
#pragma omp critical
    for (std::size_t i = 0; i < count; ++i) sums[i] += part[i];
  }
  return sums;
}

}  // namespace tulle
