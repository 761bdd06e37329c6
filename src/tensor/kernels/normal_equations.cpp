#include <tulle/base/lanes.hpp>
#include <tulle/base/multiarch.hpp>
#include <tulle/tensor/kernels/block_gram.hpp>
#include <tulle/tensor/kernels/normal_equations.hpp>
#include <tulle/tensor/kernels/reduce_rows.hpp>

#include <algorithm>
#include <array>

namespace tulle {
namespace {

constexpr std::size_t kEntryBlock =
    64;  // entries whose h are built before they enter the matrix: they stay in the first cache
constexpr std::size_t kEquationsAhead = 8;
static_assert(kEquationsAhead <= SortedEntries::kLookAhead);

struct EquationReads {
  const Index* positions;
  const float* values;
  std::array<const double*, kMaxOrder - 1> factors;
  std::array<const double*, kMaxOrder - 1> variances;  // of the factors' entries
  std::array<const double*, kMaxOrder - 1> offsets;
  std::size_t others;
  std::size_t stride;
};

// h of one entry into `h`, and y h, h into the sums.
template <int Others>
inline __attribute__((always_inline)) void expand(const EquationReads& from, const Index* position, double y,
                                                  double* h, double* right, double* total) {
  const std::size_t others = Others > 0 ? Others : from.others;
  const LaneInMemory* rows[kMaxOrder - 1];
  for (std::size_t k = 0; k < others; ++k) rows[k] = lanes(from.factors[k] + position[k] * from.stride);
  for (std::size_t l = 0; l < from.stride / kLane; ++l) {
    Lane product = rows[0][l];
    for (std::size_t k = 1; k < others; ++k) product *= rows[k][l];
    lanes(h)[l] = product;
    lanes(right)[l] += y * product;
    lanes(total)[l] += product;
  }
}

// The variance of h of one entry, whose factors are independent: prod (mean^2 + variance) - prod mean^2.
template <int Others>
inline __attribute__((always_inline)) void add_variance(const EquationReads& from, const Index* position,
                                                        const double* h, double* sum) {
  const std::size_t others = Others > 0 ? Others : from.others;
  const LaneInMemory* means[kMaxOrder - 1];
  const LaneInMemory* variances[kMaxOrder - 1];
  for (std::size_t k = 0; k < others; ++k) {
    means[k] = lanes(from.factors[k] + position[k] * from.stride);
    variances[k] = lanes(from.variances[k] + position[k] * from.stride);
  }
  for (std::size_t l = 0; l < from.stride / kLane; ++l) {
    Lane product = means[0][l] * means[0][l] + variances[0][l];
    for (std::size_t k = 1; k < others; ++k) product *= means[k][l] * means[k][l] + variances[k][l];
    const Lane mean = lanes(h)[l];
    lanes(sum)[l] += product - mean * mean;
  }
}

template <int Others, bool Uncertain>
inline __attribute__((always_inline)) void add_to_equations(const EquationReads& from, std::size_t begin,
                                                            std::size_t end, double* sums) {
  const std::size_t others = Others > 0 ? Others : from.others, stride = from.stride;
  double* const right = sums + stride * stride;
  double* const total = right + stride;
  double* const variance = total + stride;
  double value_total = 0, value_square = 0;
  thread_local std::vector<double> memory;
  memory.resize(kEntryBlock * stride);
  double* const block = memory.data();
  for (std::size_t first = begin; first < end; first += kEntryBlock) {
    const std::size_t count = std::min(kEntryBlock, end - first);
    for (std::size_t e = 0; e < count; ++e) {
      const Index* const position = from.positions + (first + e) * others;
      for (std::size_t k = 0; k < others; ++k) {
        const double* const later = from.factors[k] + position[kEquationsAhead * others + k] * stride;
        for (std::size_t line = 0; line < stride; line += 8) __builtin_prefetch(later + line);
      }
      double y = from.values[first + e];
      for (std::size_t k = 0; k < others; ++k) y -= from.offsets[k][position[k]];
      value_total += y;
      value_square += y * y;
      expand<Others>(from, position, y, block + e * stride, right, total);
      if constexpr (Uncertain) add_variance<Others>(from, position, block + e * stride, variance);
    }
    add_gram(block, stride, count, sums);
  }
  variance[stride] += value_total;
  variance[stride + 1] += value_square;
  variance[stride + 2] += static_cast<double>(end - begin);
}

TULLE_MULTIARCH void add_certain(const EquationReads& from, std::size_t begin, std::size_t end,
                                 double* sums) {
  switch (from.others) {
    case 1:
      return add_to_equations<1, false>(from, begin, end, sums);
    case 2:
      return add_to_equations<2, false>(from, begin, end, sums);
    default:
      return add_to_equations<0, false>(from, begin, end, sums);
  }
}

TULLE_MULTIARCH void add_uncertain(const EquationReads& from, std::size_t begin, std::size_t end,
                                   double* sums) {
  switch (from.others) {
    case 1:
      return add_to_equations<1, true>(from, begin, end, sums);
    case 2:
      return add_to_equations<2, true>(from, begin, end, sums);
    default:
      return add_to_equations<0, true>(from, begin, end, sums);
  }
}

}  // namespace

void normal_equations(const SortedEntries& entries, std::span<const Panel> factors,
                      std::span<const Panel> variances, std::span<const Vector> offsets,
                      const std::function<void(std::size_t row, const double* sums)>& finish) {
  const NormalEquations equations(factors[0].columns());
  EquationReads from{entries.positions.data(),
                     entries.values.data(),
                     {},
                     {},
                     {},
                     entries.modes.size() - 1,
                     static_cast<std::size_t>(equations.stride)};
  for (std::size_t k = 0; k < from.others; ++k) {
    const int mode = entries.modes[k + 1];
    from.factors[k] = factors[mode].data();
    if (!variances.empty()) from.variances[k] = variances[mode].data();
    from.offsets[k] = offsets[mode].data();
  }
  const auto add = variances.empty() ? add_certain : add_uncertain;
  reduce_rows(
      entries, equations.size(), equations.size() + 16,
      [&] { return [&](std::size_t begin, std::size_t end, double* sums) { add(from, begin, end, sums); }; },
      finish);
}

}  // namespace tulle
