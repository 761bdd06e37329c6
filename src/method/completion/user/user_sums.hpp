// Sums over users in which no user weighs more than any other: the releases of joint privacy.
#pragma once

#include "chunk_order.hpp"
#include "user_vector.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/base/large_pages.hpp>
#include <tulle/base/prefetch.hpp>
#include <tulle/base/rounding.hpp>
#include <tulle/base/sum_grid.hpp>
#include <tulle/base/unit_blocks.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace tulle {

// Scales the vector of a user so that, after rounding, it has at most a given length.
class UserScale {
 public:
  UserScale(double length, std::size_t sums, double most_users);

  const SumGrid& grid() const { return grid_; }
  // The weight of a user whose vector has this length; 0 if it is zero or not finite.
  double weight(double own_length) const {
    return own_length > 1e-100 && std::isfinite(own_length) ? shortened_ / own_length : 0;
  }

 private:
  SumGrid grid_;
  double shortened_;
};

// Adds cells of a chunk to the sums of one mode, which began with the shift of a SumGrid.
template <class Terms>
class PositionSums {
 public:
  PositionSums(const HeldUsers& held, const ChunkOrder& order, const SumGrid& grid, std::size_t width,
               Terms& terms)
      : held_(held), order_(order), shift_(grid.shift()), width_(width), terms_(terms), apart_(width) {}

  // A position with cells in other tasks is added up separately: sums are exact in any order.
  void add(std::size_t task, double* sums) {
    const Rounding rounding = Rounding::down();
    const std::size_t begin = order_.task_begin(task), end = order_.task_begin(task + 1);
    std::size_t position = order_.position(begin);
    for (std::size_t place = begin; place < end;) {
      const std::size_t last = std::min(end, order_.end(position));
      double* const own = sums + position * width_;
      prefetch_to_write(own + width_, last < end ? width_ : 0);  // most often the next position
      if (order_.begin(position) >= begin && order_.end(position) <= end) {
        add_cells(place, last, own);
      } else {
        std::vector<double> apart(width_, shift_);
        add_cells(place, last, apart.data());
#pragma omp critical(tulle_position_sums)
        for (std::size_t i = 0; i < width_; ++i) own[i] += apart[i] - shift_;
      }
      place = last;
      ++position;
    }
  }

 private:
  static constexpr std::size_t kLookAhead = 8;

  inline __attribute__((always_inline)) void prefetch(std::size_t place) const {
    const std::size_t next = std::min(place, order_.cells() - 1);
    terms_.prefetch_held(held_.held(order_.user(next), order_.cell(next)));
  }

  void add_cells(std::size_t begin, std::size_t end, double* sums) {
    for (std::size_t place = begin; place < end;) {
      const std::size_t user = order_.user(place);
      std::size_t last = place;
      do prefetch(last + kLookAhead);
      while (++last < end && order_.user(last) == user);
      add_user(user, place, last, sums);
      place = last;
    }
  }

  void add_user(std::size_t user, std::size_t begin, std::size_t end, double* sums) {
    const double weight = held_.weight(user);
    if (weight == 0) return;
    if (end == begin + 1) return terms_.add(held_.held(user, order_.cell(begin)), weight, sums);
    add_up(user, begin, end);
    add_multiple(apart_.data(), width_, weight, sums);
  }

  // Adds up a user's cells in the rounding in which her vector was measured.
  void add_up(std::size_t user, std::size_t begin, std::size_t end) {
    const Rounding rounding = Rounding::to_nearest();
    std::fill(apart_.begin(), apart_.end(), 0.0);
    for (std::size_t place = begin; place < end; ++place)
      terms_.add(held_.held(user, order_.cell(place)), 1, apart_.data());
  }

  const HeldUsers& held_;
  const ChunkOrder& order_;
  double shift_;
  std::size_t width_;
  Terms& terms_;
  std::vector<double> apart_;  // of a user with several cells at a position
};

// For each of the modes in `shared` and each of its positions, `width` sums over the users from `first_user`
// to `last_user`, the last not one of them. What a user adds to all of them together is a vector that is
// scaled to `length`, or a little less, and then rounded to a public grid on which sums are exact: so one
// user more or less changes the sums by at most `length` in L2. Two cells of a user may share a position,
// hence her vector is added up before it is measured: the sum of the squares of single cells would be too
// short. A user whose vector is zero, or not finite, adds nothing. `most_users`, a public bound of how many
// there may be, chooses the grid.
//
// make_terms() makes what one thread computes vectors of cells with. They may depend on what else the same
// user has, on nothing of other users:
//   sizes()                         how many numbers are held of a user and of each of her cells
//   start(user, of_user, of_cells)  writes them
//   add(held_cell, weight, sums)    adds the `width` numbers of the vector of a cell times `weight`, in the
//                                   caller's rounding. Each is a product of up to 20 numbers: in another
//                                   rounding it is what was measured but for the last places, as a sum that
//                                   cancels would not be
//   square(held_cell)               sum of their squares, off by 2^-53 (width + 32) of it at most
//   prefetch_held(held_cell)        of a cell that is added soon
//   prefetch_others(cell)           what is not held of it; also of up to UserCells::kLookAhead cells behind
//                                   the last one
template <class MakeTerms>
class EqualUserSums {
 public:
  EqualUserSums(const UserCells& data, std::size_t first_user, std::size_t last_user, double most_users,
                std::span<const std::size_t> shared, std::size_t width, double length,
                const MakeTerms& make_terms)
      : data_(data),
        first_(first_user),
        last_(last_user),
        shared_(shared),
        begins_(begins_of_modes(data, shared)),
        width_(width),
        scale_(length, begins_.back() * width, most_users),
        make_terms_(make_terms) {
    sums_.reserve(count());
    ask_for_large_pages(sums_.data(), count() * sizeof(double));
  }

