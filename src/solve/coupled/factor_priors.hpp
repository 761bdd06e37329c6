// The priors of the factors of a coupled model; their parameters are sampled together with the factors.
#pragma once

#include <tulle/base/random.hpp>
#include <tulle/solve/coupled/sampler.hpp>

namespace tulle {

class FactorPriors {
 public:
  FactorPriors(const Study& study, const SamplerOptions& options);

  bool positive() const { return positive_; }  // Gamma distributions; otherwise normal ones of mean 0
  double shape(int factor) const { return factors_[static_cast<std::size_t>(factor)].shape; }
  // The rate of a Gamma distribution, the precision of a normal one.
  double rate(int factor, std::size_t element) const {
    const std::vector<double>& rates = factors_[static_cast<std::size_t>(factor)].rates;
    return rates[element % rates.size()];
  }

  // Minus the log density, up to terms that depend neither on the elements nor on the rates.
  double energy(const Coupled& model) const;

  // Draws the rates from their conditional distributions given the elements, which are Gamma distributions.
  void draw(const Coupled& model, Random& random);

 private:
  struct Prior {
    double shape;               // 1/2 for a normal distribution: the precision's power in the density
    double stated;              // the rate that the study states; 0: a flat prior
    std::vector<double> rates;  // by latent position, or one
  };

  // The statistic that a rate multiplies in the density's exponent.
  double statistic(double element) const { return positive_ ? element : element * element / 2; }

  bool positive_;
  std::vector<Prior> factors_;
};

}  // namespace tulle
