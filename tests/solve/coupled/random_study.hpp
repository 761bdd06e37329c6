// Random coupling graphs: tables of order 1 to 4 over shared entities, as products of shared factors.
#pragma once

#include <tulle/base/random.hpp>
#include <tulle/data/study.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tulle {

struct RandomStudyOptions {
  std::vector<double> powers = {1};  // one is drawn for every table
  bool counts = false;               // whole numbers
};

inline SparseTensor random_table(Random& random, const Shape& shape, Unlisted unlisted, bool positive,
                                 bool counts) {
  SparseTensor data(shape, unlisted);
  std::vector<Index> cell(static_cast<std::size_t>(shape.order()));
  for (std::size_t number = 0; number < shape.cells(); ++number) {
    for (int mode = 0; mode < shape.order(); ++mode)
      cell[static_cast<std::size_t>(mode)] = static_cast<Index>(number / shape.stride(mode) % shape[mode]);
    if (number > 0 && !random.chance(0.6)) continue;
    double value = -std::log(1 - random.uniform()) * 3 + (positive ? 0.05 : 0);
    if (!positive && random.chance(0.2)) value = 0;
    data.append(cell, static_cast<float>(counts ? std::floor(value) : value));
  }
  return data;
}

inline Study random_study(Random& random, const RandomStudyOptions& options) {
  Study study;
  Coupled& model = study.model;
  const int entities = 1 + static_cast<int>(random.below(4)), latent = 1 + static_cast<int>(random.below(3));
  for (int e = 0; e < entities; ++e) {
    study.entities.push_back({std::string(1, static_cast<char>('A' + e)), {}});
    model.axes.push_back({std::string(1, static_cast<char>('a' + e)), study.entities.back().name,
                          2 + static_cast<Index>(random.below(3))});
  }
  for (int k = 0; k < latent; ++k)
    model.axes.push_back(
        {std::string(1, static_cast<char>('k' + k)), "", 1 + static_cast<Index>(random.below(3))});
  const auto some_latent = [&] {
    Axes axes = {entities + static_cast<int>(random.below(static_cast<std::uint64_t>(latent)))};
    for (int k = 0; k < latent; ++k)
      if (random.chance(0.3) && !holds(axes, entities + k)) axes.push_back(entities + k);
    return axes;
  };
  for (int e = 0; e < entities; ++e) {
    Axes axes = some_latent();
    axes.insert(axes.begin(), e);
    model.factors.push_back({std::string(1, static_cast<char>('P' + e)), axes, {}});
  }
  const int tables = 1 + static_cast<int>(random.below(3));
  for (int v = 0; v < tables; ++v) {
    std::vector<int> order(static_cast<std::size_t>(entities));
    for (int e = 0; e < entities; ++e) order[static_cast<std::size_t>(e)] = e;
    random.shuffle(std::span(order));
    order.resize(1 + random.below(order.size()));
    Product product{std::string(1, static_cast<char>('X' + v)), order, order};
    if (random.chance(0.5)) {
      product.factors.push_back(static_cast<int>(model.factors.size()));
      model.factors.push_back({std::string(1, static_cast<char>('G' + v)), some_latent(), {}});
    }
    model.products.push_back(product);
    const double power = options.powers[random.below(options.powers.size())];
    const Unlisted unlisted = power < 2 && random.chance(0.5) ? Unlisted::zero : Unlisted::missing;
    Table table{.data = random_table(random, model.shape(v), unlisted, power >= 2, options.counts),
                .divergence = beta_divergence(power),
                .weight = 0.5 + random.uniform()};
    study.tables.push_back(std::move(table));
  }
  // An entity of no table has no factor either.
  for (std::size_t d = 0; d < static_cast<std::size_t>(entities); ++d)
    if (std::ranges::none_of(model.products,
                             [&](const Product& p) { return holds(p.factors, static_cast<int>(d)); })) {
      model.products.push_back({fmt::format("Z{}", d), {static_cast<int>(d)}, {static_cast<int>(d)}});
      study.tables.push_back(
          {.data = random_table(random, model.shape(static_cast<int>(model.products.size()) - 1),
                                Unlisted::missing, true, options.counts)});
    }
  study.priors.resize(model.factors.size());
  return study;
}

}  // namespace tulle
