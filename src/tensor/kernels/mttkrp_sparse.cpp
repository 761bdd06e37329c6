#include "check.hpp"

#include <tulle/base/lanes.hpp>
#include <tulle/base/multiarch.hpp>
#include <tulle/tensor/kernels/mttkrp.hpp>
#include <tulle/tensor/kernels/reduce_rows.hpp>

#include <array>

namespace tulle {
namespace {

// What a kernel reads: entries begin .. end of one row, and the factors of the other modes from some column
// on.
struct Reads {
  const Index* positions;
  const float* values;
  std::array<const double*, kMaxOrder - 1> factors;
  std::size_t others;
  std::size_t stride;
};

// How many entries before its use the row of a factor is asked for; about what the latency of the last cache
// takes.
constexpr std::size_t kAhead = 8;
static_assert(kAhead <= SortedEntries::kLookAhead);

// sums[0 .. Columns) += value * product of the factors' rows, the sums staying in registers. Others = 0: any
// number of them.
template <int Columns, int Others>
inline __attribute__((always_inline)) void add_entries(const Reads& from, std::size_t begin, std::size_t end,
                                                       double* sums) {
  constexpr int kLanes = Columns / kLane;
  const std::size_t others = Others > 0 ? Others : from.others;
  Lane sum[kLanes];
  for (int l = 0; l < kLanes; ++l) sum[l] = lanes(sums)[l];
  for (std::size_t e = begin; e < end; ++e) {
    const Index* const position = from.positions + e * others;
    for (std::size_t k = 0; k < others; ++k) {
      const double* const later = from.factors[k] + position[kAhead * others + k] * from.stride;
      for (int line = 0; line < Columns; line += 8) __builtin_prefetch(later + line);
    }
    Lane product[kLanes];
    const auto* first = lanes(from.factors[0] + position[0] * from.stride);
    const double value = from.values[e];
#pragma GCC unroll 8
    for (int l = 0; l < kLanes; ++l) product[l] = value * first[l];
    for (std::size_t k = 1; k < others; ++k) {
      const auto* next = lanes(from.factors[k] + position[k] * from.stride);
#pragma GCC unroll 8
      for (int l = 0; l < kLanes; ++l) product[l] *= next[l];
    }
#pragma GCC unroll 8
    for (int l = 0; l < kLanes; ++l) sum[l] += product[l];
  }
  for (int l = 0; l < kLanes; ++l) lanes(sums)[l] = sum[l];
}

template <int Columns>
inline __attribute__((always_inline)) void add_entries_of(const Reads& from, std::size_t begin,
                                                          std::size_t end, double* sums) {
  switch (from.others) {
    case 1:
      return add_entries<Columns, 1>(from, begin, end, sums);
    case 2:
      return add_entries<Columns, 2>(from, begin, end, sums);
    case 3:
      return add_entries<Columns, 3>(from, begin, end, sums);
    default:
      return add_entries<Columns, 0>(from, begin, end, sums);
  }
}

TULLE_MULTIARCH void add_16(const Reads& from, std::size_t begin, std::size_t end, double* sums) {
  add_entries_of<16>(from, begin, end, sums);
}
TULLE_MULTIARCH void add_8(const Reads& from, std::size_t begin, std::size_t end, double* sums) {
  add_entries_of<8>(from, begin, end, sums);
}
TULLE_MULTIARCH void add_4(const Reads& from, std::size_t begin, std::size_t end, double* sums) {
  add_entries_of<4>(from, begin, end, sums);
}

// All columns, block by block: the entries of the row are in the cache after the first.
void add_all(Reads from, std::size_t begin, std::size_t end, double* sums) {
  std::size_t left = from.stride;
  while (left > 0) {
    const std::size_t width = left >= 16 ? 16 : left >= 8 ? 8 : 4;
    (width == 16 ? add_16 : width == 8 ? add_8 : add_4)(from, begin, end, sums);
    for (std::size_t k = 0; k < from.others; ++k) from.factors[k] += width;
    sums += width;
    left -= width;
  }
}

// Zeros in the rows that are not listed; the others are written anyway, by all threads.
void clear_other_rows(const std::vector<Index>& rows, Matrix& result) {
  Eigen::Index next = 0;
  for (const Index row : rows) {
    result.middleRows(next, static_cast<Eigen::Index>(row) - next).setZero();
    next = static_cast<Eigen::Index>(row) + 1;
  }
  result.bottomRows(result.rows() - next).setZero();
}

}  // namespace

void mttkrp(const SortedEntries& entries, std::span<const Panel> factors, Matrix& result) {
  const Panel& own = factors[entries.modes[0]];
  Reads from{entries.positions.data(),
             entries.values.data(),
             {},
             entries.modes.size() - 1,
             static_cast<std::size_t>(own.stride())};
  for (std::size_t k = 0; k < from.others; ++k) from.factors[k] = factors[entries.modes[k + 1]].data();
  result.resize(static_cast<Eigen::Index>(own.rows()), own.columns());
  clear_other_rows(entries.rows, result);
  reduce_rows(
      entries, from.stride, from.stride + 16,
      [&] {
        return [&](std::size_t begin, std::size_t end, double* sums) { add_all(from, begin, end, sums); };
      },
      [&](std::size_t row, const double* sums) {
        std::copy_n(sums, own.columns(), &result(entries.rows[row], 0));
      });
}

Matrix mttkrp(const SparseTensor& tensor, std::span<const Matrix> factors, int mode) {
  check_mode(tensor.shape(), mode);
  check_factors(tensor.shape(), factors);
  std::vector<Panel> panels(factors.begin(), factors.end());
  Matrix result;
  mttkrp(sort_by_mode(tensor, mode, Levels::large_first), panels, result);
  return result;
}

}  // namespace tulle
