#include <tulle/tensor/kernels/eigenbases.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tulle {
namespace {

constexpr int kStepsPerValue = 30;  // two are usual

using LaneMask = decltype(TileLane() < TileLane());

inline __attribute__((always_inline)) TileLane roots(TileLane squares) {
  for (int l = 0; l < kTileLane; ++l) squares[l] = std::sqrt(squares[l]);
  return squares;
}

inline __attribute__((always_inline)) TileLane dot(const TileLane* left, const TileLane* right, int count) {
  TileLane sum = {};
  for (int i = 0; i < count; ++i) sum += left[i] * right[i];
  return sum;
}

inline __attribute__((always_inline)) void add_multiple(TileLane factor, const TileLane* numbers, int count,
                                                        TileLane* sums) {
  for (int i = 0; i < count; ++i) sums[i] += factor * numbers[i];
}

}  // namespace

// Of each matrix the last rows and columns, first to last, that are not diagonal yet. Nothing where first is
// last.
struct Eigenbases::Blocks {
  LaneMask first = {}, last = {};
};

Eigenbases::Eigenbases(int size)
    : size_(size),
      matrices_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size)),
      betas_(size),
      diagonals_(size),
      beside_(size),
      products_(size),
      vectors_(size),
      scales_{} {}

void Eigenbases::decompose() {
  scale_down();
  tridiagonalise();
  diagonalise();
  for (TileLane& values : diagonals_) values *= scales_;
}

// Squares of the numbers must neither vanish nor overflow.
void Eigenbases::scale_down() {
  TileLane largest = {};
  for (const TileLane& numbers : matrices_) {
    const TileLane absolute = numbers < 0 ? -numbers : numbers;
    largest = absolute > largest ? absolute : largest;
  }
  for (int l = 0; l < kCount; ++l) scales_[l] = largest[l] > 0 && std::isfinite(largest[l]) ? largest[l] : 1;
  for (TileLane& numbers : matrices_) numbers /= scales_;
}

// Householder's reflections (Golub and Van Loan, Matrix Computations, 8.3.1).
void Eigenbases::tridiagonalise() {
  for (int column = 0; column < size_; ++column) {
    diagonals_[column] = matrices_[at(column, column)];
    if (column + 1 < size_) reflect(column);
  }
}

// Makes the row of `column` zero behind its first number beside the diagonal, and does the same to the rest:
// A - v w^T - w v^T with w = p - (beta / 2) (p v) v, p = beta A v.
void Eigenbases::reflect(int column) {
  const int first = column + 1, count = size_ - first;
  TileLane* const v = &matrices_[at(column, first)];
  const TileLane behind = dot(v + 1, v + 1, count - 1), length = roots(v[0] * v[0] + behind);
  const TileLane head = v[0] > 0 ? v[0] + length : v[0] - length;
  const TileLane nothing = {};
  beside_[column] = behind > 0 ? v[0] - head : v[0];
  const TileLane beta = behind > 0 ? 2 / (head * head + behind) : nothing;
  v[0] = head;
  betas_[column] = beta;
  TileLane* const w = products_.data();
  std::fill_n(w, count, nothing);
  for (int i = 0; i < count; ++i) add_multiple(beta * v[i], &matrices_[at(first + i, first)], count, w);
  add_multiple(-beta / 2 * dot(w, v, count), v, count, w);
  for (int i = 0; i < count; ++i) {
    TileLane* const row = &matrices_[at(first + i, first)];
    for (int j = 0; j < count; ++j) row[j] -= v[i] * w[j] + w[i] * v[j];
  }
}

// QR steps on the last block of each matrix (Golub and Van Loan, 8.3.3).
void Eigenbases::diagonalise() {
  rotations_.clear();
  Blocks blocks;
  for (int l = 0; l < kCount; ++l) blocks.last[l] = size_ - 1;
  for (int steps = 0; steps < kStepsPerValue * size_ && find_blocks(blocks); ++steps) shifted_step(blocks);
}

