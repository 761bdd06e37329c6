#include "check.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/base/suggestion.hpp>
#include <tulle/model/contraction.hpp>
#include <tulle/model/coupled.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

std::string with_letters(const Coupled& model, std::string_view name, const Axes& axes) {
  std::vector<std::string> letters;
  for (int axis : axes) letters.push_back(model.axes[axis].letter);
  return fmt::format("{}[{}]", name, fmt::join(letters, ","));
}

bool repeats(const Axes& axes) {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (std::find(axes.begin() + static_cast<std::ptrdiff_t>(i) + 1, axes.end(), axes[i]) != axes.end())
      return true;
  return false;
}

bool all_known(const std::vector<int>& numbers, std::size_t count) {
  return std::ranges::all_of(numbers, [&](int n) { return n >= 0 && n < static_cast<int>(count); });
}

void check_factor(const Coupled& model, const Factor& factor, bool values) {
  if (factor.axes.empty() || !all_known(factor.axes, model.axes.size()) || repeats(factor.axes))
    fail("factor {}: it needs indices, each at most once", factor.name);
  if (!std::ranges::is_partitioned(factor.axes, [&](int axis) { return !model.axes[axis].latent(); }))
    fail("factor {}: indices of entities come before latent ones",
         with_letters(model, factor.name, factor.axes));
  if (!values) return;
  if (factor.values.size() != cells_of(model.sizes(), factor.axes))
    fail("factor {}: {} values instead of {}", with_letters(model, factor.name, factor.axes),
         factor.values.size(), cells_of(model.sizes(), factor.axes));
  if (!std::ranges::all_of(factor.values, [](double value) { return std::isfinite(value); }))
    fail("factor {} has a value that is not a finite number", factor.name);
}

void check_product(const Coupled& model, const Product& product) {
  if (product.axes.empty() || product.axes.size() > 5)
    fail("relation {} has {} indices; it needs 1 to 5", product.name, product.axes.size());
  if (!all_known(product.axes, model.axes.size()) || !all_known(product.factors, model.factors.size()))
    fail("relation {}: an index or a factor that does not exist", product.name);
  if (repeats(product.axes))
    fail(
        "relation {}: an index letter stands twice on its left side; give the second one a letter of its "
        "own",
        with_letters(model, product.name, product.axes));
  if (product.factors.empty()) fail("relation {}: it needs factors", product.name);
  for (int factor : product.factors)
    if (std::ranges::count(product.factors, factor) > 1)
      fail("relation {}: factor {} stands twice in its product; give the second one a name of its own",
           product.name, model.factors[factor].name);
  Axes found;
  for (int factor : product.factors) found = united(found, model.factors[factor].axes);
  for (int axis : product.axes)
    if (model.axes[axis].latent() || !holds(found, axis))
      fail("relation {}: index {} {}", with_letters(model, product.name, product.axes),
           model.axes[axis].letter, model.axes[axis].latent() ? "is latent" : "is in none of its factors");
  for (int axis : found)
    if (!model.axes[axis].latent() && !holds(product.axes, axis))
      fail("relation {}: index {} of entity {} is in a factor, but not on its left side",
           with_letters(model, product.name, product.axes), model.axes[axis].letter, model.axes[axis].entity);
  if (!(product.dispersion > 0)) fail("relation {}: its dispersion is not above 0", product.name);
}

// user_2, or the first such name that no other mode or entity has.
template <class IsTaken>
std::string free_name(const std::string& name, const std::vector<Mode>& entities, const IsTaken& is_taken) {
  for (int number = 2;; ++number) {
    const std::string next = fmt::format("{}_{}", name, number);
    if (!is_taken(next) && std::ranges::find(entities, next, &Mode::name) == entities.end()) return next;
  }
}

}  // namespace

std::vector<Index> Coupled::sizes() const {
  std::vector<Index> all;
  for (const Axis& axis : axes) all.push_back(axis.size);
  return all;
}

Axes Coupled::entity_axes(const Axes& among) const {
  Axes chosen;
  for (int axis : among)
    if (!axes[axis].latent()) chosen.push_back(axis);
  return chosen;
}

Axes Coupled::latent_axes(const Axes& among) const {
  Axes chosen;
  for (int axis : among)
    if (axes[axis].latent()) chosen.push_back(axis);
  return chosen;
}

int Coupled::product_of(std::string_view name) const {
  std::vector<std::string> names;
  for (const Product& product : products) {
    if (product.name == name) return static_cast<int>(&product - products.data());
    names.push_back(product.name);
  }
  fail_unknown("relation", name, names);
}

Shape Coupled::shape(int product) const {
  std::vector<std::uint64_t> dimensions;
  for (int axis : products[product].axes) dimensions.push_back(axes[axis].size);
  if (dimensions.size() == 1) dimensions.push_back(1);
  return Shape(dimensions);
}

std::vector<double> Coupled::predict(int product, const Cells& cells) const {
  check_cells(shape(product), cells);
  std::vector<Axes> operands;
  std::vector<const double*> values;
  for (int factor : products[product].factors) {
    operands.push_back(factors[factor].axes);
    values.push_back(factors[factor].values.data());
  }
  const CellContraction contraction(sizes(), operands, products[product].axes, {});
  std::vector<double> result(cells.size());
#pragma omp parallel if (cells.size() * static_cast <std::size_t>(contraction.work() + 16) > kWorthThreads)
  {
    CellContraction::Workspace space = contraction.workspace();
#pragma omp for schedule(static)
    for (std::size_t entry = 0; entry < cells.size(); ++entry)
      result[entry] = *contraction(space, values, cells.cell(entry).data(), 0);
    if (products[product].log_odds) {
#pragma omp for schedule(static)
      for (double& value : result) value = 1 / (1 + std::exp(-value));
    }
  }
  return result;
}

void check(const Coupled& model, bool values) {
  for (const Axis& axis : model.axes)
    if (axis.size == 0) fail("index {} has no positions", axis.letter);
  for (const Factor& factor : model.factors) check_factor(model, factor, values);
  for (const Product& product : model.products) check_product(model, product);
}

std::vector<Mode> modes_of(const Coupled& model, int product, const std::vector<Mode>& entities) {
  std::vector<Mode> modes;
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::find(modes, name, &Mode::name) != modes.end();
  };
  for (int axis : model.products[product].axes) {
    Mode mode = *std::ranges::find(entities, model.axes[axis].entity, &Mode::name);
    if (is_taken(mode.name)) mode.name = free_name(mode.name, entities, is_taken);
    modes.push_back(std::move(mode));
  }
  if (modes.size() == 1) modes.push_back({"column", {}});
  return modes;
}

std::string formula(const Coupled& model, const Product& product) {
  std::vector<std::string> factors;
  for (int factor : product.factors)
    factors.push_back(with_letters(model, model.factors[factor].name, model.factors[factor].axes));
  return fmt::format("{} = {}", with_letters(model, product.name, product.axes), fmt::join(factors, " "));
}

}  // namespace tulle
