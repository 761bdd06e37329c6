#include "../start.hpp"
#include "completion.hpp"
#include "core_update.hpp"

#include <tulle/base/multiarch.hpp>
#include <tulle/solve/tucker/complete_als.hpp>
#include <tulle/solve/warm_start.hpp>
#include <tulle/tensor/decompositions.hpp>
#include <tulle/tensor/kernels/reduce_rows.hpp>
#include <tulle/tensor/kernels/sweep.hpp>
#include <tulle/tensor/kernels/ttm.hpp>
#include <tulle/tensor/unfold.hpp>

#include <Eigen/Cholesky>

namespace tulle {
namespace {

constexpr std::size_t kBatch = 32;

// sums[a, b] += sum over the batch of rows[a] rows[b], lower triangle; four rows at a time, so that sums are
// loaded and stored a quarter as often.
TULLE_MULTIARCH void add_products(const double* rows, std::size_t count, std::size_t width, double* sums) {
  std::size_t e = 0;
  for (; e + 4 <= count; e += 4) {
    const double *r0 = rows + e * width, *r1 = r0 + width, *r2 = r1 + width, *r3 = r2 + width;
    for (std::size_t a = 0; a < width; ++a)
      for (std::size_t b = 0; b <= a; ++b)
        sums[a * width + b] += (r0[a] * r0[b] + r1[a] * r1[b]) + (r2[a] * r2[b] + r3[a] * r3[b]);
  }
  for (; e < count; ++e)
    for (std::size_t a = 0; a < width; ++a)
      for (std::size_t b = 0; b <= a; ++b) sums[a * width + b] += rows[e * width + a] * rows[e * width + b];
}

// The regression of one mode's rows. For each of its cells, row i should satisfy
//   target = a_i . h + offset_i,   h = core contracted with the cell's rows of the other modes.
// Sums of products of (h, 1, target) hold the normal equations, right-hand side included.
class RowUpdate {
 public:
  RowUpdate(const SortedEntries& entries, double scale, const Penalty& penalty, Tucker& model)
      : entries_(entries),
        scale_(scale),
        penalty_(penalty),
        model_(model),
        mode_(entries.modes[0]),
        rank_(static_cast<std::size_t>(model.factors[mode_].cols())),
        unknowns_(rank_ + (model.biases.offsets.empty() ? 0 : 1)) {
    std::vector<int> order(entries.modes.begin() + 1, entries.modes.end());
    order.push_back(mode_);
    core_ = permute(model.core, order);
  }

  void run() {
    const Contraction::Shared shared(entries_, model_.factors, 1, core_.values());
    const auto make = [&] {
      return [&, contraction = Contraction(shared), batch = std::vector<double>(kBatch * width())](
                 std::size_t begin, std::size_t end, double* sums) mutable {
        contraction.restart();
        for (std::size_t from = begin; from < end; from += kBatch) {
          const std::size_t count = std::min(kBatch, end - from);
          for (std::size_t e = 0; e < count; ++e)
            fill(contraction.at(from + e), from + e, &batch[e * width()]);
          add_products(batch.data(), count, width(), sums);
        }
      };
    };
    const std::size_t sums_of_row = width() * width();
    reduce_rows(entries_, sums_of_row, core_.size() + sums_of_row, make,
                [&](std::size_t row, double* sums) { solve(entries_.rows[row], sums); });
  }

 private:
  std::size_t width() const { return unknowns_ + 1; }

  void fill(const double* h, std::size_t entry, double* to) const {
    std::copy_n(h, rank_, to);
    double target = entries_.values[entry] / scale_ - model_.biases.global;
    if (unknowns_ > rank_) {
      to[rank_] = 1;
      for (int level = 1; level < entries_.levels(); ++level)
        target -= model_.biases.offsets[entries_.modes[level]][entries_.position(level, entry)];
    }
    to[unknowns_] = target;
  }

