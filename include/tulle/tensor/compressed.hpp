// The entries of a sparse tensor, grouped by their position in each mode: the layout that the kernels stream
// through. A row is what the entries of one position have in common: a row of the unfolding, and of the
// factor that a kernel computes.
#pragma once

#include <tulle/base/chunks.hpp>
#include <tulle/tensor/sparse.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace tulle {

// The entries grouped by one mode. Rows without entries are not held, so that a huge and nearly empty mode
// costs nothing.
class CompressedMode {
 public:
  int mode = 0;
  std::vector<int> others;          // the other modes, the largest first
  std::vector<Index> rows;          // positions that occur, ascending
  std::vector<std::size_t> starts;  // entries of rows[r] are starts[r] .. starts[r + 1]
  std::vector<Index>
      positions;  // of entry e in the modes `others`: others.size() numbers from e * others.size() on,
                  // ascending within a row, so that gathers move forward through the factors
  std::vector<float> values;

  std::size_t size() const { return values.size(); }
  // Of reducing all rows to `sums` sums each, in additions; an entry costs about 16 besides.
  std::size_t work(std::size_t sums) const { return size() * (sums + 16); }

  // Work for threads. A task is a run of rows with about kTaskEntries entries; a row with more than
  // kHeavyEntries is heavy, is in no task, and is cut into pieces instead.
  struct Task {
    std::size_t first_row, last_row;
  };
  std::vector<Task> tasks;
  std::vector<std::size_t> heavy_rows;

  void plan();  // fills tasks and heavy_rows

  static constexpr std::size_t kTaskEntries = 1 << 12;
  static constexpr std::size_t kHeavyEntries = 1 << 16;
  static constexpr std::size_t kPieceEntries = 1 << 13;
  static constexpr std::size_t kMaxPieces = 256;
  // Zeros behind the last position, so that a kernel may look this many entries ahead without asking.
  static constexpr std::size_t kLookAhead = 16;
};

class CompressedTensor {
 public:
  explicit CompressedTensor(const SparseTensor& tensor);

  const Shape& shape() const { return shape_; }
  int order() const { return shape_.order(); }
  std::size_t size() const { return modes_.front().size(); }
  const CompressedMode& mode(int m) const { return modes_[m]; }

  // Every value becomes (value - shift) * factor.
  void transform_values(double shift, double factor);

 private:
  Shape shape_;
  std::vector<CompressedMode> modes_;
};

// Reduces the entries of each row to `size` sums and hands them on: accumulate(begin, end, sums) adds the
// entries begin .. end, all of one row, to sums that start at zero; finish(row, sums) is called once for
// every r in 0 .. rows.size()-1, with the sums of all its entries. Each row is one thread's alone; a heavy
// row is cut at places that depend on the data only, and its parts are added in order: the result is the same
// bit by bit for any number of threads. Both functions must not throw.
template <class Accumulate, class Finish>
void reduce_rows(const CompressedMode& entries, std::size_t size, const Accumulate& accumulate,
                 const Finish& finish) {
  [[maybe_unused]] const bool share = entries.work(size) > kWorthWaiting;
#pragma omp parallel if (share && entries.tasks.size() > 1)
  {
    std::vector<double> sums(size);
#pragma omp for schedule(dynamic)
    for (std::size_t t = 0; t < entries.tasks.size(); ++t)
      for (std::size_t row = entries.tasks[t].first_row; row < entries.tasks[t].last_row; ++row) {
        std::fill(sums.begin(), sums.end(), 0.0);
        accumulate(entries.starts[row], entries.starts[row + 1], sums.data());
        finish(row, sums.data());
      }
  }
  std::vector<double> parts;
  for (std::size_t row : entries.heavy_rows) {
    const std::size_t begin = entries.starts[row], end = entries.starts[row + 1];
    const std::size_t piece =
        std::max(CompressedMode::kPieceEntries, (end - begin - 1) / CompressedMode::kMaxPieces + 1);
    const std::size_t count = (end - begin - 1) / piece + 1;
    parts.assign(count * size, 0.0);
#pragma omp parallel for schedule(dynamic) if (share)
    for (std::size_t p = 0; p < count; ++p)
      accumulate(begin + p * piece, std::min(begin + (p + 1) * piece, end), parts.data() + p * size);
    for (std::size_t p = 1; p < count; ++p)
      for (std::size_t s = 0; s < size; ++s) parts[s] += parts[p * size + s];
    finish(row, parts.data());
  }
}

}  // namespace tulle
