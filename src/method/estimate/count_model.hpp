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

// Priors of the factors by the moments of what was released with independent noise of mean 0, two-sided
// geometric of parameter alpha. With rates of mean m the prior of shapes a_d has
//   two cells of one row of mode d:  covariance m^2 / (rank a_d), which noise does not change;
//   all cells:                       variance m^2 (product of (1 + 1 / a_d) - 1) / rank.
// Both less three standard errors. Shapes are those of the covariances, and where the variance is larger, so
// that rows differ in more than their means, as small as it asks for. m lies between `least` and `most`.
std::vector<CountPrior> priors_by_moments(const SparseTensor& released, const std::vector<double>& alphas,
                                          const ModelLayout& layout, double least, double most);

// The products of a cell's rows, one per component, without one of the modes (-1: with all of them).
void component_products(const ModelLayout& layout, const std::vector<double>& parameters, const Cells& cells,
                        std::size_t entry, int without, std::vector<double>& result);

// For every number of a factor, the products of the other modes' rows added up over its cells: how much of
// the data's rates it multiplies.
std::vector<double> exposure_of(const ModelLayout& layout, const std::vector<double>& parameters,
                                const Cells& cells, int mode);

}  // namespace tulle