bool Eigenbases::vanishes(int which, int i) const {
  const double size = std::abs(beside_[i][which]);
  return size <= std::numeric_limits<double>::epsilon() *
                     (std::abs(diagonals_[i][which]) + std::abs(diagonals_[i + 1][which])) ||
         size < std::numeric_limits<double>::min();
}

// Whether there is any.
bool Eigenbases::find_blocks(Blocks& blocks) const {
  bool any = false;
  for (int l = 0; l < kCount; ++l) {
    int last = static_cast<int>(blocks.last[l]);
    while (last > 0 && vanishes(l, last - 1)) --last;
    int first = std::max(last - 1, 0);
    while (first > 0 && !vanishes(l, first - 1)) --first;
    blocks.first[l] = first;
    blocks.last[l] = last;
    any = any || last > 0;
  }
  return any;
}

// One QR step with Wilkinson's shift, the bulge being chased down. Outside of its block a matrix is turned by
// nothing.
void Eigenbases::shifted_step(const Blocks& blocks) {
  TileLane* const a = diagonals_.data();
  TileLane* const b = beside_.data();
  TileLane shift = {};
  std::int64_t begin = size_, end = 0;
  for (int l = 0; l < kCount; ++l) {
    const auto last = blocks.last[l];
    if (last == 0) continue;
    begin = std::min<std::int64_t>(begin, blocks.first[l]);
    end = std::max<std::int64_t>(end, last);
    const double half = (a[last - 1][l] - a[last][l]) / 2, e = b[last - 1][l];
    shift[l] = a[last][l] - e * e / (half + std::copysign(std::sqrt(half * half + e * e), half));
  }
  const TileLane one = TileLane{} + 1, nothing = {};
  TileLane x = {}, z = {};
  for (std::int64_t k = begin; k < end; ++k) {
    const LaneMask starts = blocks.first == k, within = (blocks.first <= k) & (k < blocks.last);
    x = starts ? a[k] - shift : x;
    z = starts ? b[k] : z;
    const TileLane square = x * x + z * z;
    const LaneMask turns = within & (square > 0);
    const TileLane inverse = 1 / roots(square);
    const TileLane c = turns ? x * inverse : one, s = turns ? z * inverse : nothing;
    if (k > begin) b[k - 1] = (turns & ~starts) ? square * inverse : b[k - 1];
    const TileLane difference = a[k + 1] - a[k], change = s * (s * difference + 2 * c * b[k]);
    b[k] = c * s * difference + (c - s) * (c + s) * b[k];
    a[k] += change;
    a[k + 1] -= change;
    rotations_.push_back({static_cast<int>(k), c, s});
    x = b[k];
    if (k + 1 < end) {
      z = s * b[k + 1];
      b[k + 1] *= c;
    }
  }
}

void Eigenbases::apply_reflection(int column) {
  const int first = column + 1, count = size_ - first;
  const TileLane* const v = &matrices_[at(column, first)];
  add_multiple(-betas_[column] * dot(v, &vectors_[first], count), v, count, &vectors_[first]);
}

void Eigenbases::turn() {
  for (int column = 0; column + 1 < size_; ++column) apply_reflection(column);
  for (const auto& [k, c, s] : rotations_) {
    const TileLane low = vectors_[k], high = vectors_[k + 1];
    vectors_[k] = c * low + s * high;
    vectors_[k + 1] = c * high - s * low;
  }
}

void Eigenbases::turn_back() {
  for (auto rotation = rotations_.rbegin(); rotation != rotations_.rend(); ++rotation) {
    const auto& [k, c, s] = *rotation;
    const TileLane low = vectors_[k], high = vectors_[k + 1];
    vectors_[k] = c * low - s * high;
    vectors_[k + 1] = c * high + s * low;
  }
  for (int column = size_ - 2; column >= 0; --column) apply_reflection(column);
}

}  // namespace tulle
