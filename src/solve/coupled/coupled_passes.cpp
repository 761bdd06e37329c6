#include "coupled_passes.hpp"

#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/tensor/kernels/norms.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace tulle {
namespace {

constexpr double kRounding = 1e-12;
constexpr double kOperationsPerEntry = 32;  // roughly, for laying out or sketching a table
constexpr std::uint64_t kBatchStream = 0x6261746368;
constexpr std::uint64_t kSketchStream = 0x736b65746368;

// Any other divergence, dispatched at every call: the cost is negligible beside its powers and exponentials.
class OtherDivergence {
 public:
  explicit OtherDivergence(const Divergence& divergence) : divergence_(&divergence) {}
  double least() const {
    return of([](const auto& its) -> double { return its.least(); });
  }
  double pull(double x, double m) const {
    return of([&](const auto& its) { return its.pull(x, m); });
  }
  double push(double m) const {
    return of([&](const auto& its) { return its.push(m); });
  }
  double of_data(double x, double m) const {
    return of([&](const auto& its) { return its.of_data(x, m); });
  }
  double of_model(double m) const {
    return of([&](const auto& its) { return its.of_model(m); });
  }

 private:
  template <class Use>
  double of(const Use& use) const {
    if (const auto* beta = std::get_if<BetaDivergence>(divergence_)) return use(*beta);
    return is<Bernoulli>(*divergence_) ? use(Bernoulli{}) : use(Huber{});
  }

