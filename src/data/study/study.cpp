#include <tulle/base/chunks.hpp>
#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/data/study.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace tulle {
namespace {

// "user ann, place 3"
std::string cell_text(const Coupled& model, int product, const std::vector<Mode>& entities,
                      const Cells& cells, std::size_t entry) {
  std::vector<std::string> parts;
  const std::vector<Mode> modes = modes_of(model, product, entities);
  for (std::size_t i = 0; i < model.products[product].axes.size(); ++i)
    parts.push_back(
        fmt::format("{} {}", modes[i].name, position_name(modes[i], cells(entry, static_cast<int>(i)))));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// Index of the first value that is not finite or is outside the bounds; the number of values if there is
// none.
std::size_t find_outside(std::span<const float> values, float least, float most) {
  unsigned outside = 0;  // without a branch, so that several are tested at once
  for (float value : values) outside |= value >= least ? 0U : 1U, outside |= value <= most ? 0U : 1U;
  if (outside == 0) return values.size();
  const auto is_inside = [&](float value) { return value >= least && value <= most; };
  return static_cast<std::size_t>(std::ranges::find_if_not(values, is_inside) - values.begin());
}

void check_values(const Coupled& model, int product, const Table& table, const std::vector<Mode>& entities) {
  constexpr double kMost = std::numeric_limits<float>::max();
  const auto [least, most] = std::visit(
      [](const auto& divergence) {
        return std::pair<double, double>(divergence.least_data(), divergence.most_data());
      },
      table.divergence);
  const double raised =
      table.floor > 0 ? std::min(least, 0.0) : least;  // what the floor makes of them counts
  const std::size_t entry = find_outside(table.data.values(), static_cast<float>(std::max(raised, -kMost)),
                                         static_cast<float>(std::min(most, kMost)));
  if (entry < table.data.size()) {
    const float value = table.data.values()[entry];
    fail("{} is {}, and divergence {} is not defined for {}; {}",
         cell_text(model, product, entities, table.data.cells(), entry), value,
         divergence_name(table.divergence),
         !std::isfinite(value) ? "values that are not finite"
         : value < 0           ? "negative values"
         : value > 0           ? "values above 1"
                               : "zeros",
         value == 0 ? "state a floor above 0 for such values" : "take another divergence or other data");
  }
  if (table.data.unlisted() == Unlisted::zero && raised > 0)
    fail(
        "its unlisted cells are zeros, which divergence {} is not defined for; state a floor above 0, or "
        "that they are missing",
        divergence_name(table.divergence));
}

}  // namespace

bool Study::is_positive() const {
  return std::ranges::any_of(tables,
                             [](const Table& table) { return needs_positive_models(table.divergence); }) ||
         std::ranges::any_of(priors, [](const auto& prior) { return prior.has_value(); });
}

std::optional<NormalPrior> Study::normal_prior(std::size_t factor) const {
  return factor < normal_priors.size() ? normal_priors[factor] : std::nullopt;
}

double Table::observed_cells() const {
  if (data.unlisted() == Unlisted::missing) return static_cast<double>(data.size());
  double cells = 1;
  for (Index size : data.shape().dimensions()) cells *= size;
  return cells - (hidden ? static_cast<double>(hidden->size()) : 0);
}

void check_table(const Coupled& model, int product, const Table& table, const std::vector<Mode>& entities) {
  const Shape shape = model.shape(product);
  if (table.data.shape() != shape)
    fail("the data are {}, but the model of {} is {}", table.data.shape().text(),
         model.products[product].name, shape.text());
  if (const auto power = power_of(table.divergence); power && !(*power >= 0 && *power <= 3))
    fail("p is {}; it must be from 0 to 3", *power);
  if (!(table.weight > 0 && std::isfinite(table.weight)))
    fail("weight is {}; it must be a finite number above 0", table.weight);
  if (!(table.floor >= 0 && std::isfinite(table.floor)))
    fail("floor is {}; it must be a finite number, 0 or above", table.floor);
  if (table.hidden && (table.data.unlisted() == Unlisted::missing || table.hidden->shape() != shape))
    fail("hidden cells are for tables of the same shape whose unlisted cells are zeros");
  check_values(model, product, table, entities);
}

void check(const Study& study) {
  check(study.model, false);
  if (study.tables.size() != study.model.products.size() || study.priors.size() != study.model.factors.size())
    fail("a study needs a table per relation and a prior, or none, per factor");
  for (const auto& prior : study.priors)
    if (prior && !(prior->shape > 0 && prior->mean > 0 && std::isfinite(prior->rate())))
      fail("a Gamma prior of shape {} and mean {}: both must be above 0", prior->shape, prior->mean);
  if (!study.normal_priors.empty() && study.normal_priors.size() != study.model.factors.size())
    fail("a study needs a normal prior, or none, per factor");
  for (const auto& prior : study.normal_priors)
    if (prior && !(prior->variance > 0 && std::isfinite(prior->variance)))
      fail("a normal prior of variance {}: it must be a finite number above 0", prior->variance);
  if (study.is_positive() &&
      std::ranges::any_of(study.normal_priors, [](const auto& prior) { return prior.has_value(); }))
    fail(
        "a normal prior is for factors that may be negative: no relation whose divergence needs factors of 0 "
        "or above, and no Gamma prior");
  for (std::size_t v = 0; v < study.tables.size(); ++v)
    if (study.is_positive() && is<Bernoulli>(study.tables[v].divergence))
      fail(
          "relation {}: divergence bernoulli needs log odds of any sign, but another relation's divergence "
          "or a Gamma prior keeps factors at 0 or above",
          study.model.products[v].name);
  const auto check_one = [&](std::size_t v) {
    try {
      check_table(study.model, static_cast<int>(v), study.tables[v], study.entities);
    } catch (const Error& error) {
      fail("relation {}: {}", study.model.products[v].name, text_of(error));
    }
  };
  std::size_t entries = 0;
  for (const Table& table : study.tables) entries += table.data.size();
  if (entries > kWorthThreads) return run_side_by_side(study.tables.size(), check_one);
  for (std::size_t v = 0; v < study.tables.size(); ++v) check_one(v);
}

}  // namespace tulle
