// Poisson factorization of counts that were released with two-sided geometric noise (Schein et al. 2019;
// ermis2020, 4.1.4): samples of the posterior of the factors given what was released, by Gibbs sampling with
// the true counts as unknowns. Free after the release.
//
// A cell is z = x + g1 - g2, x ~ Poisson(mu), mu the sum over k of the product of its rows' numbers, g_i ~
// Poisson(l_i), l_i exponential of mean alpha / (1 - alpha): then g1 - g2 has probability (1 - alpha) / (1 +
// alpha) alpha^|g|. A sweep draws, given the rest,
//   the smaller of x + g1 and g2:  Bessel(|z|, 2 sqrt((mu + l1) l2));
//   x:    Binomial(x + g1, mu / (mu + l1));      l_i:  Gamma(1 + g_i, scale alpha);
//   the counts of x by k, in proportion to the products;  the numbers of a factor: Gamma(a + counts, rate b +
//   products of the others summed over the cells).
#pragma once

#include "estimate/count_model.hpp"

#include <tulle/base/random.hpp>

#include <vector>

namespace tulle {

class NoisyCounts {
 public:
  // `released` are whole numbers, positive or negative, with an alpha each: 0 for a count without noise.
  NoisyCounts(const SparseTensor& released, std::vector<double> alphas, const ModelLayout& layout,
              const CountPrior& prior, std::uint64_t seed);
  // One alpha for all of them.
  NoisyCounts(const SparseTensor& released, double alpha, const ModelLayout& layout, const CountPrior& prior,
              std::uint64_t seed)
      : NoisyCounts(released, std::vector(released.size(), alpha), layout, prior, seed) {}

  void sweep();
  const std::vector<double>& parameters() const { return parameters_; }
  double rate_of(std::size_t entry) const;  // mu of a released cell

 private:
  void draw_counts();
  std::uint64_t draw_count(std::size_t entry, double mu);
  void draw_factor(int mode);

  const SparseTensor& released_;
  std::vector<double> alphas_;
  ModelLayout layout_;
  CountPrior prior_;
  Random random_;
  std::vector<double> parameters_, counts_;
  std::vector<double> up_, down_;  // l1, l2 of every cell
};

}  // namespace tulle