  const Divergence* divergence_;
};

// Calls use(divergence) with the type of the divergence, so that it inlines into the kernel.
template <class Use>
void with_divergence(const Divergence& divergence, const Use& use) {
  if (is<Euclidean>(divergence)) return use(Euclidean{});
  if (is<KullbackLeibler>(divergence)) return use(KullbackLeibler{});
  if (is<ItakuraSaito>(divergence)) return use(ItakuraSaito{});
  use(OtherDivergence(divergence));
}

// Calls visit(entries, batch) for random parts of about the same size.
template <class Visit>
void for_each_batch(const SparseTensor& entries, int batches, std::uint64_t seed, Visit&& visit) {
  if (batches == 1) return visit(entries, 0);
  std::vector<std::size_t> order(entries.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  Random random(seed, kBatchStream);
  random.shuffle(std::span(order));
  for (int batch = 0; batch < batches; ++batch) {
    std::vector<std::size_t> chosen;
    for (auto i = static_cast<std::size_t>(batch); i < order.size(); i += static_cast<std::size_t>(batches))
      chosen.push_back(order[i]);
    std::ranges::sort(chosen);
    visit(entries.select(chosen), batch);
  }
}

// Cells of value 0 add nothing to a block without the model's part. If the divergence is Euclidean too, the
// block's sums are linear in the data, and least squares needs no pass row by row for it.
PassLayout layout_of(const Block& block, const SparseTensor& part, const Table& table, PassesFor use,
                     TableMatrices& matrices) {
  const bool of_data = block.model == 0;
  return {.by_row = use == PassesFor::rows || (use == PassesFor::least_squares && !of_data),
          .zeros_add_nothing = of_data || lists_all_cells(part),
          .is_linear = of_data && is<Euclidean>(table.divergence),
          .entries_stay = &part == &table.data,
          .matrices = &matrices};
}

bool needs_model(const CoupledPasses::Pass& pass) {
  return pass.model != 0;
}

// Adds sums over all cells minus those over hidden ones. Where a component lies on hidden cells, only
// rounding error of either sign is left: as elements are divided by these sums, the bound of that error is
// the minimum.
void add_at_least_rounding(const std::vector<double>& all, const std::vector<double>& rest, double* sums) {
  for (std::size_t i = 0; i < all.size(); ++i) sums[i] += std::max(rest[i], kRounding * all[i]);
}

// Adds n x n matrices. Where all cells that an element depends on are hidden, only rounding error is left,
// and its row and column are omitted.
void add_above_rounding(const std::vector<double>& all, const std::vector<double>& rest, std::size_t n,
                        double* matrices) {
  for (std::size_t first = 0; first < rest.size(); first += n * n) {
    const auto is_left = [&](std::size_t i) {
      return rest[first + i * n + i] > kRounding * all[first + i * n + i];
    };
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (is_left(i) && is_left(j)) matrices[first + i * n + j] += rest[first + i * n + j];
  }
}

}  // namespace

CoupledPasses::CoupledPasses(const Study& study, std::uint64_t seed, const PassOptions& options)
    : study_(study), batches_(options.batches) {
  tables_with_.resize(study.model.factors.size());
  tables_.resize(study.tables.size());
  std::vector<double> works;
  for (std::size_t v = 0; v < study.tables.size(); ++v) {
    for (int factor : study.model.products[v].factors) tables_with_[factor].push_back(static_cast<int>(v));
    works.push_back(kOperationsPerEntry * static_cast<double>(study.tables[v].data.size()));
  }
  run_small_side_by_side(works, [&](std::size_t v) { lay_out(v, seed, options.use); });
  find_groups();
}

void CoupledPasses::lay_out(std::size_t table, std::uint64_t seed, PassesFor use) {
  const Product& product = study_.model.products[table];
  const Observations observations = observe(study_.tables[table], seed);
  LaidOut& laid_out = tables_[table];
  laid_out.closed = observations.closed;
  laid_out.passes.resize(product.factors.size());
  for (const Block& block : observations.blocks)
    for_each_batch(*block.entries, batches_, seed, [&](const SparseTensor& part, int batch) {
      TableMatrices matrices;
      const PassLayout layout = layout_of(block, part, study_.tables[table], use, matrices);
      const double half_squares = 0.5 * squared_norm(part);
      for (std::size_t place = 0; place < product.factors.size(); ++place)
        laid_out.passes[place].push_back(
            {EntryPass(study_.model, product, part, product.factors[place], layout), block.data, block.model,
             batch, half_squares});
    });
}

// A factor comes in a later group than all preceding factors with which it shares a table.
void CoupledPasses::find_groups() {
  std::vector<std::size_t> next(tables_.size());  // group that is open to factors of each table
  for (std::size_t factor = 0; factor < tables_with_.size(); ++factor) {
    std::size_t group = 0;
    for (int v : tables_with_[factor]) group = std::max(group, next[v]);
    for (int v : tables_with_[factor]) next[v] = group + 1;
    if (groups_.size() <= group) groups_.resize(group + 1);
    groups_[group].push_back(static_cast<int>(factor));
  }
}

double CoupledPasses::operations(std::size_t table, int factor) const {
  double all = 0;
  for (const Pass& pass : of(table, factor)) all += pass.entries.operations();
  return all;
}

std::vector<double> CoupledPasses::operations(const std::vector<int>& factors) const {
  std::vector<double> all;
  for (int factor : factors) {
    double sum = 0;
    for (int v : tables_with_[factor]) sum += operations(static_cast<std::size_t>(v), factor);
    all.push_back(sum);
  }
  return all;
}

double CoupledPasses::squares(std::size_t table) const {
  double half = 0;
  for (const Pass& pass : tables_[table].passes.front()) half += pass.half_squares;
  return 2 * half;
}

const std::vector<CoupledPasses::Pass>& CoupledPasses::of(std::size_t table, int factor) const {
  const std::vector<int>& factors = study_.model.products[table].factors;
  return tables_[table]
      .passes[static_cast<std::size_t>(std::ranges::find(factors, factor) - factors.begin())];
}

void CoupledPasses::add_gradient(std::size_t table, int factor, FactorValues factors, double scale,
                                 double* pull, double* push) const {
  const Product& product = study_.model.products[table];
  const Divergence& divergence = study_.tables[table].divergence;
  std::vector<double> all;  // the part of all cells, from which that of hidden ones is subtracted
  if (closed(table)) {
    all.resize(cells_of(study_.model.sizes(), study_.model.factors[factor].axes));
    add_all_cells(study_.model, product, factor, factors, is<Euclidean>(divergence), scale, all.data());
  }
  std::vector<double> rest = all;
  for (const Pass& pass : of(table, factor))
    with_divergence(divergence, [&](auto of) {
      const double data = scale * pass.data, model = scale * pass.model;
      double* const to_push = closed(table) ? rest.data() : push;
      const auto one_sum = [&](double x, double product_m, std::array<double, 1>& coefficient) {
        const double m = std::max(product_m, of.least());
        coefficient[0] = model == 0 ? data * of.pull(x, m) : model * of.push(m);
        return 0.0;
      };
      const auto both_sums = [&](double x, double product_m, std::array<double, 2>& coefficients) {
        const double m = std::max(product_m, of.least());
        coefficients = {data * of.pull(x, m), model * of.push(m)};
        return 0.0;
      };
      if (model == 0 && is<Euclidean>(divergence))
        pass.entries.add_linear(factors, data, pull);
      else if (model == 0)
        pass.entries.run<1>(factors, one_sum, {pull});
      else if (data == 0)
        pass.entries.run<1>(factors, one_sum, {to_push});
      else
        pass.entries.run<2>(factors, both_sums, {pull, to_push});
    });
  add_at_least_rounding(all, rest, push);
}

void CoupledPasses::add_tables(int factor, const std::vector<std::span<double>>& sums,
                               const AddTable& add) const {
  const std::vector<int>& tables = tables_with_[factor];
  std::vector<double> works;
  for (int v : tables) works.push_back(operations(static_cast<std::size_t>(v), factor));
  std::size_t numbers = 0;
  std::vector<double*> all;
  for (std::span<double> part : sums) numbers += part.size(), all.push_back(part.data());
  // Separate sums cost one addition per sum and table.
  if (!worth_side_by_side(works) || static_cast<double>(numbers) > std::ranges::min(works)) {
    for (int v : tables) add(static_cast<std::size_t>(v), all);
    return;
  }
  std::vector<std::vector<double>> own(tables.size());
  run_side_by_side(tables.size(), [&](std::size_t i) {
    own[i].resize(numbers);
    std::vector<double*> parts;
    for (double* next = own[i].data(); std::span<double> part : sums)
      parts.push_back(std::exchange(next, next + part.size()));
    add(static_cast<std::size_t>(tables[i]), parts);
  });
  for (const std::vector<double>& each : own)
    for (auto next = each.begin(); std::span<double> part : sums)
      for (double& sum : part) sum += *next++;
}

void CoupledPasses::add_gradients(int factor, FactorValues factors, const std::vector<double>& scales,
                                  double* pull, double* push) const {
  const std::size_t elements = cells_of(study_.model.sizes(), study_.model.factors[factor].axes);
  add_tables(factor, {{pull, elements}, {push, elements}},
             [&](std::size_t table, const std::vector<double*>& sums) {
               add_gradient(table, factor, factors, scales[table], sums[0], sums[1]);
             });
}

void CoupledPasses::add_row_gradient(std::size_t table, int factor, FactorValues factors, double scale,
                                     std::optional<int> batch, RowGradient& gradient) const {
  const Divergence& divergence = study_.tables[table].divergence;
  const std::size_t slice = of(table, factor).front().entries.slice();
  if (closed(table)) {
    std::vector<double> all(gradient.push.size());
    add_all_cells(study_.model, study_.model.products[table], factor, factors, is<Euclidean>(divergence),
                  scale, all.data());
    // Over a row's cells, the sum of push theta is that of m, or of m^2 if the divergence is Euclidean.
    for (std::size_t i = 0; i < all.size(); ++i) {
      gradient.push[i] += all[i];
      gradient.energy[i / slice] += (is<Euclidean>(divergence) ? 0.5 : 1) * factors[factor][i] * all[i];
    }
  }
  for (const Pass& pass : of(table, factor)) {
    if (batch && pass.batch != *batch) continue;
    const double part = batch ? scale * batches_ : scale, data = part * pass.data, model = part * pass.model;
    with_divergence(divergence, [&](auto of) {
      pass.entries.run_rows(
          factors, 2 * slice + 1,
          [&](std::size_t, double x, double product_m, const double*, const double* others, double* sums) {
            const double m = std::max(product_m, of.least());
            const double pull = data * of.pull(x, m), push = model * of.push(m);
            for (std::size_t i = 0; i < slice; ++i) sums[i] += pull * others[i];
            for (std::size_t i = 0; i < slice; ++i) sums[slice + i] += push * others[i];
            sums[2 * slice] +=
                (data != 0 ? data * of.of_data(x, m) : 0) + (model != 0 ? model * of.of_model(m) : 0);
            return 0.0;
          },
          [&](std::size_t row, const std::vector<double>& sums) {
            for (std::size_t i = 0; i < slice; ++i) gradient.pull[row + i] += sums[i];
            for (std::size_t i = 0; i < slice; ++i) gradient.push[row + i] += sums[slice + i];
            gradient.energy[row / slice] += sums[2 * slice];
          });
    });
  }
}

void CoupledPasses::add_exposure(std::size_t table, int factor, FactorValues factors, double scale,
                                 double* sums) const {
  std::vector<double> all;
  if (closed(table)) {
    all.resize(cells_of(study_.model.sizes(), study_.model.factors[factor].axes));
    add_all_cells(study_.model, study_.model.products[table], factor, factors, false, scale, all.data());
  }
  std::vector<double> rest = all;
  for (const Pass& pass : of(table, factor))
    if (pass.model != 0)
      pass.entries.run<1>(factors,
                          [&](double, double, std::array<double, 1>& coefficient) {
                            coefficient[0] = scale * pass.model;
                            return 0.0;
                          },
                          {closed(table) ? rest.data() : sums});
  add_at_least_rounding(all, rest, sums);
}

bool CoupledPasses::rows_share_matrix(int factor) const {
  const Axes rows = study_.model.entity_axes(study_.model.factors[factor].axes);
  const auto is_row = [&](int axis) { return std::ranges::find(rows, axis) != rows.end(); };
  const auto all_are_alike = [&](int table) {
    const auto has_row = [&](int other) {
      return other != factor && std::ranges::any_of(study_.model.factors[other].axes, is_row);
    };
    return closed(table) && std::ranges::none_of(of(table, factor), needs_model) &&
           std::ranges::none_of(study_.model.products[table].factors, has_row);
  };
  return std::ranges::all_of(tables_with_[factor], all_are_alike);
}

void CoupledPasses::add_equations(int factor, FactorValues factors, const std::vector<double>& scales,
                                  RowEquations& equations) const {
  add_tables(factor, {equations.matrices, equations.right},
             [&](std::size_t table, const std::vector<double*>& sums) {
               add_equations(table, factor, factors, scales[table], equations.unknowns, sums[0], sums[1]);
             });
}

void CoupledPasses::add_equations(std::size_t table, int factor, FactorValues factors, double scale,
                                  std::size_t unknowns, double* matrices, double* right) const {
  const std::size_t n = unknowns;
  const Product& product = study_.model.products[table];
  const bool hides = closed(table) && std::ranges::any_of(of(table, factor), needs_model);
  std::vector<double> all;  // the part of all cells, from which that of hidden ones is subtracted
  if (hides) {
    all.resize(n * cells_of(study_.model.sizes(), study_.model.factors[factor].axes));
    add_all_squares(study_.model, product, factor, factors, scale, false, all.data());
  } else if (closed(table)) {
    add_all_squares(study_.model, product, factor, factors, scale, rows_share_matrix(factor), matrices);
  }
  std::vector<double> rest = all;
  double* const to = hides ? rest.data() : matrices;
  for (const Pass& pass : of(table, factor)) {
    if (pass.model == 0) {
      pass.entries.add_linear(factors, scale * pass.data, right);
      continue;
    }
    pass.entries.run_rows(
        factors, n * n + n,
        [&](std::size_t, double x, double, const double*, const double* others, double* sums) {
          const double data = scale * pass.data * x, model = scale * pass.model;
          for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) sums[i * n + j] += model * others[i] * others[j];
            sums[n * n + i] += data * others[i];
          }
          return 0.0;
        },
        [&](std::size_t row, const std::vector<double>& sums) {
          for (std::size_t i = 0; i < n * n; ++i) to[row * n + i] += sums[i];
          for (std::size_t i = 0; i < n; ++i) right[row + i] += sums[n * n + i];
        });
  }
  if (hides) add_above_rounding(all, rest, n, matrices);
}