  void solve(Index row, double* sums) {
    const auto size = static_cast<Eigen::Index>(unknowns_);
    Eigen::Map<Matrix> products(sums, size + 1, size + 1);
    Eigen::Ref<Matrix> normal = products.topLeftCorner(size, size);
    // Without a ridge the equations may be singular; this addition is of the size of the rounding error.
    normal.diagonal().array() += 1e-13 * normal.diagonal().mean() + 1e-300;
    normal.diagonal().head(static_cast<Eigen::Index>(rank_)) += penalty_.of_row(mode_, row);
    if (unknowns_ > rank_) normal(size - 1, size - 1) += penalty_.offset_ridge[mode_];
    Vector x = products.row(size).head(size);
    const Eigen::LLT<Eigen::Ref<Matrix>, Eigen::Lower> factored(normal);
    factored.solveInPlace(x);
    model_.factors[mode_].row(row) = x.head(static_cast<Eigen::Index>(rank_)).transpose();
    if (unknowns_ > rank_) model_.biases.offsets[mode_][row] = x[static_cast<Eigen::Index>(rank_)];
  }

  const SortedEntries& entries_;
  double scale_;
  const Penalty& penalty_;
  Tucker& model_;
  int mode_;
  std::size_t rank_, unknowns_;
  DenseTensor core_{Shape{1, 1}};  // with this mode last, the others in the order of the levels
};

// A sweep updates the rows of every mode, then the core.
class Sweeps : public CompletionSteps {
 public:
  Sweeps(const SparseTensor& observed, const std::vector<int>& held)
      : held_(held), entries_(sort_by_every_mode(observed, Levels::small_first)) {
    const Shape& shape = observed.shape();
    smallest_ = static_cast<int>(std::ranges::min_element(shape.dimensions()) - shape.dimensions().begin());
  }

  void pass(int, bool, const Penalty& penalty, ScaledTucker& fit) override {
    for (const SortedEntries& of_mode : entries_)
      if (std::ranges::find(held_, of_mode.modes[0]) == held_.end())
        RowUpdate(of_mode, fit.scale, penalty, fit.model).run();
    update_core(entries_[smallest_], fit.scale, penalty.of_core(), fit.model);
  }

  double squares(const ScaledTucker& fit) const override {
    return squared_error(entries_[smallest_], fit.scale, fit.model);
  }

  int exploring_passes() const override { return 6; }
  std::size_t look_back() const override { return 1; }

 private:
  const std::vector<int>& held_;  // modes
  std::vector<SortedEntries> entries_;
  int smallest_;  // the smallest mode: entries sorted by it share most products in sums over all entries
};

// Learning ridges transforms the columns of a factor linearly, and the core inversely. Restores the columns
// of a held factor.
void restore(const Matrix& factor, int mode, Tucker& model) {
  const Matrix turn = least_squares(factor, model.factors[mode]);
  model.core = ttm(model.core, mode, turn, Apply::expand);
  model.factors[mode] = factor;
}

}  // namespace

Fit<Tucker> complete_tucker_als(const SparseTensor& observed, const TuckerCompletionAlsOptions& options) {
  const Tucker* const from = options.from;
  const std::optional<Shape> shape = from ? std::optional(from->shape()) : std::nullopt;
  check_warm_start(shape ? &*shape : nullptr, observed.shape(), options.held);
  Sweeps sweeps(observed, options.held);
  if (!from) return run_completion(completion_problem(observed, options), sweeps);
  TuckerCompletionAlsOptions same = options;
  same.ranks.clear();
  for (const Matrix& factor : from->factors) same.ranks.push_back(static_cast<int>(factor.cols()));
  same.biases = options.biases || !from->biases.empty();
  CompletionProblem problem = completion_problem(observed, same);
  problem.from = from;
  problem.some_held = !options.held.empty();
  Fit<Tucker> fit = run_completion(problem, sweeps);
  for (int mode : options.held) restore(from->factors[mode], mode, fit.model);
  return fit;
}

}  // namespace tulle
