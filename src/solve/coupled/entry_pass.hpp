// One pass over the entries of a table: for every entry its model m, and sums for one factor, the target,
// over
//   c(x, m) * (the product of the other factors at the entry).
// The gradient by the target, multiplicative updates and variational updates consist of such sums.
//
// Where it saves work, some of the other factors are absorbed into the target: with T = target * absorbed
// factors, which has indices of entities, each entry needs sums over a slice of T only, and the sums for the
// target are the product of the sums for T and the absorbed factors. A core of R^3 elements then costs R per
// entry, not R^3.
//
// A table of which at least a quarter of the cells are listed may be held as a matrix whose rows are those of
// the target; passes are then matrix products (tensor/kernels/cell_sums.hpp). So may the entries of a table
// whose sums are linear in the data, unless that matrix had many more rows or columns than entries.
#pragma once

#include "table_matrix.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/model/contraction.hpp>
#include <tulle/model/coupled.hpp>
#include <tulle/tensor/kernels/cell_sums.hpp>
#include <tulle/tensor/sorted.hpp>

#include <array>
#include <optional>

namespace tulle {

struct PassLayout {
  // For `run_rows`, which needs the other factors themselves at every entry: none is absorbed, and no matrix
  // is used.
  bool by_row = false;
  // Unlisted cells would add nothing to any sum as zeros, or there are none: a matrix of all cells may
  // replace the entries.
  bool zeros_add_nothing = false;
  bool is_linear = false;             // only `add_linear` is called: a matrix may also be used transposed
  bool entries_stay = false;          // they outlive the pass: a matrix may refer to them
  TableMatrices* matrices = nullptr;  // of the same entries, shared by passes; null: a matrix of its own
};

class EntryPass {
 public:
  EntryPass(const Coupled& model, const Product& product, const SparseTensor& entries, int target,
            const PassLayout& layout = {});

  // Values of all factors of the model.
  using Values = std::span<const double* const>;

  // visit(x, m, coefficients) sets the `Sums` coefficients and returns a term; run() returns the sum of these
  // terms. It adds to sums[s], which has the size of the target. Results are bit-identical for any number of
  // threads.
  template <std::size_t Sums, class Visit>
  double run(Values factors, const Visit& visit, const std::array<double*, Sums>& sums) const;

  // The same with the coefficient scale * x, for which no model is needed.
  void add_linear(Values factors, double scale, double* sums) const;

  // Random combinations of the columns of the table; empty unless it is held as a matrix of all cells whose
  // rows are those of the target.
  std::optional<Matrix> sketch(Eigen::Index width, Random& random) const;

  // The same row by row, for a pass with `PassLayout::by_row`: a row consists of the target's elements at one
  // position of each of its entities, and has `width` sums.
  //   visit(entry, x, m, target, others, sums) adds to the sums of its row and returns a term, as above;
  //   target and others are the `slice()` elements of the row, and of the product of the other factors.
  //   deliver(row, sums) takes the sums of the row that begins at element `row`; for rows with many entries
  //   it is called several times. Calls for different rows may come from different threads.
  template <class Visit, class Deliver>
  double run_rows(Values factors, std::size_t width, const Visit& visit, const Deliver& deliver) const {
    return run_rows(factors, factors[target_], width, visit, deliver);
  }

  std::size_t slice() const { return slice_; }
  double operations() const;  // of a pass, roughly
  bool is_matrix() const { return matrix_ != nullptr; }

 private:
  static constexpr std::size_t kTaskEntries = 1 << 12;
  static constexpr std::size_t kAhead = 24;  // how many entries ahead values are prefetched

  // Factors that are multiplied before the pass, since their products are needed at many entries.
  struct Group {
    std::vector<int> factors;
    Axes axes;
  };
  struct Operands {
    std::vector<std::vector<double>> products;  // of groups of several factors
    std::vector<const double*> values;          // of all groups
  };
  // Sums of the first or the last row of a task, to which other tasks may contribute.
  struct Edge {
    bool is_used = false;
    std::size_t row = 0;
    std::vector<double> sums;
  };

  // The choice of the other factors that the target absorbs.
  struct Absorption {
    std::vector<int> absorbed, rest;
    Axes axes;  // of the product with the target
  };

