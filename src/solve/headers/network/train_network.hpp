// Training of a network by stochastic gradient descent with momentum.
//
// Minimises the examples' mean cross-entropy plus |parameters|^2 / (2 N), the prior N(0, I), in batches of a
// shuffled list. Dropout multiplies the inputs of every layer by 0 with the probability p and otherwise by
// 1 / (1 - p) (binary), or by N(1, p / (1 - p)) (Gaussian; Srivastava et al. 2014), where p is the rate, and
// a quarter of it for the first layer.
#pragma once

#include <tulle/solve/fit.hpp>
#include <tulle/solve/network/network_layout.hpp>

#include <cstdint>
#include <vector>

namespace tulle {

struct TrainingOptions {
  int epochs = 20;
  std::size_t batch = 100;      // at most a twentieth of the examples
  double learning_rate = 0.05;  // decreases linearly to 0
  double momentum = 0.9;
  double dropout_rate = 0;
  bool gaussian_dropout = false;
  std::uint64_t seed = 0;
  Observer observer = {};
};

struct TrainedNetwork {
  std::vector<double> parameters;
  std::vector<Iteration> history;  // one per epoch; the objective is the mean cross-entropy during it
};

TrainedNetwork train_network(const FloatMatrix& prepared, const std::vector<int>& labels,
                             const NetworkLayout& layout, const TrainingOptions& options);

}  // namespace tulle
