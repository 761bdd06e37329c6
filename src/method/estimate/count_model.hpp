// Poisson factorization of counts: the rate of a cell is the sum over k of the product of its rows' numbers,
// which have Gamma priors.
#pragma once

#include <tulle/tensor/model_layout.hpp>
#include <tulle/tensor/sparse.hpp>

#include <vector>

namespace tulle {

struct CountPrior {
  double shape = 1, rate = 1;  // of every number of a factor

  double mean() const { return shape / rate; }
};

// The products of a cell's rows, one per component, without one of the modes (-1: with all of them).
void component_products(const ModelLayout& layout, const std::vector<double>& parameters, const Cells& cells,
                        std::size_t entry, int without, std::vector<double>& result);

// For every parameter of a factor, the sum over its cells of the products of the other modes' rows: the
// factor by which it multiplies in the expected counts.
std::vector<double> exposure_of(const ModelLayout& layout, const std::vector<double>& parameters,
                                const Cells& cells, int mode);

}  // namespace tulle