  void absorb(const Coupled& model, const Product& product, const PassLayout& layout);
  double once(const Absorption& choice) const;
  double entry_work(const Coupled& model, const Product& product, const Absorption& choice) const;
  double matrix_work(const Coupled& model, const Product& product, const Absorption& choice,
                     bool is_dense) const;
  void choose_groups(const Coupled& model, const Product& product);
  Axes absorbing_axes(const Coupled& model, const Product& product, const std::vector<int>& absorbed) const;
  std::vector<Operand> absorbed_operands(Values factors) const;
  Axes axes_of(const Coupled& model, const std::vector<Group>& groups, const Group& group) const;
  Operands operands_of(Values factors) const;
  std::size_t work(std::size_t width) const;
  void check_has_models() const;  // throws an Error if the pass is laid out for linear sums alone

  template <class Visit, class Deliver>
  double run_rows(Values factors, const double* target, std::size_t width, const Visit& visit,
                  const Deliver& deliver) const;
  template <class Visit, class Deliver>
  double run_task(std::size_t task, const Operands& operands, const double* target, std::size_t width,
                  const Visit& visit, const Deliver& deliver, Edge* edges,
                  CellContraction::Workspace& space) const;
  template <std::size_t Sums, class Visit>
  double run_sorted(Values factors, const double* target, const Visit& visit,
                    const std::array<double*, Sums>& sums) const;
  template <std::size_t Sums, class Visit>
  double run_dense(Values factors, const double* target, const Visit& visit,
                   const std::array<double*, Sums>& sums) const;
  // run(target, sums) gets the target's values and sums, or those of its product with the absorbed factors.
  template <std::size_t Sums, class Run>
  double with_absorbed(Values factors, const std::array<double*, Sums>& sums, const Run& run) const;

  void lay_out_matrix(const Coupled& model, const Product& product, const SparseTensor& entries,
                      const PassLayout& layout);
  // The product of the other factors, with a row for every column of the matrix; `held` owns a new product.
  RowsInMemory others_of(Values factors, std::vector<double>& held) const;

