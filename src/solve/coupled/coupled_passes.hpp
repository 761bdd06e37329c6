// A study laid out for solvers: what every table says, and a pass for every factor of every table.
#pragma once

#include "all_cells.hpp"
#include "entry_pass.hpp"
#include "observations.hpp"

#include <tulle/solve/fit.hpp>

namespace tulle {

class CoupledPasses {
 public:
  CoupledPasses(const Study& study, std::uint64_t seed);

  // Of one table and one of its factors.
  struct Pass {
    EntryPass entries;
    double data, model;  // weights of the block
  };
  const std::vector<Pass>& of(std::size_t table, int factor) const;
  const std::vector<int>& tables_with(int factor) const { return tables_with_[factor]; }
  bool closed(std::size_t table) const { return tables_[table].closed; }

  // For every factor: pull = sum of x m^-p and push = sum of m^(1-p), each times the product of the other
  // factors, over the observed cells; both are added to, times `scale`.
  void add_gradient(std::size_t table, int factor, FactorValues factors, double scale, double* pull,
                    double* push) const;

  double divergence(std::size_t table, FactorValues factors) const;

 private:
  struct LaidOut {
    bool closed;
    std::vector<std::vector<Pass>> passes;  // by the place of the factor in the product
  };

  const Study& study_;
  std::vector<LaidOut> tables_;
  std::vector<std::vector<int>> tables_with_;
};

std::vector<const double*> values_of(const Coupled& model);

// Factors with independent exponentially distributed elements, scaled so that the models have about the means
// of their tables.
Coupled random_start(const Study& study, std::uint64_t seed);

}  // namespace tulle
