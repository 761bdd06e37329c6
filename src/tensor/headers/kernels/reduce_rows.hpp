// Sums over the entries of each row of a sparse tensor: what MTTKRP, normal equations and projections are.
#pragma once

#include <tulle/base/chunks.hpp>
#include <tulle/tensor/sorted.hpp>

#include <algorithm>
#include <vector>

namespace tulle {

// Reduces the entries of each row to `size` sums and hands them on. make() gives each thread a function of
// its own, accumulate(begin, end, sums), which adds the entries begin .. end, all of one row, to sums that
// start at zero; finish(r, sums) is called once for every r in 0 .. rows.size()-1, with the sums of all
// entries of row r. Each row is one thread's alone; a long row is cut at places that depend on the data only,
// and its parts are added in order: the result is the same bit by bit for any number of threads. Nothing here
// may throw. `operations`: about how many an entry takes, to decide whether threads are worth waiting for.
template <class Make, class Finish>
void reduce_rows(const SortedEntries& entries, std::size_t size, std::size_t operations, const Make& make,
                 const Finish& finish) {
  [[maybe_unused]] const bool share = entries.size() * operations > kWorthWaiting;
#pragma omp parallel if (share && entries.tasks.size() > 1)
  {
    auto accumulate = make();
    std::vector<double> sums(size);
#pragma omp for schedule(dynamic)
    for (std::size_t t = 0; t < entries.tasks.size(); ++t)
      for (std::size_t row = entries.tasks[t].first_row; row < entries.tasks[t].last_row; ++row) {
        std::fill(sums.begin(), sums.end(), 0.0);
        accumulate(entries.starts[row], entries.starts[row + 1], sums.data());
        finish(row, sums.data());
      }
  }
  const auto& pieces = entries.pieces;
  std::vector<double> parts;
  for (std::size_t batch = 0; batch + 1 < entries.batches.size(); ++batch) {
    const std::size_t first = entries.batches[batch], last = entries.batches[batch + 1];
    parts.assign((last - first) * size, 0.0);
#pragma omp parallel if (share && last - first > 1)
    {
      auto accumulate = make();
#pragma omp for schedule(dynamic)
      for (std::size_t p = first; p < last; ++p)
        accumulate(pieces[p].begin, pieces[p].end, &parts[(p - first) * size]);
    }
    for (std::size_t p = first; p < last;) {
      const std::size_t row = pieces[p].row;
      double* const sums = &parts[(p - first) * size];
      for (++p; p < last && pieces[p].row == row; ++p)
        for (std::size_t s = 0; s < size; ++s) sums[s] += parts[(p - first) * size + s];
      finish(row, sums);
    }
  }
}

}  // namespace tulle
