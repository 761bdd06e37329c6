#include "matrix_product.hpp"

#include <tulle/model/contraction.hpp>

#include <algorithm>

namespace tulle {
namespace {

constexpr std::size_t kMostOffsets = 1 << 10;
constexpr double kOne = 1;

std::size_t stride_in(std::span<const Index> sizes, const Axes& axes, int axis) {
  std::size_t stride = 1;
  for (auto it = axes.rbegin(); it != axes.rend(); ++it) {
    if (*it == axis) return stride;
    stride *= sizes[*it];
  }
  return 0;
}

// One row of a loop. The strides Result, Left and Right are 0 or 1 and known to the compiler.
template <bool Add, int Result, int Left, int Right>
void multiply_row(std::size_t count, double* __restrict result, const double* left, const double* right) {
  if constexpr (Result == 0) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += left[i * Left] * right[i * Right];
    *result = Add ? *result + sum : sum;
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      const double product = left[i * Left] * right[i * Right];
      result[i] = Add ? result[i] + product : product;
    }
  }
}

template <bool Add>
void multiply_strided(std::size_t count, double* result, std::size_t by, const double* left,
                      std::size_t left_by, const double* right, std::size_t right_by) {
  for (std::size_t i = 0; i < count; ++i) {
    const double product = left[i * left_by] * right[i * right_by];
    result[i * by] = Add ? result[i * by] + product : product;
  }
}

// All rows with the same strides, one per offset.
template <bool Add, class Row, class Offsets>
void multiply(const Row& row, const Offsets& offsets, double* result, const double* left,
              const double* right) {
  const auto each = [&](const auto& multiply_one) {
    for (const auto& at : offsets) multiply_one(result + at.result, left + at.left, right + at.right);
  };
  const std::size_t size = row.size;
  if (row.result <= 1 && row.left <= 1 && row.right <= 1) {
    switch (row.result * 4 + row.left * 2 + row.right) {
      case 7:
        return each([=](double* to, const double* a, const double* b) {
          multiply_row<Add, 1, 1, 1>(size, to, a, b);
        });
      case 6:
        return each([=](double* to, const double* a, const double* b) {
          multiply_row<Add, 1, 1, 0>(size, to, a, b);
        });
      case 5:
        return each([=](double* to, const double* a, const double* b) {
          multiply_row<Add, 1, 0, 1>(size, to, a, b);
        });
      case 3:
        return each([=](double* to, const double* a, const double* b) {
          multiply_row<Add, 0, 1, 1>(size, to, a, b);
        });
      default:
        break;
    }
  }
  each([&](double* to, const double* a, const double* b) {
    multiply_strided<Add>(size, to, row.result, a, row.left, b, row.right);
  });
}

// The next two operands to multiply, with the growth of their product over its parts.
struct Pair {
  std::size_t first = 0, second = 0;
  double size = 0;
  Axes axes;
};

}  // namespace

PairLoop::PairLoop(std::span<const Index> sizes, const Axes& result, const Axes& left, const Axes& right)
    : result_size_(cells_of(sizes, result)) {
  std::vector<Stride> strides;
  for (int axis : united(united(result, left), right)) {
    strides.push_back({sizes[axis], stride_in(sizes, result, axis), stride_in(sizes, left, axis),
                       stride_in(sizes, right, axis)});
    products_ *= sizes[axis];
    sums_ = sums_ || !holds(result, axis);
  }
  const auto worth = [](const Stride& s) {  // as the innermost index: contiguous first, then long
    return std::pair((s.result == 1 ? 3 : s.result == 0 ? 1 : 0) + (s.left <= 1) + (s.right <= 1), s.size);
  };
  if (!strides.empty()) {
    const auto best = std::ranges::max_element(strides, {}, worth);
    inner_ = *best;
    strides.erase(best);
  }
  // Large strides outside, so that the operands are read forward.
  std::ranges::stable_sort(strides, std::ranges::greater{},
                           [](const Stride& s) { return std::max(s.left, s.right); });
  offsets_ = {{0, 0, 0}};
  while (!strides.empty() && offsets_.size() * strides.back().size <= kMostOffsets) {
    const Stride stride = strides.back();
    strides.pop_back();
    std::vector<Offset> all;
    for (std::size_t i = 0; i < stride.size; ++i)
      for (const Offset& at : offsets_)
        all.push_back(
            {at.result + i * stride.result, at.left + i * stride.left, at.right + i * stride.right});
    offsets_ = std::move(all);
  }
  outer_ = std::move(strides);
}

void PairLoop::run(double* result, const double* left, const double* right) const {
  if (sums_) std::fill_n(result, result_size_, 0.0);
  run_from(0, result, left, right);
}

void PairLoop::run_from(std::size_t outer, double* result, const double* left, const double* right) const {
  if (outer < outer_.size()) {
    const Stride& stride = outer_[outer];
    for (std::size_t i = 0; i < stride.size; ++i)
      run_from(outer + 1, result + i * stride.result, left + i * stride.left, right + i * stride.right);
    return;
  }
  if (sums_)
    multiply<true>(inner_, offsets_, result, left, right);
  else
    multiply<false>(inner_, offsets_, result, left, right);
}