  int target_;
  std::vector<int> absorbed_;
  enum class Form { entries, dense_matrix, sparse_matrix };
  Form form_ = Form::entries;
  Axes axes_;  // of the target, or of its product with the absorbed factors
  std::vector<Index> sizes_;
  std::size_t entry_count_ = 0;
  std::vector<Axes> factor_axes_;
  Axes levels_;  // of the sorted entries: the target's first
  std::vector<std::size_t> row_strides_;
  std::size_t slice_ = 1;  // elements of the target that belong to one row
  std::vector<Group> groups_;
  CellContraction contraction_;
  SortedEntries entries_;
  std::shared_ptr<TableMatrix> matrix_;  // instead of entries
  bool is_transposed_ = false;           // the target's rows are the columns of the matrix
};

template <std::size_t Sums, class Run>
double EntryPass::with_absorbed(Values factors, const std::array<double*, Sums>& sums, const Run& run) const {
  if (absorbed_.empty()) return run(factors[target_], sums);
  const std::vector<Operand> absorbed = absorbed_operands(factors);
  std::vector<Operand> product = absorbed;
  product.push_back({factor_axes_[target_], {factors[target_], cells_of(sizes_, factor_axes_[target_])}});
  const std::vector<double> target = contract(sizes_, product, axes_);
  std::array<std::vector<double>, Sums> own;
  std::array<double*, Sums> pointers;
  for (std::size_t s = 0; s < Sums; ++s) {
    own[s].resize(target.size());
    pointers[s] = own[s].data();
  }
  const double total = run(target.data(), pointers);
  for (std::size_t s = 0; s < Sums; ++s) {
    product.back() = {axes_, own[s]};
    const std::vector<double> more = contract(sizes_, product, factor_axes_[target_]);
    for (std::size_t i = 0; i < more.size(); ++i) sums[s][i] += more[i];
  }
  return total;
}

template <std::size_t Sums, class Visit>
double EntryPass::run(Values factors, const Visit& visit, const std::array<double*, Sums>& sums) const {
  check_has_models();
  return with_absorbed<Sums>(factors, sums,
                             [&](const double* target, const std::array<double*, Sums>& target_sums) {
                               return is_matrix() ? run_dense<Sums>(factors, target, visit, target_sums)
                                                  : run_sorted<Sums>(factors, target, visit, target_sums);
                             });
}

template <std::size_t Sums, class Visit>
double EntryPass::run_dense(Values factors, const double* target, const Visit& visit,
                            const std::array<double*, Sums>& sums) const {
  std::vector<double> held;
  const RowsInMemory others = others_of(factors, held);
  return add_cell_sums<Sums>(matrix_->cells(), {target, matrix_->rows(), others.cols()}, others, visit, sums);
}

template <std::size_t Sums, class Visit>
double EntryPass::run_sorted(Values factors, const double* target, const Visit& visit,
                             const std::array<double*, Sums>& sums) const {
  const std::size_t slice = slice_;
  return run_rows(
      factors, target, Sums * slice,
      [&visit, slice](std::size_t, double x, double m, const double*, const double* others,
                      double* row_sums) {
        std::array<double, Sums> coefficients{};
        const double part = visit(x, m, coefficients);
        double* __restrict to = row_sums;  // not aliased by any other pointer
        for (std::size_t s = 0; s < Sums; ++s, to += slice)
          for (std::size_t i = 0; i < slice; ++i) to[i] += coefficients[s] * others[i];
        return part;
      },
      [&sums, slice](std::size_t row, const std::vector<double>& row_sums) {
        for (std::size_t s = 0; s < Sums; ++s)
          for (std::size_t i = 0; i < slice; ++i) sums[s][row + i] += row_sums[s * slice + i];
      });
}

template <class Visit, class Deliver>
double EntryPass::run_rows(Values factors, const double* target, std::size_t width, const Visit& visit,
                           const Deliver& deliver) const {
  const Operands operands = operands_of(factors);
  const std::size_t tasks = chunk_count(entries_.size(), kTaskEntries);
  std::vector<double> totals(tasks);
  std::vector<Edge> edges(2 * tasks);
#pragma omp parallel if (work(width) > kWorthWaiting)
  {
    CellContraction::Workspace space = contraction_.workspace();
#pragma omp for schedule(dynamic)
    for (std::size_t task = 0; task < tasks; ++task)
      totals[task] = run_task(task, operands, target, width, visit, deliver, &edges[2 * task], space);
  }
  double total = 0;
  for (double part : totals) total += part;
  for (const Edge& edge : edges)
    if (edge.is_used) deliver(edge.row, edge.sums);
  return total;
}

template <class Visit, class Deliver>
double EntryPass::run_task(std::size_t task, const Operands& operands, const double* target,
                           std::size_t width, const Visit& visit, const Deliver& deliver, Edge* edges,
                           CellContraction::Workspace& space) const {
  const std::size_t begin = task * kTaskEntries, end = std::min(entries_.size(), begin + kTaskEntries);
  const int levels = entries_.levels(), row_levels = static_cast<int>(row_strides_.size());
  std::array<Index, kMaxOrder> cell{}, ahead{};
  std::vector<double> row_sums(width);
  std::size_t row = 0;
  bool is_first = true;
  double total = 0;
  for (std::size_t entry = begin; entry < end; ++entry) {
    const int fresh = entry == begin ? 0 : entries_.fresh[entry];
    for (int level = fresh; level < levels; ++level) cell[level] = entries_.position(level, entry);
    if (fresh < row_levels) {
      if (entry != begin) {
        if (is_first)
          edges[0] = {true, row, row_sums};
        else
          deliver(row, row_sums);
        is_first = false;
        std::fill(row_sums.begin(), row_sums.end(), 0.0);
      }
      row = 0;
      for (int level = 0; level < row_levels; ++level) row += cell[level] * row_strides_[level];
    }
    if (entry + kAhead < end) {
      for (int level = 0; level < levels; ++level) ahead[level] = entries_.position(level, entry + kAhead);
      contraction_.prefetch(operands.values, ahead.data());
    }
    const double* others = contraction_(space, operands.values, cell.data(), fresh);
    double m = 0;
    for (std::size_t i = 0; i < slice_; ++i) m += target[row + i] * others[i];
    total +=
        visit(entry, static_cast<double>(entries_.values[entry]), m, target + row, others, row_sums.data());
  }
  edges[1] = {true, row, std::move(row_sums)};
  return total;
}

}  // namespace tulle
