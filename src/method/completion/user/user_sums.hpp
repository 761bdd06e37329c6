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

// What the vectors of some cells are made of, cell by cell, each with the weight of its user behind it.
class HeldCells {
 public:
  explicit HeldCells(std::size_t numbers) : stride_(numbers + 1) {}

  void make_room(std::size_t cells) {
    if (cells_.size() < cells * stride_) cells_.resize(cells * stride_);
  }

  std::size_t stride() const { return stride_; }
  double* numbers(std::size_t cell) { return cells_.data() + cell * stride_; }
  const double* numbers(std::size_t cell) const { return cells_.data() + cell * stride_; }
  double weight(std::size_t cell) const { return numbers(cell)[stride_ - 1]; }
  void set_weight(std::size_t first, std::size_t count, double weight);  // of a user's cells

 private:
  std::size_t stride_;
  PagedVector<double> cells_;
};

// The vector of one user: for each of some shared modes and each position that she has cells at, the sum of
// their numbers. Of a position with one cell it is not held: it is made where it is needed. The memory is
// kept from user to user.
class UserVector {
 public:
  UserVector(const UserCells& data, std::span<const std::size_t> shared, std::size_t width);

  // Her cells are held from number `first` on. Returns the length of the vector.
  template <class Terms>
  double fill(std::size_t user, const HeldCells& held, std::size_t first, const Terms& terms) {
    clear();
    double square = 0;
    for (std::size_t m = 0; m < shared_.size(); ++m) {
      group(m, user);
      for (std::size_t e = 0; e < data_.count(user); ++e) {
        const std::size_t position = begins_[m] + data_.positions(data_.begin(user) + e)[shared_[m]];
        const double* const numbers = held.numbers(first + e);
        if (double* const sums = held_sums(position)) {
          terms.add(numbers, sums);
        } else {
          square += terms.square(numbers);
          alone_.push_back({numbers, position});
        }
      }
    }
    return std::sqrt(square + square_of_held());
  }

  template <class Terms>
  void add_to(double* sums, double weight, const SumGrid& grid, const Terms& terms) const {
    for (const Alone& alone : alone_)
      terms.add_rounded(alone.numbers, weight, grid.shift(), sums + alone.position * width_);
    add_held_to(sums, weight, grid.shift());
  }

 private:
  struct Alone {
    const double* numbers;  // of a cell that has its position to itself
    std::size_t position;   // counted over all the modes
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
  std::vector<Alone> alone_;
  std::vector<std::size_t> held_;  // the other positions
  std::vector<double> numbers_;    // `width` for each of them
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

// Some users, one after another.
struct UserChunk {
  std::size_t first_user, last_user;  // the last is not one of them
  std::size_t first_cell, last_cell;

  std::size_t cells() const { return last_cell - first_cell; }
};

// Of the positions of each of the modes, one after the other, and of what is behind them.
std::vector<std::size_t> begins_of_modes(const UserCells& data, std::span<const std::size_t> shared);

// Chunks of at least so many cells, but for the last.
std::vector<UserChunk> chunks_of_users(const UserCells& data, std::size_t cells);

// The cells of a chunk by their position in one shared mode, those of a position in the order of users.
class CellsByPosition {
 public:
  void sort(const UserCells& data, std::size_t shared, const UserChunk& chunk);

  std::size_t cells() const { return cells_.size(); }
  std::size_t cell(std::size_t place) const { return cells_[place]; }  // counted from the chunk's first
  std::size_t position(std::size_t place) const { return positions_[place]; }
  bool is_first(std::size_t place) const { return first_[place] != 0; }        // of its user at its position
  std::size_t begin(std::size_t position) const { return begins_[position]; }  // of the places of a position
  std::size_t end(std::size_t position) const { return begins_[position + 1]; }

  // Parts of the places, none of which divides the cells of a user at a position.
  std::size_t tasks() const { return tasks_.size() - 1; }
  std::size_t task_begin(std::size_t task) const { return tasks_[task]; }

 private:
  void cut_into_tasks();

  std::vector<std::size_t> begins_, cells_, tasks_;
  std::vector<Index> positions_;
  std::vector<char> first_;
};

// sums[i] += weight * numbers[i], rounded as by SumGrid::round.
void add_rounded(const double* numbers, std::size_t count, double weight, double shift, double* sums);

// Adds cells of a chunk to the sums of one mode.
template <class Terms>
class PositionSums {
 public:
  PositionSums(const HeldCells& held, const CellsByPosition& order, const SumGrid& grid, std::size_t width,
               const Terms& terms)
      : held_(held), order_(order), shift_(grid.shift()), width_(width), terms_(terms), apart_(width) {}

  // A position that other tasks have cells of too is added up apart: sums are exact in any order.
  void add(std::size_t task, double* sums) {
    const std::size_t begin = order_.task_begin(task), end = order_.task_begin(task + 1);
    for (std::size_t place = begin; place < end;) {
      const std::size_t position = order_.position(place), last = std::min(end, order_.end(position));
      double* const own = sums + position * width_;
      if (last < end) prefetch_to_write(sums + order_.position(last) * width_, width_);
      if (order_.begin(position) >= begin && order_.end(position) <= end) {
        add_cells(place, last, own);
      } else {
        std::vector<double> apart(width_);
        add_cells(place, last, apart.data());
#pragma omp critical(tulle_position_sums)
        for (std::size_t i = 0; i < width_; ++i) own[i] += apart[i];
      }
      place = last;
    }
  }

 private:
  static constexpr std::size_t kLookAhead = 8;

  inline __attribute__((always_inline)) void prefetch(std::size_t place) const {
    prefetch_to_read(held_.numbers(order_.cell(std::min(place, order_.cells() - 1))), held_.stride());
  }

