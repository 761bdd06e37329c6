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

// Each 1 / sqrt(x), off by some units in the last place; any number where x is below the normal numbers.
// Newton's iteration from what the exponent says, off by 3.5 %: square roots and quotients take one unit of
// the processor so long that all would wait for it.
template <int Count>
inline __attribute__((always_inline)) void inverse_roots(const TileLane (&x)[Count],
                                                         TileLane (&roots)[Count]) {
#pragma GCC unroll 8
  for (int i = 0; i < Count; ++i)
    roots[i] = reinterpret_cast<TileLane>(0x5fe6eb50c7b537a9 - (reinterpret_cast<LaneMask>(x[i]) >> 1));
#pragma GCC unroll 4
  for (int turn = 0; turn < 4; ++turn)
#pragma GCC unroll 8
    for (int i = 0; i < Count; ++i) roots[i] *= 1.5 - 0.5 * x[i] * roots[i] * roots[i];
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

// ---- Reflections ----

Eigenbases::Part::Part(int n)
    : size(n),
      matrices(static_cast<std::size_t>(n) * static_cast<std::size_t>(n)),
      betas(n),
      diagonals(n),
      beside(n),
      products(n),
      vectors(n) {}

// Squares of the numbers must neither vanish nor overflow.
void Eigenbases::Part::scale_down() {
  TileLane largest = {};
  for (const TileLane& numbers : matrices) {
    const TileLane absolute = numbers < 0 ? -numbers : numbers;
    largest = absolute > largest ? absolute : largest;
  }
  for (int l = 0; l < kTileLane; ++l)
    scales[l] = largest[l] > 0 && std::isfinite(largest[l]) ? largest[l] : 1;
  const TileLane inverse = 1 / scales;
  for (TileLane& numbers : matrices) numbers *= inverse;
}

// Householder's reflections (Golub and Van Loan, Matrix Computations, 8.3.1).
void Eigenbases::Part::tridiagonalise() {
  for (int column = 0; column < size; ++column) {
    diagonals[column] = matrices[at(column, column)];
    if (column + 1 < size) reflect(column);
  }
}

// Makes the row of `column` zero behind its first number beside the diagonal, and does the same to the rest:
// A - v w^T - w v^T with w = p - (beta / 2) (p v) v, p = beta A v.
void Eigenbases::Part::reflect(int column) {
  const int first = column + 1, count = size - first;
  TileLane* const v = &matrices[at(column, first)];
  const TileLane behind = dot(v + 1, v + 1, count - 1), length = roots(v[0] * v[0] + behind);
  const TileLane head = v[0] > 0 ? v[0] + length : v[0] - length;
  const TileLane nothing = {};
  beside[column] = behind > 0 ? v[0] - head : v[0];
  const TileLane beta = behind > 0 ? 2 / (head * head + behind) : nothing;
  v[0] = head;
  betas[column] = beta;
  TileLane* const w = products.data();
  std::fill_n(w, count, nothing);
  for (int i = 0; i < count; ++i) add_multiple(beta * v[i], &matrices[at(first + i, first)], count, w);
  add_multiple(-beta / 2 * dot(w, v, count), v, count, w);
  for (int i = 0; i < count; ++i) {
    TileLane* const row = &matrices[at(first + i, first)];
    for (int j = 0; j < count; ++j) row[j] -= v[i] * w[j] + w[i] * v[j];
  }
}

void Eigenbases::Part::apply_reflection(int column) {
  const int first = column + 1, count = size - first;
  const TileLane* const v = &matrices[at(column, first)];
  add_multiple(-betas[column] * dot(v, &vectors[first], count), v, count, &vectors[first]);
}

// ---- Rotations ----

// A QR step with Wilkinson's shift on the last block of each matrix, the bulge being chased down (Golub and
// Van Loan, 8.3.3). All parts do the same side by side: each rotation is a long chain of operations.
struct Eigenbases::Step {
  // Of each matrix the last rows and columns, first to last, that are not diagonal yet. Nothing where first
  // is last.
  LaneMask first[kParts] = {}, last[kParts] = {};
  TileLane shift[kParts] = {}, x[kParts] = {}, z[kParts] = {};
  std::int64_t begin = 0, end = 0;  // of the rotations of all of them

  static bool vanishes(const Part& part, int which, int i) {
    const double size = std::abs(part.beside[i][which]);
    return size <= std::numeric_limits<double>::epsilon() *
                       (std::abs(part.diagonals[i][which]) + std::abs(part.diagonals[i + 1][which])) ||
           size < std::numeric_limits<double>::min();
  }

  // Whether there is a block.
  bool start(const std::vector<Part>& parts) {
    begin = parts[0].size, end = 0;
    for (int p = 0; p < kParts; ++p)
      for (int l = 0; l < kTileLane; ++l) start(parts[p], p, l);
    return end > 0;
  }

  void start(const Part& part, int p, int l) {
    int high = static_cast<int>(last[p][l]);
    while (high > 0 && vanishes(part, l, high - 1)) --high;
    int low = std::max(high - 1, 0);
    while (low > 0 && !vanishes(part, l, low - 1)) --low;
    first[p][l] = low;
    last[p][l] = high;
    if (high == 0) return;
    begin = std::min<std::int64_t>(begin, low);
    end = std::max<std::int64_t>(end, high);
    const double next = part.diagonals[high - 1][l], corner = part.diagonals[high][l],
                 e = part.beside[high - 1][l], half = (next - corner) / 2;
    shift[p][l] = corner - e * e / (half + std::copysign(std::sqrt(half * half + e * e), half));
  }

  // Turns coordinates k, k + 1. Outside of its block a matrix is turned by nothing.
  inline __attribute__((always_inline)) void turn(std::vector<Part>& parts, std::int64_t k,
                                                  Rotation& rotation) {
    rotation.place = static_cast<int>(k);
    const TileLane one = TileLane{} + 1, nothing = {};
    TileLane square[kParts], inverse[kParts];
#pragma GCC unroll 8
    for (int p = 0; p < kParts; ++p) {
      const LaneMask starts = first[p] == k;
      x[p] = starts ? parts[p].diagonals[k] - shift[p] : x[p];
      z[p] = starts ? parts[p].beside[k] : z[p];
      square[p] = x[p] * x[p] + z[p] * z[p];
    }
    inverse_roots(square, inverse);
#pragma GCC unroll 8
    for (int p = 0; p < kParts; ++p) {
      TileLane* const a = parts[p].diagonals.data();
      TileLane* const b = parts[p].beside.data();
      const LaneMask turns =
          (first[p] <= k) & (k < last[p]) & (square[p] >= std::numeric_limits<double>::min());
      const TileLane c = turns ? x[p] * inverse[p] : one, s = turns ? z[p] * inverse[p] : nothing;
      if (k > begin) b[k - 1] = (turns & (first[p] < k)) ? square[p] * inverse[p] : b[k - 1];
      const TileLane difference = a[k + 1] - a[k], change = s * (s * difference + 2 * c * b[k]);
      b[k] = c * s * difference + (c - s) * (c + s) * b[k];
      a[k] += change;
      a[k + 1] -= change;
      x[p] = b[k];
      z[p] = s * b[k + 1];
      b[k + 1] *= c;
      rotation.cosine[p] = c;
      rotation.sine[p] = s;
    }
  }
};

void Eigenbases::diagonalise() {
  Step step;
  for (LaneMask& last : step.last) last += size_ - 1;
  rotations_.clear();
  for (int count = 0; count < kStepsPerValue * size_ && step.start(parts_); ++count)
    for (std::int64_t k = step.begin; k < step.end; ++k) step.turn(parts_, k, rotations_.emplace_back());
}

// ---- All parts ----

Eigenbases::Eigenbases(int size) : size_(size), parts_(kParts, Part(size)) {}

void Eigenbases::decompose() {
  for (Part& part : parts_) {
    part.scale_down();
    part.tridiagonalise();
  }
  diagonalise();
  for (Part& part : parts_)
    for (TileLane& values : part.diagonals) values *= part.scales;
}

void Eigenbases::turn() {
  for (Part& part : parts_)
    for (int column = 0; column + 1 < size_; ++column) part.apply_reflection(column);
  for (const Rotation& rotation : rotations_)
    for (int p = 0; p < kParts; ++p) {
      TileLane* const pair = &parts_[p].vectors[rotation.place];
      const TileLane c = rotation.cosine[p], s = rotation.sine[p], low = pair[0], high = pair[1];
      pair[0] = c * low + s * high;
      pair[1] = c * high - s * low;
    }
}

void Eigenbases::turn_back() {
  for (auto rotation = rotations_.rbegin(); rotation != rotations_.rend(); ++rotation)
    for (int p = 0; p < kParts; ++p) {
      TileLane* const pair = &parts_[p].vectors[rotation->place];
      const TileLane c = rotation->cosine[p], s = rotation->sine[p], low = pair[0], high = pair[1];
      pair[0] = c * low - s * high;
      pair[1] = c * high + s * low;
    }
  for (Part& part : parts_)
    for (int column = size_ - 2; column >= 0; --column) part.apply_reflection(column);
}

}  // namespace tulle
