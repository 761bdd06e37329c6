// What is computed on the way along sorted entries. The Kronecker product of the rows that belong to a cell,
//   a_i (x) b_j (x) c_k (x) .. ,  one row of matrices[mode] a level,
// is never formed cell by cell: neighbours share their first positions, so their parts are added up (or
// contracted) once.
#pragma once

#include <tulle/base/chunks.hpp>
#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/sorted.hpp>

#include <span>
#include <vector>

namespace tulle {

// out[rest] = sum_p row[p] in[p, rest].
void contract_leading(const double* row, std::size_t size, const double* in, std::size_t rest, double* out);

// A row of matrices[mode] for each level of an entry.
class FactorRows {
 public:
  FactorRows(const SortedEntries& entries, std::span<const Matrix> matrices)
      : entries_(&entries), matrices_(matrices) {}

  std::size_t size(int level) const {
    return static_cast<std::size_t>(matrices_[entries_->modes[level]].cols());
  }
  const double* operator()(int level, std::size_t entry) const {
    return matrices_[entries_->modes[level]].data() + entries_->position(level, entry) * size(level);
  }

 private:
  const SortedEntries* entries_;
  std::span<const Matrix> matrices_;
};

// out[p, rest] += row[p] in[rest].
void add_outer(const double* row, std::size_t size, const double* in, std::size_t rest, double* out);

// Sums value times row (x) row (x) .. of levels first, first+1, .. over entries that are added in order. Rows
// gives the size of a level's rows and the row of an entry.
template <class Rows>
class KroneckerSum {
 public:
  KroneckerSum(const SortedEntries& entries, Rows rows, int first)
      : entries_(entries), rows_(std::move(rows)), first_(first), sums_(entries.levels()) {
    std::size_t size = 1;
    for (int level = last(); level >= first; --level) sums_[level].assign(size *= rows_.size(level), 0);
  }

  void add(std::size_t entry, double value) {
    if (!empty_) close(std::max<int>(entries_.fresh[entry], first_));
    const double* const row = rows_(last(), entry);
    auto& sum = sums_[last()];
    for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += value * row[p];
    last_entry_ = entry;
    empty_ = false;
  }

  // The sum, in C order of the levels; good until the next restart.
  std::span<const double> finish() {
    if (!empty_) close(first_);
    return sums_[first_];
  }

  void restart() {
    for (auto& sum : sums_) std::fill(sum.begin(), sum.end(), 0);
    empty_ = true;
  }

 private:
  int last() const { return entries_.levels() - 1; }

  // Moves what lies below a level into it: the position at that level changes.
  void close(int level) {
    for (int into = last() - 1; into >= level; --into) {
      auto& below = sums_[into + 1];
      add_outer(rows_(into, last_entry_), rows_.size(into), below.data(), below.size(), sums_[into].data());
      std::fill(below.begin(), below.end(), 0);
    }
  }

  const SortedEntries& entries_;
  Rows rows_;
  int first_;
  std::vector<std::vector<double>> sums_;  // by level: of that level and all below
  std::size_t last_entry_ = 0;
  bool empty_ = true;
};

// Contracts a core with the rows of levels first, first+1, .. of one entry after the other. The core's first
// modes are those levels in their order; what follows (nothing, or one more mode) is left over.
class Contraction {
 public:
  // What all threads share: the core, and its product with every row of the first level where there are
  // enough entries to make use of them. That product is most of the work: of a cubic core, all but one part
  // in the rank.
  class Shared {
   public:
    Shared(const SortedEntries& entries, std::span<const Matrix> matrices, int first,
           std::span<const double> core);

   private:
    friend class Contraction;
    const SortedEntries& entries_;
    FactorRows rows_;
    int first_;
    std::span<const double> core_;
    Matrix products_;  // a row for each position of the first level, or empty
  };

  explicit Contraction(const Shared& shared);
  Contraction(const Contraction&) = delete;  // a copy would point into the original
  Contraction(Contraction&&) = default;

  const double* at(std::size_t entry);  // entries in order; good until the next call
  void restart() { started_ = false; }

 private:
  const Shared& shared_;
  std::vector<std::vector<double>> partial_;  // by level: after that level's row
  std::vector<const double*> result_;         // by level: where that is
  bool started_ = false;
};

}  // namespace tulle
