// A network fitted by stochastic gradient descent with momentum.
//
// Goes down the mean over the examples of the cross-entropy plus |parameters|^2 / (2 N), the prior N(0, I),
// in batches of a shuffled list. Dropout multiplies the inputs of every layer, those of the first by a
// quarter of the rate: by 0 with the probability p and else by 1 / (1 - p) (binary), or by N(1, p / (1 - p))
// (Gaussian; Srivastava et al. 2014).
#pragma once

#include <tulle/solve/fit.hpp>
#include <tulle/solve/network/network_layout.hpp>

#include <cstdint>
#include <vector>

namespace tulle {

struct TrainingOptions {
  int epochs = 20;
  std::size_t batch = 100;      // of small data, a twentieth of all
  double learning_rate = 0.05;  // falls to 0 in a straight line
  double momentum = 0.9;
  double dropout_rate = 0;
  bool gaussian_dropout = false;
  std::uint64_t seed = 0;
  Observer observer = {};
};

struct TrainedNetwork {
  std::vector<double> parameters;
  std::vector<Iteration> history;  // one per epoch; the objective is the mean cross-entropy on the way
};

TrainedNetwork train_network(const FloatMatrix& prepared, const std::vector<int>& labels,
                             const NetworkLayout& layout, const TrainingOptions& options);

}  // namespace tulle