std::optional<Matrix> CoupledPasses::sketch(int factor, Eigen::Index width, std::uint64_t seed) const {
  const std::vector<int>& tables = tables_with_[factor];
  if (tables.empty()) return std::nullopt;
  const auto count = static_cast<Eigen::Index>(tables.size()), each = (width + count - 1) / count;
  std::vector<std::optional<Matrix>> parts(tables.size());
  const auto sketch_of = [&](std::size_t i) {
    const std::vector<Pass>& passes = of(static_cast<std::size_t>(tables[i]), factor);
    Random random(seed, kSketchStream + static_cast<std::uint64_t>(tables[i]));
    if (passes.size() == 1) parts[i] = passes[0].entries.sketch(each, random);
  };
  std::vector<double> works;
  for (int table : tables)
    works.push_back(kOperationsPerEntry * static_cast<double>(study_.tables[table].data.size()));
  run_small_side_by_side(works, sketch_of);
  if (!std::ranges::all_of(parts, [](const auto& part) { return part.has_value(); })) return std::nullopt;
  Matrix all(parts[0]->rows(), each * count);
  for (std::size_t i = 0; i < parts.size(); ++i)
    all.middleCols(static_cast<Eigen::Index>(i) * each, each) =
        std::sqrt(study_.tables[tables[i]].weight) * *parts[i];
  return all;
}

