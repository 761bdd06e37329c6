// A study: several tables that share entities, and the coupled model that is to be fitted to them together.
#pragma once

#include <tulle/data/divergence.hpp>
#include <tulle/model/coupled.hpp>
#include <tulle/tensor/dataset.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tulle {

// Gamma distribution of the elements of a factor. By its mean rather than its rate, as the variational
// updates of Ermis (2020, 3.9 to 3.12) have it.
struct GammaPrior {
  double shape = 1;
  double mean = 1;

  double rate() const { return shape / mean; }
  bool operator==(const GammaPrior& other) const = default;
};

// Normal distribution with mean 0 of the elements of a factor, which may then be negative.
struct NormalPrior {
  double variance = 1;

  bool operator==(const NormalPrior& other) const = default;
};

// The data of one product of the model.
struct Table {
  SparseTensor data;  // one mode per index of the product; a second one of one position if that is all
  Divergence divergence = KullbackLeibler{};
  double weight = 1;              // of it in the sum over all tables
  double floor = 0;               // smaller values count as this one: from p = 2 on, zeros have no divergence
  std::optional<Cells> hidden{};  // where unlisted cells are zeros: cells that are missing nevertheless

  // How many cells have a value: the listed ones, or all but the hidden ones.
  double observed_cells() const;
};

struct Study {
  std::vector<Mode> entities;
  Coupled model;  // without values: letters, factors and products
  std::vector<Table> tables;
  std::vector<std::optional<GammaPrior>> priors;            // one per factor
  std::vector<std::optional<NormalPrior>> normal_priors{};  // one per factor, or none at all

  // Whether factors are >= 0: where a table's divergence is for positive models, or a factor has a Gamma
  // prior.
  bool is_positive() const;
  std::optional<NormalPrior> normal_prior(std::size_t factor) const;
};

// An Error unless the table has the shape that the model states, and values that its divergence is defined
// for; it names the cell.
void check_table(const Coupled& model, int product, const Table& table, const std::vector<Mode>& entities);
void check(const Study& study);

}  // namespace tulle
