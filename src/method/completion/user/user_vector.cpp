#include "user_vector.hpp"

#include <tulle/base/multiarch.hpp>

#include <algorithm>

namespace tulle {
namespace {

// Several partial sums, so that additions need not wait for one another.
TULLE_MULTIARCH double sum_of_squares(const double* numbers, std::size_t count) {
  constexpr std::size_t kParts = 8;
  double parts[kParts] = {};
  std::size_t i = 0;
  for (; i + kParts <= count; i += kParts)
    for (std::size_t p = 0; p < kParts; ++p) parts[p] += numbers[i + p] * numbers[i + p];
  for (std::size_t p = 0; i < count; ++i, ++p) parts[p] += numbers[i] * numbers[i];
  double sum = 0;
  for (double part : parts) sum += part;
  return sum;
}

}  // namespace

TULLE_MULTIARCH __attribute__((noinline)) void add_multiple(const double* __restrict numbers,
                                                            std::size_t count, double weight,
                                                            double* __restrict sums) {
  for (std::size_t i = 0; i < count; ++i) sums[i] += weight * numbers[i];
}

std::vector<std::size_t> begins_of_modes(const UserCells& data, std::span<const std::size_t> shared) {
  std::vector<std::size_t> begins{0};
  for (std::size_t s : shared) begins.push_back(begins.back() + data.positions_of(s));
  return begins;
}

UserVector::UserVector(const UserCells& data, std::span<const std::size_t> shared, std::size_t width)
    : data_(data),
      shared_(shared),
      width_(width),
      begins_(begins_of_modes(data, shared)),
      states_(begins_.back()) {}

void UserVector::clear() {
  for (const Alone& alone : alone_) states_[alone.position] = kFree;
  for (std::size_t position : held_) states_[position] = kFree;
  alone_.clear();
  held_.clear();
}

// Finds the positions at which the user has several cells.
void UserVector::group(std::size_t m, std::size_t user) {
  std::uint32_t* const states = states_.data() + begins_[m];
  const std::size_t before = held_.size() * width_;
  for (std::size_t cell = data_.begin(user); cell < data_.end(user); ++cell) {
    const Index position = data_.positions(cell)[shared_[m]];
    if (states[position] == kFree) {
      states[position] = kOneCell;
    } else if (states[position] == kOneCell) {
      held_.push_back(begins_[m] + position);
      states[position] = static_cast<std::uint32_t>(held_.size()) + 1;
    }
  }
  const std::size_t size = held_.size() * width_;
  if (numbers_.size() < size) numbers_.resize(2 * size);
  std::fill(numbers_.begin() + static_cast<std::ptrdiff_t>(before),
            numbers_.begin() + static_cast<std::ptrdiff_t>(size), 0.0);
}

double UserVector::square_of_held() const {
  return sum_of_squares(numbers_.data(), held_.size() * width_);
}

void UserVector::add_held_to(double* sums, double weight) const {
  for (std::size_t i = 0; i < held_.size(); ++i) {
    prefetch_to_write(sums + held_[std::min(i + kLookAhead, held_.size() - 1)] * width_, width_);
    add_multiple(numbers_.data() + i * width_, width_, weight, sums + held_[i] * width_);
  }
}

}  // namespace tulle
