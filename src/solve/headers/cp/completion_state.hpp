// The state of a CP completion on standardised values, and its prior.
#pragma once

#include <tulle/model/cp.hpp>
#include <tulle/tensor/panel.hpp>
#include <tulle/tensor/sparse.hpp>

#include <vector>

namespace tulle {

// A value is modelled as level + scale * (sum_r prod_m factors[m][i_m, r] + sum_m offsets[m][i_m]). Level and
// scale are those of the observed values, so that ridges and steps do not depend on the unit of the data.
struct CompletionState {
  double level = 0;
  double scale = 1;
  bool biases = false;
  std::vector<Panel> factors;
  std::vector<Vector> offsets;  // zeros without biases
  std::vector<int> fitted;      // modes that change

  int order() const { return static_cast<int>(factors.size()); }
  double rmse(const SparseTensor* cells) const;  // in the unit of the data; NaN if `cells` is null
  Cp model() const;
};

// Factors by which columns become equally long in all modes, from their squared lengths (rank x modes). Where
// a mode has a column of zeros, that column stays as it is in all modes.
Eigen::ArrayXXd balancing_scales(const Eigen::ArrayXXd& squares);

// The prior of a model's parameters: normal with mean 0 and these variances, observed with noise of the
// variance `noise`. The ridge on a parameter is the noise divided by its variance. All are in standardised
// units.
struct Prior {
  double noise = 1;
  std::vector<Vector> variances;  // one per mode: of each column of the factor, then of the offsets

  Vector ridge(int mode) const { return noise * variances[mode].cwiseInverse(); }
};

}  // namespace tulle
