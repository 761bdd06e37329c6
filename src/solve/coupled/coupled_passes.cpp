#include "coupled_passes.hpp"

#include <tulle/base/random.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr double kRounding = 1e-12;

}  // namespace

CoupledPasses::CoupledPasses(const Study& study, std::uint64_t seed) : study_(study) {
  tables_with_.resize(study.model.factors.size());
  for (std::size_t v = 0; v < study.tables.size(); ++v) {
    const Product& product = study.model.products[v];
    const Observations observations = observe(study.tables[v], seed);
    LaidOut laid_out{observations.closed, {}};
    for (int factor : product.factors) {
      std::vector<Pass> passes;
      for (const Block& block : observations.blocks)
        passes.push_back({EntryPass(study.model, product, block.entries, factor), block.data, block.model});
      laid_out.passes.push_back(std::move(passes));
      tables_with_[factor].push_back(static_cast<int>(v));
    }
    tables_.push_back(std::move(laid_out));
  }
}

const std::vector<CoupledPasses::Pass>& CoupledPasses::of(std::size_t table, int factor) const {
  const std::vector<int>& factors = study_.model.products[table].factors;
  return tables_[table]
      .passes[static_cast<std::size_t>(std::ranges::find(factors, factor) - factors.begin())];
}

void CoupledPasses::add_gradient(std::size_t table, int factor, FactorValues factors, double scale,
                                 double* pull, double* push) const {
  const Product& product = study_.model.products[table];
  const double power = study_.tables[table].power;
  std::vector<double> all;  // the part of all cells, from which that of hidden ones is subtracted
  if (closed(table)) {
    all.resize(cells_of(study_.model.sizes(), study_.model.factors[factor].axes));
    add_all_cells(study_.model, product, factor, factors, power == 0, scale, all.data());
  }
  std::vector<double> rest = all;
  for (const Pass& pass : of(table, factor))
    with_divergence(power, [&](auto divergence) {
      const double data = scale * pass.data, model = scale * pass.model;
      pass.entries.run<2>(factors,
                          [&](double x, double m, std::array<double, 2>& coefficients) {
                            coefficients = {data * divergence.pull(x, m), model * divergence.push(m)};
                            return 0.0;
                          },
                          {pull, closed(table) ? rest.data() : push});
    });
  for (std::size_t i = 0; i < all.size(); ++i)  // where all cells are hidden, what is left is rounding
    push[i] += rest[i] > kRounding * all[i] ? rest[i] : 0;
}

double CoupledPasses::divergence(std::size_t table, FactorValues factors) const {
  const Product& product = study_.model.products[table];
  const double power = study_.tables[table].power;
  double sum = closed(table) ? sum_all_cells(study_.model, product, factors, power == 0) : 0;
  for (const Pass& pass : of(table, product.factors.front()))
    with_divergence(power, [&](auto divergence) {
      sum += pass.entries.run<0>(factors,
                                 [&](double x, double m, std::array<double, 0>&) {
                                   return (pass.data != 0 ? pass.data * divergence.of_data(x, m) : 0) +
                                          (pass.model != 0 ? pass.model * divergence.of_model(m) : 0);
                                 },
                                 {});
    });
  return sum;
}

std::vector<const double*> values_of(const Coupled& model) {
  std::vector<const double*> values;
  for (const Factor& factor : model.factors) values.push_back(factor.values.data());
  return values;
}

Coupled random_start(const Study& study, std::uint64_t seed) {
  Coupled model = study.model;
  const std::vector<Index> sizes = model.sizes();
  for (std::size_t d = 0; d < model.factors.size(); ++d) {
    Random random(seed, d);
    model.factors[d].values.resize(cells_of(sizes, model.factors[d].axes));
    for (double& value : model.factors[d].values) value = 0.1 - std::log(1 - random.uniform());
  }
  // A factor of several tables keeps the scale that the first of them gave it.
  std::vector<char> scaled(model.factors.size(), 0);
  for (std::size_t v = 0; v < study.tables.size(); ++v) {
    const Product& product = model.products[v];
    const Table& table = study.tables[v];
    double cells = 1, sum = 0;
    for (int axis : product.axes) cells *= sizes[axis];
    for (float value : table.data.values()) sum += std::max(value, static_cast<float>(table.floor));
    const double mean = sum_all_cells(model, product, values_of(model), false) / cells;
    const double wanted = sum / std::max(table.observed_cells(), 1.0);
    const auto free = std::ranges::count_if(product.factors, [&](int factor) { return !scaled[factor]; });
    if (free == 0 || !(wanted > 0)) continue;
    const double scale = std::pow(wanted / mean, 1.0 / static_cast<double>(free));
    for (int factor : product.factors) {
      if (scaled[factor]) continue;
      for (double& value : model.factors[factor].values) value *= scale;
      scaled[factor] = 1;
    }
  }
  return model;
}

}  // namespace tulle
