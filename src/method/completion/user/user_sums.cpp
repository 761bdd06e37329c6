#include "user_sums.hpp"

#include <tulle/base/multiarch.hpp>

#include <algorithm>
#include <numeric>

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

TULLE_MULTIARCH void add_rounded(const double* __restrict numbers, std::size_t count, double weight,
                                 double shift, double* __restrict sums) {
  for (std::size_t i = 0; i < count; ++i) sums[i] += (weight * numbers[i] + shift) - shift;
}

std::vector<std::size_t> begins_of_modes(const UserCells& data, std::span<const std::size_t> shared) {
  std::vector<std::size_t> begins{0};
  for (std::size_t s : shared) begins.push_back(begins.back() + data.positions_of(s));
  return begins;
}

void HeldCells::set_weight(std::size_t first, std::size_t count, double weight) {
  for (std::size_t cell = first; cell < first + count; ++cell) numbers(cell)[stride_ - 1] = weight;
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

void UserVector::add_held_to(double* sums, double weight, double shift) const {
  for (std::size_t i = 0; i < held_.size(); ++i)
    add_rounded(numbers_.data() + i * width_, width_, weight, shift, sums + held_[i] * width_);
}

std::vector<UserChunk> chunks_of_users(const UserCells& data, std::size_t cells) {
  std::vector<UserChunk> chunks;
  for (std::size_t user = 0; user < data.users();) {
    UserChunk chunk{user, user, data.begin(user), data.begin(user)};
    while (user < data.users() && chunk.cells() < cells) chunk.last_cell = data.end(user++);
    chunk.last_user = user;
    chunks.push_back(chunk);
  }
  return chunks;
}

void CellsByPosition::sort(const UserCells& data, std::size_t shared, const UserChunk& chunk) {
  const std::size_t positions = data.positions_of(shared);
  begins_.assign(positions + 1, 0);
  cells_.resize(chunk.cells());
  positions_.resize(chunk.cells());
  first_.resize(chunk.cells());
  for (std::size_t cell = chunk.first_cell; cell < chunk.last_cell; ++cell)
    ++begins_[data.positions(cell)[shared] + 1];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
  std::vector<std::size_t> last_user(positions, chunk.last_user);  // of a position; nobody yet
  for (std::size_t user = chunk.first_user; user < chunk.last_user; ++user)
    for (std::size_t cell = data.begin(user); cell < data.end(user); ++cell) {
      const Index position = data.positions(cell)[shared];
      const std::size_t place = next[position]++;
      cells_[place] = cell - chunk.first_cell;
      positions_[place] = position;
      first_[place] = last_user[position] != user;
      last_user[position] = user;
    }
  cut_into_tasks();
}

void CellsByPosition::cut_into_tasks() {
  constexpr std::size_t kCellsOfTask = 2048;
  tasks_.assign(1, 0);
  for (std::size_t place = 0; place < cells_.size(); ++place)
    if (is_first(place) && place >= tasks_.back() + kCellsOfTask) tasks_.push_back(place);
  tasks_.push_back(cells_.size());
}

// Her length is computed from at most as many squares as there are sums, K, and is off by K units in the last
// place or less; rounding to the grid makes her vector longer by at most sqrt(K) / 2 steps. Her vector is
// shortened by more than both. Her weight does not depend on how many users there are, only on how many there
// may be.
UserScale::UserScale(double length, std::size_t sums, double most_users) : grid_(length, most_users) {
  const auto numbers = static_cast<double>(sums);
  shortened_ = std::max(0.0, length * (1 - (numbers + 16) * 0x1p-51) - std::sqrt(numbers) * grid_.step());
}

}  // namespace tulle
