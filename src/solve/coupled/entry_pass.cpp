#include "entry_pass.hpp"

#include <algorithm>

namespace tulle {
namespace {

constexpr double kMostProducts = 1 << 22;  // values of a group
constexpr double kOperandWork = 8;         // of finding the slice of an operand, in multiplications

// The target's entity indices first, so that the entries of one of its rows are neighbours; the others from
// small to large, since what is computed for small ones is shared most.
Axes levels_for(const Coupled& model, const Product& product, const Factor& target) {
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

EntryPass::EntryPass(const Coupled& model, const Product& product, const SparseTensor& entries, int target)
    : target_(target),
      sizes_(model.sizes()),
      levels_(levels_for(model, product, model.factors[target])),
      contraction_(sizes_, {}, {}, {}),
      entries_(sort_entries(entries, modes_for(product, levels_))) {
  entries_.source = {};
  entries_.starts = {};
  for (const Factor& factor : model.factors) factor_axes_.push_back(factor.axes);
  const Axes rows = model.entity_axes(model.factors[target]), kept = model.latent_axes(model.factors[target]);
  slice_ = cells_of(sizes_, kept);
  row_strides_.assign(rows.size(), slice_);
  for (std::size_t level = rows.size(); level-- > 1;)
    row_strides_[level - 1] = row_strides_[level] * sizes_[rows[level]];
  choose_groups(model, product);
}

// The indices of a product of factors: those of entities, then the latent ones that the target or another
// group has.
Axes EntryPass::axes_of(const Coupled& model, const std::vector<Group>& groups, const Group& group) const {
  Axes all, entities, latent;
  for (int factor : group.factors) all = united(all, factor_axes_[factor]);
  for (int axis : all) {
    bool needed = holds(factor_axes_[target_], axis);
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
  const Axes kept = model.latent_axes(model.factors[target_]);
  const auto cells = [&](const Axes& axes) {  // as a double: two large entities have too many to count
    double count = 1;
    for (int axis : axes) count *= sizes_[axis];
    return count;
  };
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
      once += cells(all);
    }
    return once + each * static_cast<double>(entries_.size());
  };
  for (int factor : product.factors)
    if (factor != target_) groups_.push_back({{factor}, {}});
  double least = work_of(groups_);
  for (bool improved = true; improved;) {
    improved = false;
    for (std::size_t first = 0; first < groups_.size() && !improved; ++first)
      for (std::size_t second = first + 1; second < groups_.size() && !improved; ++second) {
        std::vector<Group> merged = groups_;
        for (int factor : merged[second].factors) merged[first].factors.push_back(factor);
        merged.erase(merged.begin() + static_cast<std::ptrdiff_t>(second));
        const double work = work_of(merged);
        if (work < least && cells(merged[first].axes) <= kMostProducts)
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

std::size_t EntryPass::work(std::size_t sums) const {
  return entries_.size() * (static_cast<std::size_t>(contraction_.work()) + (1 + sums) * slice_ + 16);
}

}  // namespace tulle
