// Sums over users in which no user weighs more than any other: what joint privacy releases.
#pragma once

#include "user_cells.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/base/large_pages.hpp>
#include <tulle/base/prefetch.hpp>
#include <tulle/base/sum_grid.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace tulle {

// What the cells of one user add to the sums: for each of some shared modes and each position that she has
// cells at, the sum of their numbers. A position with one cell is not held: its numbers are computed where
// they are needed. The memory is kept from user to user.
class UserVector {
 public:
  UserVector(const UserCells& data, std::span<const std::size_t> shared, std::size_t width);

  std::size_t size_of_sums() const { return states_.size() * width_; }

  // Returns the length of the user's vector.
  template <class Terms>
  double fill(std::size_t user, Terms& terms) {
    clear();
    double square = 0;
    for (std::size_t m = 0; m < shared_.size(); ++m) {
      group(m, user);
      for (std::size_t cell = data_.begin(user); cell < data_.end(user); ++cell) {
        const std::size_t position = begins_[m] + data_.positions(cell)[shared_[m]];
        if (double* const sums = held_sums(position)) {
          terms.add(cell, sums);
        } else {
          square += terms.square(cell);
          alone_.push_back({cell, position});
        }
      }
    }
    return std::sqrt(square + square_of_held());
  }

  template <class Terms>
  void add_to(double* sums, double weight, const SumGrid& grid, Terms& terms) const {
    for (std::size_t i = 0; i < alone_.size(); ++i) {
      // The next position's are in no cache.
      prefetch_to_write(sums + alone_[std::min(i + 2, alone_.size() - 1)].position * width_, width_);
      terms.add_rounded(alone_[i].cell, weight, grid.shift(), sums + alone_[i].position * width_);
    }
    add_held_to(sums, weight, grid.shift());
  }

 private:
  struct Alone {
    std::size_t cell, position;  // counted over all the modes
  };
  static constexpr std::uint32_t kFree = 0, kOneCell = 1;  // above: number of the held position, plus 2

  void clear();
  void group(std::size_t m, std::size_t user);
  double* held_sums(std::size_t position) {
    const std::uint32_t state = states_[position];
    return state == kOneCell ? nullptr : numbers_.data() + (state - 2) * width_;
  }
  double square_of_held() const;
  void add_held_to(double* sums, double weight, double shift) const;

  const UserCells& data_;
  std::span<const std::size_t> shared_;
  std::size_t width_;
  std::vector<std::size_t> begins_;    // of the positions of each mode
  std::vector<std::uint32_t> states_;  // of every position
  std::vector<Alone> alone_;           // cells that have their positions to themselves
  std::vector<std::size_t> held_;      // the other positions
  std::vector<double> numbers_;        // `width` for each of them
};

// Scales the vector of a user so that what it adds to the sums, rounded, has at most a given length.
class UserScale {
 public:
  UserScale(double length, std::size_t sums, double most_users);

  const SumGrid& grid() const { return grid_; }
  // Of a user whose vector has this length; 0 where it is zero or not finite.
  double weight(double own_length) const {
    return own_length > 1e-100 && std::isfinite(own_length) ? shortened_ / own_length : 0;
  }

 private:
  SumGrid grid_;
  double shortened_;
};

inline constexpr std::size_t kSumsAtOnce = 4096;  // that stay in the first cache

// For each of the modes in `shared` and each of its positions, `width` sums. What a user adds to all of them
// together is a vector that is scaled to `length`, or a little less, and then rounded to a public grid on
// which sums are exact: so one user more or less changes the sums by at most `length` in L2. Two cells of a
// user may share a position, hence her vector is added up before it is measured: the sum of the squares of
// single cells would be too short. A user whose vector is zero, or not finite, adds nothing.
// `most_users`, a public bound of how many there may be, chooses the grid.
//
// make_terms() makes what one thread computes the numbers of cells with. They may depend on what else the
// same user has, on nothing of other users:
//   start(user)                             before the first cell of a user
//   add(cell, sums)                         adds the `width` numbers of a cell
//   add_rounded(cell, weight, shift, sums)  adds them times `weight`, rounded as by SumGrid::round
//   square(cell)                            sum of their squares, with a relative error of 2^-53 (width + 8)
template <class MakeTerms>
std::vector<double> sums_of_equal_users(const UserCells& data, double most_users,
                                        std::span<const std::size_t> shared, std::size_t width, double length,
                                        const MakeTerms& make_terms) {
  const std::size_t count = UserVector(data, shared, width).size_of_sums();
  const UserScale scale(length, count, most_users);
  std::vector<double> sums;
  std::vector<PagedVector<double>> parts;  // of each thread
#pragma omp parallel if (data.size() * width > kWorthThreads)
  {
#pragma omp single nowait
    {
      sums.reserve(count);
      ask_for_large_pages(sums.data(), count * sizeof(double));
      sums.resize(count);
    }
    auto terms = make_terms();
    UserVector own(data, shared, width);
    PagedVector<double> part(count);
#pragma omp for schedule(dynamic, 16) nowait
    for (std::size_t user = 0; user < data.users(); ++user) {
      if (data.count(user) == 0) continue;
      terms.start(user);
      const double weight = scale.weight(own.fill(user, terms));
      if (weight > 0) own.add_to(part.data(), weight, scale.grid(), terms);
    }
#pragma omp critical
    parts.push_back(std::move(part));
#pragma omp barrier
#pragma omp for schedule(static)
    for (std::size_t chunk = 0; chunk < chunk_count(count, kSumsAtOnce); ++chunk)
      for (const PagedVector<double>& each : parts)
        for (std::size_t i = chunk * kSumsAtOnce; i < std::min(count, (chunk + 1) * kSumsAtOnce); ++i)
          sums[i] += each[i];
  }
  return sums;
}

}  // namespace tulle