double CoupledPasses::divergence(std::size_t table, FactorValues factors) const {
  const Product& product = study_.model.products[table];
  const Divergence& divergence = study_.tables[table].divergence;
  double sum = closed(table) ? sum_all_cells(study_.model, product, factors, is<Euclidean>(divergence)) : 0;
  for (const Pass& pass : of(table, product.factors.front())) {
    if (pass.model == 0 && is<Euclidean>(divergence)) {
      sum += pass.data * (pass.half_squares - data_times_model(table, pass, factors));
      continue;
    }
    with_divergence(divergence, [&](auto of) {
      sum += pass.entries.run<0>(factors,
                                 [&](double x, double product_m, std::array<double, 0>&) {
                                   const double m = std::max(product_m, of.least());
                                   return (pass.data != 0 ? pass.data * of.of_data(x, m) : 0) +
                                          (pass.model != 0 ? pass.model * of.of_model(m) : 0);
                                 },
                                 {});
    });
  }
  return sum;
}

std::vector<double> CoupledPasses::divergences(FactorValues factors) const {
  std::vector<double> works, all(tables_.size());
  for (std::size_t v = 0; v < tables_.size(); ++v)
    works.push_back(operations(v, study_.model.products[v].factors.front()));
  run_small_side_by_side(works, [&](std::size_t v) { all[v] = divergence(v, factors); });
  return all;
}

// The sum of x m: m is linear in the factor, so this is the factor times its linear sums.
double CoupledPasses::data_times_model(std::size_t table, const Pass& pass, FactorValues factors) const {
  const int factor = study_.model.products[table].factors.front();
  std::vector<double> pull(cells_of(study_.model.sizes(), study_.model.factors[factor].axes));
  pass.entries.add_linear(factors, 1, pull.data());
  return std::inner_product(pull.begin(), pull.end(), factors[factor], 0.0);
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
  // A factor of several tables keeps the scale that follows from the first of them.
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
