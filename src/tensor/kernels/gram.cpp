#include "layout.hpp"
#include "panel_gram.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/tensor/kernels/gram.hpp>
#include <tulle/tensor/sorted.hpp>

namespace tulle {
namespace {

// How many partial Gram matrices are kept and then added up: enough to feed the threads, and together no
// larger than the data.
std::size_t part_count(std::size_t tasks, std::size_t data, std::size_t size) {
  return std::clamp<std::size_t>(std::min<std::size_t>(tasks, data / (size * size)), 1, 32);
}

// The sum of add(task, part) over all tasks, where add adds the lower triangle of one task's Gram matrix to a
// part.
template <class Add>
Matrix add_parts(std::size_t tasks, std::size_t data, std::size_t size, Add&& add) {
  const std::size_t parts = part_count(tasks, data, size);
  std::vector<Matrix> sums(parts);
  const OneThread small(data * size < kWorthThreads);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t part = 0; part < parts; ++part) {
    sums[part] = Matrix::Zero(padded_size(size), padded_size(size));
    for (std::size_t task = part * tasks / parts; task < (part + 1) * tasks / parts; ++task)
      add(task, sums[part]);
  }
  Matrix total = Matrix::Zero(size, size);
  for (const Matrix& sum : sums) total += sum.topLeftCorner(size, size);
  total.triangularView<Eigen::StrictlyUpper>() = total.transpose();
  return total;
}

constexpr std::size_t kPanel = 2048;      // columns of the unfolding that one task takes
constexpr std::size_t kShortestRun = 64;  // shorter stretches of memory are brought together first

}  // namespace

Matrix gram(const DenseTensor& tensor, int mode) {
  const Layout at(tensor.shape(), mode);
  const double* const x = tensor.values().data();

  if (at.inner == 1) {  // the last mode: X^T X, in panels of rows
    return add_parts((at.outer + kPanel - 1) / kPanel, tensor.size(), at.size,
                     [&](std::size_t task, Matrix& sum) {
                       const std::size_t begin = task * kPanel, count = std::min(kPanel, at.outer - begin);
                       add_panel_gram({x + begin * at.size, count, at.size, at.size, 1}, sum);
                     });
  }
  if (at.inner >= kShortestRun) {  // blocks of size x inner, in panels of columns
    const std::size_t panels = (at.inner + kPanel - 1) / kPanel;
    return add_parts(at.outer * panels, tensor.size(), at.size, [&](std::size_t task, Matrix& sum) {
      const std::size_t block = task / panels, begin = task % panels * kPanel;
      const double* const from = x + block * at.size * at.inner + begin;
      add_panel_gram({from, std::min(kPanel, at.inner - begin), at.size, 1, at.inner}, sum);
    });
  }
  // Blocks so narrow that memory would be waited for: several are copied side by side.
  const std::size_t together = (kPanel + at.inner - 1) / at.inner;
  return add_parts((at.outer + together - 1) / together, tensor.size(), at.size,
                   [&](std::size_t task, Matrix& sum) {
                     const std::size_t first = task * together, blocks = std::min(together, at.outer - first);
                     Matrix panel(at.size, blocks * at.inner);
                     for (std::size_t block = 0; block < blocks; ++block)
                       for (std::size_t row = 0; row < at.size; ++row)
                         std::copy_n(x + ((first + block) * at.size + row) * at.inner, at.inner,
                                     &panel(row, block * at.inner));
                     const auto count = static_cast<std::size_t>(panel.cols());
                     add_panel_gram({panel.data(), count, at.size, 1, count}, sum);
                   });
}

// A fiber with m listed cells adds its m x m outer product.
Matrix gram(const SparseTensor& tensor, int mode) {
  check_mode(tensor.shape(), mode);
  const SortedEntries sorted = sort_entries(tensor, modes_towards(tensor.shape(), mode));
  const int last = sorted.levels() - 1;
  const auto position = [&](std::size_t entry) { return sorted.position(last, entry); };
  constexpr std::size_t kEntriesATask = 4096;
  const auto fiber_start = [&](std::size_t entry) {  // the first that begins at the entry or behind it
    while (entry < sorted.size() && sorted.fresh[entry] == last) ++entry;
    return entry;
  };
  const std::size_t tasks = (sorted.size() + kEntriesATask - 1) / kEntriesATask;
  return add_parts(tasks, tensor.size(), tensor.shape()[mode], [&](std::size_t task, Matrix& sum) {
    const std::size_t end = fiber_start(std::min(sorted.size(), (task + 1) * kEntriesATask));
    std::size_t fiber = fiber_start(task * kEntriesATask);
    for (std::size_t entry = fiber; entry < end; ++entry) {
      if (sorted.fresh[entry] < last) fiber = entry;
      // Positions rise along a fiber, so these are cells of the lower triangle; a pair in both orders is one
      // cell of it, except that a cell listed twice meets itself on the diagonal.
      const double value = sorted.values[entry];
      double* const row = &sum(position(entry), 0);
      for (std::size_t other = fiber; other <= entry; ++other)
        row[position(other)] += value * sorted.values[other];
      for (std::size_t twin = entry; twin > fiber && position(twin - 1) == position(entry); --twin)
        row[position(entry)] += value * sorted.values[twin - 1];
    }
  });
}

}  // namespace tulle
