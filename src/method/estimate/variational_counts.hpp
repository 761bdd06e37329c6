// Variational Bayes for Poisson factorization of counts that were released with two-sided geometric noise:
// the model of noisy_counts.hpp, its posterior approximated by independent distributions of the numbers of
// the factors and of each cell's counts by component. Free after the release.
//
// The bound of the log evidence is made larger by each of, in turn,
//   the count x of a cell:  probability in proportion to m^x / x! alpha^|z - x|, of which the component k has
//                           the share m_k / m; m_k is the product of geometric means, m their sum;
//   a number of a factor:   Gamma(a + sum of E x_k, rate b + sum of the products of the others' means).
// The geometric mean of a Gamma number of shape c and rate r is exp(digamma(c)) / r.
#pragma once

#include "estimate/count_model.hpp"

#include <cstdint>
#include <vector>

namespace tulle {

// A count x of probability in proportion to rate^x / x! (1 - alpha) / (1 + alpha) alpha^|released - x|.
struct CountMoments {
  double log_sum, mean;
};
CountMoments moments_of_count(double released, double alpha, double rate);

class VariationalCounts {
 public:
  // `released` are whole numbers, positive or negative, with an alpha each: 0 for a count without noise.
  VariationalCounts(const SparseTensor& released, std::vector<double> alphas, const ModelLayout& layout,
                    std::vector<CountPrior> priors, std::uint64_t seed);

  // The bound of the log evidence before it changes the factors. It never decreases from sweep to sweep.
  double sweep();
  const std::vector<double>& means() const { return means_; }

 private:
  const CountPrior& prior_of(int mode) const { return priors_[static_cast<std::size_t>(mode)]; }
  double fit_counts();
  void fit_factor(int mode);
  double bound_of_factor(int mode) const;
  double total_rate(int mode, const std::vector<double>& exposure) const;

  const SparseTensor& released_;
  std::vector<double> alphas_;
  ModelLayout layout_;
  std::vector<CountPrior> priors_;                  // by mode
  std::vector<double> means_, geometric_, shapes_;  // of the factors' numbers
  std::vector<double> counts_;                      // expected, of each of them
  double total_ = 0;                                // of the cells' mean rates
};

}  // namespace tulle