std::vector<double> contract(std::span<const Index> sizes, std::vector<Operand> operands,
                             const Axes& result) {
  std::vector<std::vector<double>> held;  // products so far; moving them keeps their elements in place
  // The indices of some operands' product that are still needed.
  const auto remaining = [&](const Axes& axes, std::size_t first, std::size_t second) {
    Axes left;
    for (int axis : axes) {
      bool needed = holds(result, axis);
      for (std::size_t other = 0; other < operands.size(); ++other)
        needed = needed || (other != first && other != second && holds(operands[other].axes, axis));
      if (needed) left.push_back(axis);
    }
    return left;
  };
  const Operand one{{}, {&kOne, 1}};
  const auto replace = [&](std::size_t at, Axes axes, const Operand& left, const Operand& right) {
    std::vector<double> product(cells_of(sizes, axes));
    if (const auto matrices = MatrixProduct::find(sizes, axes, left.axes, right.axes))
      matrices->run(product.data(), left.values.data(), right.values.data());
    else
      PairLoop(sizes, axes, left.axes, right.axes)
          .run(product.data(), left.values.data(), right.values.data());
    held.push_back(std::move(product));
    operands[at] = {std::move(axes), held.back()};
  };
  // Indices of only one operand are summed first: in a product with another they would be looped over.
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (Axes axes = remaining(operands[i].axes, i, i); axes.size() < operands[i].axes.size())
      replace(i, std::move(axes), operands[i], one);
  while (operands.size() > 1) {
    Pair best;
    for (std::size_t first = 0; first < operands.size(); ++first)
      for (std::size_t second = first + 1; second < operands.size(); ++second) {
        Axes axes = remaining(united(operands[first].axes, operands[second].axes), first, second);
        // The growth of a product over its parts; a sum over an index makes it smaller.
        const double size = static_cast<double>(cells_of(sizes, axes)) -
                            static_cast<double>(operands[first].values.size()) -
                            static_cast<double>(operands[second].values.size());
        if (best.second == 0 || size < best.size) best = {first, second, size, std::move(axes)};
      }
    replace(best.first, best.axes, operands[best.first], operands[best.second]);
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(best.second));
  }
  const Operand last = operands.empty() ? one : operands.front();
  if (last.axes == result && !held.empty() && last.values.data() == held.back().data())
    return std::move(held.back());
  std::vector<double> values(cells_of(sizes, result));
  PairLoop(sizes, result, last.axes, {}).run(values.data(), last.values.data(), &kOne);
  return values;
}

CellContraction::CellContraction(std::span<const Index> sizes, const std::vector<Axes>& operands, Axes levels,
                                 Axes kept)
    : kept_size_(cells_of(sizes, kept)) {
  const auto level_of = [&](const Axes& axes) {
    int level = -1;
    for (int axis : axes)
      if (const auto at = std::ranges::find(levels, axis); at != levels.end())
        level = std::max(level, static_cast<int>(at - levels.begin()));
    return level;
  };
  std::vector<std::size_t> order(operands.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return level_of(operands[i]); });

  Axes so_far;
  first_.assign(levels.size() + 1, order.size());
  for (std::size_t s = 0; s < order.size(); ++s) {
    const Axes& axes = operands[order[s]];
    Step step{order[s], level_of(axes), {}, false, PairLoop(sizes, {}, {}, {})};
    Axes summed;  // the slice's own indices
    for (int axis : axes)
      if (const auto at = std::ranges::find(levels, axis); at != levels.end())
        step.offsets.emplace_back(static_cast<int>(at - levels.begin()), stride_in(sizes, axes, axis));
      else
        summed.push_back(axis);
    const Axes both = united(so_far, summed);
    Axes next;
    for (int axis : both) {
      bool needed = holds(kept, axis);
      for (std::size_t later = s + 1; later < order.size(); ++later)
        needed = needed || holds(operands[order[later]], axis);
      if (needed) next.push_back(axis);
    }
    if (s + 1 == order.size()) next = kept;
    step.is_slice = s == 0 && next == summed;
    step.loop = PairLoop(sizes, next, so_far, summed);
    if (!step.is_slice) work_ += static_cast<double>(step.loop.products());
    for (int level = 0; level <= step.level; ++level) first_[level] = std::min(first_[level], s);
    sizes_.push_back(cells_of(sizes, next));
    so_far = std::move(next);
    steps_.push_back(std::move(step));
  }
}

CellContraction::Workspace CellContraction::workspace() const {
  Workspace space;
  for (std::size_t size : sizes_) space.buffers.emplace_back(size);
  space.products.resize(steps_.size());
  if (steps_.empty()) space.buffers.emplace_back(kept_size_, 1.0);
  return space;
}

const double* CellContraction::operator()(Workspace& space, std::span<const double* const> operands,
                                          const Index* cell, int fresh) const {
  if (steps_.empty()) return space.buffers.front().data();
  // Steps without a level run once, with the first cell.
  for (std::size_t s = space.products.front() == nullptr ? 0 : first_[fresh]; s < steps_.size(); ++s) {
    const Step& step = steps_[s];
    const double* slice = operands[step.operand];
    for (const auto& [level, stride] : step.offsets) slice += cell[level] * stride;
    if (step.is_slice) {
      space.products[s] = slice;
      continue;
    }
    step.loop.run(space.buffers[s].data(), s == 0 ? &kOne : space.products[s - 1], slice);
    space.products[s] = space.buffers[s].data();
  }
  return space.products.back();
}

}  // namespace tulle