  std::vector<double> sum() && {
    count() * sizeof(double) > kBytesOfCache ? add_chunks() : add_users();
    return std::move(sums_);
  }

 private:
  using Terms = std::invoke_result_t<MakeTerms>;

  std::size_t count() const { return begins_.back() * width_; }
  double shift() const { return scale_.grid().shift(); }
  bool is_large() const {
    return first_ < last_ && (data_.end(last_ - 1) - data_.begin(first_)) * width_ > kWorthThreads;
  }

  // Writes the terms of a user's vector and returns her weight. Rounds as PositionSums does, whatever the
  // caller's rounding mode.
  double measure(std::size_t user, Terms& terms, UserVector& own, const HeldUsers& held) const {
    const Rounding rounding = Rounding::to_nearest();
    terms.start(user, held.of_user(user), held.of_cell(data_.begin(user)));
    return scale_.weight(own.fill(user, held, terms));
  }

  // User by user, with sums for each thread.
  void add_users() {
    std::vector<PagedVector<double>> parts;
#pragma omp parallel if (is_large())
    {
#pragma omp single nowait
      sums_.resize(count());
      Terms terms = make_terms_();
      UserVector own(data_, shared_, width_);
      std::vector<double> memory;
      PagedVector<double> part(count(), shift());
#pragma omp for schedule(dynamic, 16) nowait
      for (std::size_t user = first_; user < last_; ++user) {
        if (data_.count(user) == 0) continue;
        const UserChunk alone{user, user + 1, data_.begin(user), data_.end(user)};
        if (memory.size() < terms.sizes().numbers(alone)) memory.resize(terms.sizes().numbers(alone));
        const double weight = measure(user, terms, own, HeldUsers(terms.sizes(), alone, memory.data()));
        if (weight > 0) own.add_to(part.data(), weight, terms);
      }
#pragma omp critical(tulle_user_sums)
      parts.push_back(std::move(part));
#pragma omp barrier
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < sums_.size(); ++i)
        for (const PagedVector<double>& each : parts) sums_[i] += each[i] - shift();
    }
  }

  // Adding user by user would fetch the sums of a position from memory for every cell, so the held terms of
  // many users are added up position by position.
  void add_chunks() {
    const HeldSizes sizes = make_terms_().sizes();
    const std::vector<UserChunk> chunks =
        chunks_of_users(data_, first_, last_, sizes, std::max(kHeldAtOnce, begins_.back()));
    std::size_t numbers = 0;
    for (const UserChunk& chunk : chunks) numbers = std::max(numbers, sizes.numbers(chunk));
    PagedVector<double> memory(numbers);
    std::vector<ChunkOrder> orders(shared_.size());
#pragma omp parallel if (is_large())
    {
#pragma omp single nowait
      sums_.assign(count(), shift());
      Terms terms = make_terms_();
      UserVector own(data_, shared_, width_);
      for (const UserChunk& chunk : chunks) {
        const HeldUsers held(sizes, chunk, memory.data());
#pragma omp for schedule(dynamic) nowait
        for (std::size_t m = 0; m < shared_.size(); ++m) orders[m].sort(data_, shared_[m], chunk);
#pragma omp for schedule(dynamic, 16)
        for (std::size_t user = chunk.first_user; user < chunk.last_user; ++user)
          if (data_.count(user) > 0) held.weight(user) = measure(user, terms, own, held);
        for (std::size_t m = 0; m < shared_.size(); ++m) {
          PositionSums mode(held, orders[m], scale_.grid(), width_, terms);
#pragma omp for schedule(dynamic) nowait
          for (std::size_t task = 0; task < orders[m].tasks(); ++task)
            mode.add(task, sums_.data() + begins_[m] * width_);
        }
#pragma omp barrier
      }
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] -= shift();
    }
  }

  static constexpr std::size_t kBytesOfCache = 1 << 21;  // that sums of a thread stay in
  static constexpr std::size_t kHeldAtOnce = 1 << 19;    // numbers, or as many as there are positions

  const UserCells& data_;
  std::size_t first_, last_;  // users
  std::span<const std::size_t> shared_;
  std::vector<std::size_t> begins_;  // of the positions of each mode, and behind them
  std::size_t width_;
  UserScale scale_;
  const MakeTerms& make_terms_;
  std::vector<double> sums_;
};

// The sums over all users, in blocks of `block_size` (base/unit_blocks.hpp).
template <class MakeTerms>
std::vector<double> sums_of_equal_users(const UserCells& data, double most_users,
                                        std::span<const std::size_t> shared, std::size_t width, double length,
                                        const MakeTerms& make_terms, std::size_t block_size = 0) {
  return add_up_blocks(data.users(), block_size, [&](std::size_t first, std::size_t last) {
    return EqualUserSums(data, first, last, most_users, shared, width, length, make_terms).sum();
  });
}

}  // namespace tulle
