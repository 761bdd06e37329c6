#include "entry_pass.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>
#include <limits>

namespace tulle {
namespace {

constexpr double kMostProducts = 1 << 22;  // values of a group
constexpr double kMostRows = 1 << 16;      // rows or columns a sparse matrix may have even with fewer entries
constexpr std::size_t kMostAbsorbed = 8;
constexpr double kPasses = 3;         // products with absorbed factors: of the target, and of two sums
constexpr double kLeastShare = 0.25;  // of the cells that must be entries for a dense matrix
// Work per cell of a dense matrix, in multiplications in a pass over entries: for every latent position, and
// for every factor in the columns. A product with the matrix is kept until a factor in the columns changes:
// the fewer they are and the earlier in a sweep, the longer. An entry of a sparse matrix costs ten times
// that.
constexpr double kMatrixWork = 0.1, kFactorWork = 0.2, kLaterWork = 0.1, kSparseWork = 10;
constexpr double kOperandWork = 8;  // of finding the slice of an operand, in multiplications

// A double, because the combinations of large entities overflow an integer.
double cells_among(std::span<const Index> sizes, const Axes& axes) {
  double count = 1;
  for (int axis : axes) count *= sizes[axis];
  return count;
}

// The target's entity indices first, so that the entries of one of its rows are adjacent; the others from
// small to large, since most entries share the products computed for small ones.
Axes levels_for(const Coupled& model, const Product& product, const Axes& target) {
  Axes levels = model.entity_axes(target), others;
  for (int axis : product.axes)
    if (!holds(levels, axis)) others.push_back(axis);
  std::ranges::stable_sort(others, {}, [&](int axis) { return model.axes[axis].size; });
  levels.insert(levels.end(), others.begin(), others.end());
  return levels;
}

std::vector<int> modes_for(const Product& product, const Axes& levels) {
  std::vector<int> modes;
  for (int axis : levels)
    modes.push_back(static_cast<int>(std::ranges::find(product.axes, axis) - product.axes.begin()));
  return modes;
}

}  // namespace

EntryPass::EntryPass(const Coupled& model, const Product& product, const SparseTensor& entries, int target,
                     const PassLayout& layout)
    : target_(target), sizes_(model.sizes()), contraction_(sizes_, {}, {}, {}) {
  for (const Factor& factor : model.factors) factor_axes_.push_back(factor.axes);
  entry_count_ = entries.size();
  absorb(model, product, layout);
  levels_ = levels_for(model, product, axes_);
  const Axes rows = model.entity_axes(axes_);
  slice_ = cells_of(sizes_, model.latent_axes(axes_));
  row_strides_.assign(rows.size(), slice_);
  for (std::size_t level = rows.size(); level-- > 1;)
    row_strides_[level - 1] = row_strides_[level] * sizes_[rows[level]];
  choose_groups(model, product);
  if (form_ != Form::entries)
    lay_out_matrix(model, product, entries, layout);
  else
    entries_ = sort_entries(entries, modes_for(product, levels_));
}

// A linear pass may use the transpose of its matrix, if that is already known or has the order of the
// entries.
void EntryPass::lay_out_matrix(const Coupled& model, const Product& product, const SparseTensor& entries,
                               const PassLayout& layout) {
  TableMatrices own;
  TableMatrices& known = layout.matrices ? *layout.matrices : own;
  const auto find = [&](const TableMatrix::Layout& wanted) {
    const auto found = std::ranges::find(known, wanted, [](const auto& matrix) { return matrix->layout(); });
    return found != known.end() ? *found : nullptr;
  };
  const TableMatrix::Layout plain{levels_, row_strides_.size(), form_ == Form::dense_matrix};
  matrix_ = find(plain);
  if (matrix_) return;
  if (layout.is_linear && plain.is_dense) {
    matrix_ = find(plain.transposed());
    is_transposed_ = matrix_ || plain.transposed().is_order_of(product);
  }
  if (!matrix_)
    matrix_ = known.emplace_back(std::make_shared<TableMatrix>(
        model, product, entries, is_transposed_ ? plain.transposed() : plain, layout.entries_stay));
}

RowsInMemory EntryPass::others_of(Values factors, std::vector<double>& held) const {
  Axes axes(levels_.begin() + static_cast<std::ptrdiff_t>(row_strides_.size()), levels_.end());
  axes.insert(axes.end(), axes_.begin() + static_cast<std::ptrdiff_t>(row_strides_.size()), axes_.end());
  std::vector<Operand> operands;
  for (const Group& group : groups_)
    for (int factor : group.factors)
      operands.push_back({factor_axes_[factor], {factors[factor], cells_of(sizes_, factor_axes_[factor])}});
  const auto rows = is_transposed_ ? matrix_->rows() : matrix_->columns();
  const auto in_memory = [&](const double* values) {
    return RowsInMemory(values, rows, static_cast<Eigen::Index>(slice_));
  };
  if (operands.size() == 1 && operands[0].axes == axes) return in_memory(operands[0].values.data());
  held = contract(sizes_, std::move(operands), axes);
  return in_memory(held.data());
}

void EntryPass::add_linear(Values factors, double scale, double* sums) const {
  if (is_matrix()) {
    std::vector<double> held;
    const RowsInMemory others = others_of(factors, held);
    const Matrix& product = is_transposed_ ? matrix_->transposed_times(others) : matrix_->times(others);
    std::vector<Operand> operands = absorbed_operands(factors);
    operands.push_back({axes_, {product.data(), static_cast<std::size_t>(product.size())}});
    const std::vector<double> values = contract(sizes_, std::move(operands), factor_axes_[target_]);
    for (std::size_t i = 0; i < values.size(); ++i) sums[i] += scale * values[i];
    return;
  }
  with_absorbed<1>(factors, {sums}, [&](const double* target, const std::array<double*, 1>& target_sums) {
    return run_sorted<1>(
        factors, target,
        [scale](double x, double, std::array<double, 1>& coefficient) {
          coefficient[0] = scale * x;
          return 0.0;
        },
        target_sums);
  });
}

std::optional<Matrix> EntryPass::sketch(Eigen::Index width, Random& random) const {
  if (form_ != Form::dense_matrix || axes_ != factor_axes_[target_]) return std::nullopt;
  return is_transposed_ ? matrix_->transposed_sketch(width, random) : matrix_->sketch(width, random);
}

// Indices of the product of the target and the absorbed factors: those of entities, then the latent ones that
// other factors have as well, each in the order of the model, so that several targets may share a matrix.
Axes EntryPass::absorbing_axes(const Coupled& model, const Product& product,
                               const std::vector<int>& absorbed) const {
  if (absorbed.empty()) return factor_axes_[target_];
  Axes all = factor_axes_[target_], others;
  for (int factor : product.factors) {
    if (factor == target_) continue;
    Axes& to = std::ranges::find(absorbed, factor) != absorbed.end() ? all : others;
    to = united(to, factor_axes_[factor]);
  }
  std::ranges::sort(all);
  Axes axes = model.entity_axes(all);
  for (int axis : model.latent_axes(all))
    if (holds(others, axis)) axes.push_back(axis);
  return axes;
}

// Tries all sets of other factors and absorbs the one that leaves the least work. With more than
// kMostAbsorbed other factors, none is absorbed.
void EntryPass::absorb(const Coupled& model, const Product& product, const PassLayout& layout) {
  std::vector<int> others;
  for (int factor : product.factors)
    if (factor != target_) others.push_back(factor);
  double least = std::numeric_limits<double>::infinity();
  const bool may_absorb = !layout.by_row && others.size() <= kMostAbsorbed;
  const std::size_t sets = may_absorb ? std::size_t{1} << others.size() : 1;
  for (std::size_t set = 0; set < sets; ++set) {
    Absorption choice;
    for (std::size_t i = 0; i < others.size(); ++i)
      (set >> i & 1 ? choice.absorbed : choice.rest).push_back(others[i]);
    choice.axes = absorbing_axes(model, product, choice.absorbed);
    if (!choice.absorbed.empty() && cells_among(sizes_, choice.axes) > kMostProducts) continue;
    const auto take = [&](Form form, double work) {
      if (once(choice) + work >= least) return;
      least = once(choice) + work;
      absorbed_ = choice.absorbed;
      axes_ = choice.axes;
      form_ = form;
    };
    take(Form::entries, entry_work(model, product, choice));
    if (layout.by_row) continue;
    if (layout.zeros_add_nothing) take(Form::dense_matrix, matrix_work(model, product, choice, true));
    if (layout.is_linear) take(Form::sparse_matrix, matrix_work(model, product, choice, false));
  }
}

// Work of the products with absorbed factors.
double EntryPass::once(const Absorption& choice) const {
  if (choice.absorbed.empty()) return 0;
  Axes all = factor_axes_[target_];
  for (int factor : choice.absorbed) all = united(all, factor_axes_[factor]);
  return kPasses * cells_among(sizes_, all);
}

double EntryPass::entry_work(const Coupled& model, const Product& product, const Absorption& choice) const {
  const Axes kept = model.latent_axes(choice.axes);
  std::vector<Axes> rest;
  for (int factor : choice.rest) rest.push_back(factor_axes_[factor]);
  const CellContraction contraction(sizes_, rest, levels_for(model, product, choice.axes), kept);
  const double each =
      contraction.work() + 3 * cells_among(sizes_, kept) + kOperandWork * static_cast<double>(rest.size());
  return each * static_cast<double>(entry_count_);
}

// Infinite if no matrix is possible: the other factors must not depend on the target's row, their product
// must not be far larger than the table, and a dense matrix needs enough entries.
double EntryPass::matrix_work(const Coupled& model, const Product& product, const Absorption& choice,
                              bool is_dense) const {
  const Axes rows = model.entity_axes(choice.axes);
  Axes rest;
  for (int factor : choice.rest) rest = united(rest, factor_axes_[factor]);
  const double cells = cells_among(sizes_, product.axes),
               slice = cells_among(sizes_, model.latent_axes(choice.axes));
  const bool is_possible = std::ranges::none_of(rest, [&](int axis) { return holds(rows, axis); });
  const double columns = cells / cells_among(sizes_, rows), entries = static_cast<double>(entry_count_);
  const bool is_small = is_dense
                            ? columns * slice <= std::max(cells, kMostProducts)
                            : std::max(columns, cells_among(sizes_, rows)) <= std::max(entries, kMostRows);
  if (!is_possible || !is_small || (is_dense && entries < kLeastShare * cells))
    return std::numeric_limits<double>::infinity();
  double each = kMatrixWork * slice;
  for (int factor : choice.rest) {
    const auto before = std::ranges::count_if(product.factors, [&](int other) { return other < factor; });
    each += kFactorWork + kLaterWork * static_cast<double>(before);
  }
  return each * (is_dense ? cells : kSparseWork * entries) +
         (choice.rest.size() > 1 ? cells_among(sizes_, rest) : 0);
}

std::vector<Operand> EntryPass::absorbed_operands(Values factors) const {
  std::vector<Operand> operands;
  for (int factor : absorbed_)
    operands.push_back({factor_axes_[factor], {factors[factor], cells_of(sizes_, factor_axes_[factor])}});
  return operands;
}

// The indices of a product of factors: those of entities, then the latent ones that the target or another
// group has.
Axes EntryPass::axes_of(const Coupled& model, const std::vector<Group>& groups, const Group& group) const {
  Axes all, entities, latent;
  for (int factor : group.factors) all = united(all, factor_axes_[factor]);
  for (int axis : all) {
    bool needed = holds(axes_, axis);
    for (const Group& other : groups)
      for (int factor : other.factors)
        needed = needed || (std::ranges::find(group.factors, factor) == group.factors.end() &&
                            holds(factor_axes_[factor], axis));
    if (!model.axes[axis].latent())
      entities.push_back(axis);
    else if (needed)
      latent.push_back(axis);
  }
  entities.insert(entities.end(), latent.begin(), latent.end());
  return entities;
}

// Multiplies two groups in advance as long as this saves work: a core with the factor of a small entity, or
// the factors of two small entities.
void EntryPass::choose_groups(const Coupled& model, const Product& product) {
  const Axes kept = model.latent_axes(axes_);
  const auto contraction_of = [&](std::vector<Group>& groups) {
    std::vector<Axes> operands;
    for (Group& group : groups) {
      group.axes = group.factors.size() == 1 ? factor_axes_[group.factors[0]] : axes_of(model, groups, group);
      operands.push_back(group.axes);
    }
    return CellContraction(sizes_, operands, levels_, kept);
  };
  const auto work_of = [&](std::vector<Group>& groups) {
    double once = 0;
    const double each = contraction_of(groups).work() + kOperandWork * static_cast<double>(groups.size());
    for (const Group& group : groups) {
      if (group.factors.size() == 1) continue;
      Axes all = group.axes;
      for (int factor : group.factors) all = united(all, factor_axes_[factor]);
      once += cells_among(sizes_, all);
    }
    return once + each * static_cast<double>(entry_count_);
  };
  for (int factor : product.factors)
    if (factor != target_ && std::ranges::find(absorbed_, factor) == absorbed_.end())
      groups_.push_back({{factor}, {}});
  double least = work_of(groups_);
  for (bool improved = true; improved;) {
    improved = false;
    for (std::size_t first = 0; first < groups_.size() && !improved; ++first)
      for (std::size_t second = first + 1; second < groups_.size() && !improved; ++second) {
        std::vector<Group> merged = groups_;
        for (int factor : merged[second].factors) merged[first].factors.push_back(factor);
        merged.erase(merged.begin() + static_cast<std::ptrdiff_t>(second));
        const double work = work_of(merged);
        if (work < least && cells_among(sizes_, merged[first].axes) <= kMostProducts)
          groups_ = merged, least = work, improved = true;
      }
  }
  contraction_ = contraction_of(groups_);
}

EntryPass::Operands EntryPass::operands_of(Values factors) const {
  Operands operands;
  for (const Group& group : groups_) {
    if (group.factors.size() == 1) {
      operands.values.push_back(factors[group.factors[0]]);
      continue;
    }
    std::vector<Operand> parts;
    for (int factor : group.factors)
      parts.push_back({factor_axes_[factor], {factors[factor], cells_of(sizes_, factor_axes_[factor])}});
    operands.products.push_back(contract(sizes_, std::move(parts), group.axes));
    operands.values.push_back(operands.products.back().data());
  }
  return operands;
}

void EntryPass::check_has_models() const {
  if (is_transposed_ || form_ == Form::sparse_matrix)
    fail("a pass that is laid out for linear sums has no models of single entries");
}

double EntryPass::operations() const {
  constexpr double kOfFindingValues = 64;  // per entry, besides the multiplications
  const auto width = static_cast<double>(slice_);
  return is_matrix()
             ? 2 * width * static_cast<double>(matrix_->size())
             : static_cast<double>(entries_.size()) * (kOfFindingValues + contraction_.work() + 3 * width);
}

std::size_t EntryPass::work(std::size_t width) const {
  return entries_.size() * (static_cast<std::size_t>(contraction_.work()) + slice_ + width + 16);
}

}  // namespace tulle
