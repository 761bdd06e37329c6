// The vector of one user: what she adds to sums over users.
#pragma once

#include "held_users.hpp"

#include <tulle/base/prefetch.hpp>
#include <tulle/base/rounding.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace tulle {

// Where the positions of each mode begin if the modes follow one another, and where the last ends.
std::vector<std::size_t> begins_of_modes(const UserCells& data, std::span<const std::size_t> shared);

// sums[i] += weight * numbers[i], in the caller's rounding.
void add_multiple(const double* numbers, std::size_t count, double weight, double* sums);

// For each of some shared modes and each position that she has cells at, the sum of their numbers. The sum of
// a position with one cell is not held but computed when it is needed. The memory is kept from user to user.
class UserVector {
 public:
  UserVector(const UserCells& data, std::span<const std::size_t> shared, std::size_t width);

  // Returns the length of the vector.
  template <class Terms>
  double fill(std::size_t user, const HeldUsers& held, Terms& terms) {
    clear();
    double square = 0;
    for (std::size_t m = 0; m < shared_.size(); ++m) {
      group(m, user);
      for (std::size_t cell = data_.begin(user); cell < data_.end(user); ++cell) {
        terms.prefetch_others(cell + kLookAhead);
        const std::size_t position = begins_[m] + data_.positions(cell)[shared_[m]];
        const HeldCell numbers = held.held(user, cell);
        if (double* const sums = held_sums(position)) {
          terms.add(numbers, 1, sums);
        } else {
          square += terms.square(numbers);
          alone_.push_back({numbers, position});
        }
      }
    }
    return std::sqrt(square + square_of_held());
  }

  // Adds to sums that began with the shift of a SumGrid, rounding down to it.
  template <class Terms>
  void add_to(double* sums, double weight, Terms& terms) const {
    const Rounding rounding = Rounding::down();
    for (std::size_t i = 0; i < alone_.size(); ++i) {
      const Alone& alone = alone_[i];
      const Alone& next = alone_[std::min(i + kLookAhead, alone_.size() - 1)];
      terms.prefetch_others(next.numbers.cell);
      prefetch_to_write(sums + next.position * width_, width_);
      terms.add(alone.numbers, weight, sums + alone.position * width_);
    }
    add_held_to(sums, weight);
  }

 private:
  struct Alone {
    HeldCell numbers;      // of a cell that has its position to itself
    std::size_t position;  // counted over all the modes
  };
  static constexpr std::size_t kLookAhead = 3;             // cells
  static constexpr std::uint32_t kFree = 0, kOneCell = 1;  // above: number of the held position, plus 2

  void clear();
  void group(std::size_t m, std::size_t user);
  double* held_sums(std::size_t position) {
    const std::uint32_t state = states_[position];
    return state == kOneCell ? nullptr : numbers_.data() + (state - 2) * width_;
  }
  double square_of_held() const;
  void add_held_to(double* sums, double weight) const;

  const UserCells& data_;
  std::span<const std::size_t> shared_;
  std::size_t width_;
  std::vector<std::size_t> begins_;    // of the positions of each mode
  std::vector<std::uint32_t> states_;  // of every position
  std::vector<Alone> alone_;
  std::vector<std::size_t> held_;  // the other positions
  std::vector<double> numbers_;    // `width` for each of them
};

}  // namespace tulle
