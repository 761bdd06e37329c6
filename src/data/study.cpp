#include <tulle/base/chunks.hpp>
#include <tulle/base/error.hpp>
#include <tulle/base/names.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/data/study.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace tulle {
namespace {

constexpr Names<double, 3> kDivergences = {{{0, "euclidean"}, {1, "kl"}, {2, "itakura-saito"}}};

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

// Index of the first value that is not finite or is below `least`; the number of values if there is none.
std::size_t find_outside(std::span<const float> values, float least) {
  constexpr float kMost = std::numeric_limits<float>::max();
  unsigned outside = 0;  // without a branch, so that several are tested at once
  for (float value : values) outside |= value >= least ? 0U : 1U, outside |= value <= kMost ? 0U : 1U;
  if (outside == 0) return values.size();
  const auto is_inside = [&](float value) { return value >= least && value <= kMost; };
  return static_cast<std::size_t>(std::ranges::find_if_not(values, is_inside) - values.begin());
}

void check_values(const Coupled& model, int product, const Table& table, const std::vector<Mode>& entities) {
  using Limits = std::numeric_limits<float>;
  const bool takes_zeros = table.power < 2 || table.floor > 0;
  const std::size_t entry = find_outside(table.data.values(), table.power == 0 ? Limits::lowest()
                                                              : takes_zeros    ? 0
                                                                               : Limits::denorm_min());
  if (entry < table.data.size()) {
    const float value = table.data.values()[entry];
    fail("{} is {}, and divergence {} is not defined for {}; {}",
         cell_text(model, product, entities, table.data.cells(), entry), value, divergence_name(table.power),
         !std::isfinite(value) ? "values that are not finite"
         : value < 0           ? "negative values"
                               : "zeros",
         value == 0 ? "state a floor above 0 for such values" : "take another divergence or other data");
  }
  if (table.data.unlisted() == Unlisted::zero && table.power >= 2 && table.floor == 0)
    fail(
        "its unlisted cells are zeros, which divergence {} is not defined for; state a floor above 0, or "
        "that "
        "they are missing",
        divergence_name(table.power));
}

}  // namespace

bool Study::is_positive() const {
  return std::ranges::any_of(tables, [](const Table& table) { return table.power != 0; }) ||
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

double divergence_of(std::string_view text) {
  if (const auto number = parse_number<double>(text)) {
    if (*number >= 0 && *number <= 3) return *number;
    fail_usage("divergence {}: p must be from 0 to 3", text);
  }
  return find_named(kDivergences, text, "divergence");
}

std::string divergence_name(double power) {
  const auto name = name_in(kDivergences, power);
  return name == "?" ? fmt::format("p = {}", power) : std::string(name);
}

void check_table(const Coupled& model, int product, const Table& table, const std::vector<Mode>& entities) {
  const Shape shape = model.shape(product);
  if (table.data.shape() != shape)
    fail("the data are {}, but the model of {} is {}", table.data.shape().text(),
         model.products[product].name, shape.text());
  if (!(table.power >= 0 && table.power <= 3)) fail("p is {}; it must be from 0 to 3", table.power);
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
    fail("a normal prior is for factors that may be negative: all relations Euclidean, and no Gamma prior");
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