  void add_cells(std::size_t begin, std::size_t end, double* sums) {
    for (std::size_t place = begin; place < end;) {
      std::size_t last = place;
      do prefetch(last + kLookAhead);
      while (++last < end && !order_.is_first(last));
      add_user(place, last, held_.weight(order_.cell(place)), sums);
      place = last;
    }
  }

  void add_user(std::size_t begin, std::size_t end, double weight, double* sums) {
    if (weight == 0) return;
    if (end == begin + 1) return terms_.add_rounded(held_.numbers(order_.cell(begin)), weight, shift_, sums);
    std::fill(apart_.begin(), apart_.end(), 0.0);
    for (std::size_t place = begin; place < end; ++place)
      terms_.add(held_.numbers(order_.cell(place)), apart_.data());
    add_rounded(apart_.data(), width_, weight, shift_, sums);
  }

  const HeldCells& held_;
  const CellsByPosition& order_;
  double shift_;
  std::size_t width_;
  const Terms& terms_;
  std::vector<double> apart_;  // of a user with several cells at a position
};

// For each of the modes in `shared` and each of its positions, `width` sums. What a user adds to all of them
// together is a vector that is scaled to `length`, or a little less, and then rounded to a public grid on
// which sums are exact: so one user more or less changes the sums by at most `length` in L2. Two cells of a
// user may share a position, hence her vector is added up before it is measured: the sum of the squares of
// single cells would be too short. A user whose vector is zero, or not finite, adds nothing.
// `most_users`, a public bound of how many there may be, chooses the grid.
//
// make_terms() makes what one thread computes vectors of cells with. They may depend on what else the same
// user has, on nothing of other users:
//   size()                                     how many numbers the vector of a cell is made of
//   start(user, numbers, stride)               writes them for each of her cells, at such a distance
//   add(numbers, sums)                         adds the `width` numbers of the vector of a cell, to the last
//   bit
//                                              in the same way each time: what is measured is what is added
//   add_rounded(numbers, weight, shift, sums)  adds them times `weight`, rounded as by SumGrid::round
//   square(numbers)                            sum of their squares, off by 2^-53 (width + 8) of it at most
template <class MakeTerms>
class EqualUserSums {
 public:
  EqualUserSums(const UserCells& data, double most_users, std::span<const std::size_t> shared,
                std::size_t width, double length, const MakeTerms& make_terms)
      : data_(data),
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
  bool is_large() const { return data_.size() * width_ > kWorthThreads; }

  // Writes what a user's vector is made of, and returns her weight.
  double measure(std::size_t user, Terms& terms, UserVector& own, HeldCells& held, std::size_t first) const {
    terms.start(user, held.numbers(first), held.stride());
    return scale_.weight(own.fill(user, held, first, terms));
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
      HeldCells held(terms.size());
      PagedVector<double> part(count());
#pragma omp for schedule(dynamic, 16) nowait
      for (std::size_t user = 0; user < data_.users(); ++user) {
        if (data_.count(user) == 0) continue;
        held.make_room(data_.count(user));
        const double weight = measure(user, terms, own, held, 0);
        if (weight > 0) own.add_to(part.data(), weight, scale_.grid(), terms);
      }
#pragma omp critical(tulle_user_sums)
      parts.push_back(std::move(part));
#pragma omp barrier
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < sums_.size(); ++i)
        for (const PagedVector<double>& each : parts) sums_[i] += each[i];
    }
  }

  // The sums of a position would be brought from memory for every cell: the cells of many users are held and
  // then added up position by position.
  void add_chunks() {
    const std::vector<UserChunk> chunks = chunks_of_users(data_, std::max(kCellsAtOnce, begins_.back()));
    HeldCells held(make_terms_().size());
    for (const UserChunk& chunk : chunks) held.make_room(chunk.cells());
    std::vector<CellsByPosition> orders(shared_.size());
#pragma omp parallel if (is_large())
    {
#pragma omp single nowait
      sums_.resize(count());
      Terms terms = make_terms_();
      UserVector own(data_, shared_, width_);
      for (const UserChunk& chunk : chunks) {
#pragma omp for schedule(dynamic) nowait
        for (std::size_t m = 0; m < shared_.size(); ++m) orders[m].sort(data_, shared_[m], chunk);
#pragma omp for schedule(dynamic, 16)
        for (std::size_t user = chunk.first_user; user < chunk.last_user; ++user) {
          if (data_.count(user) == 0) continue;
          const std::size_t first = data_.begin(user) - chunk.first_cell;
          held.set_weight(first, data_.count(user), measure(user, terms, own, held, first));
        }
        for (std::size_t m = 0; m < shared_.size(); ++m) {
          PositionSums mode(held, orders[m], scale_.grid(), width_, terms);
#pragma omp for schedule(dynamic) nowait
          for (std::size_t task = 0; task < orders[m].tasks(); ++task)
            mode.add(task, sums_.data() + begins_[m] * width_);
        }
#pragma omp barrier
      }
    }
  }

  static constexpr std::size_t kBytesOfCache = 1 << 21;  // that sums of a thread stay in
  static constexpr std::size_t kCellsAtOnce = 1 << 17;   // many of each position

  const UserCells& data_;
  std::span<const std::size_t> shared_;
  std::vector<std::size_t> begins_;  // of the positions of each mode, and behind them
  std::size_t width_;
  UserScale scale_;
  const MakeTerms& make_terms_;
  std::vector<double> sums_;
};

template <class MakeTerms>
std::vector<double> sums_of_equal_users(const UserCells& data, double most_users,
                                        std::span<const std::size_t> shared, std::size_t width, double length,
                                        const MakeTerms& make_terms) {
  return EqualUserSums(data, most_users, shared, width, length, make_terms).sum();
}

}  // namespace tulle
