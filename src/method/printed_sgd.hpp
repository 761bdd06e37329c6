// Stochastic gradient descent as the papers print it: constant step, constant ridge, one observed cell a
// step, values as they are (wei2022, equations 6 and 7; wang2021, algorithm 1, part 1). For published runs;
// the solvers in solve/ converge faster and to better models.
#pragma once

#include <tulle/model/model.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace tulle {

struct PrintedSgd {
  std::string model = "cp";  // cp or tucker
  std::vector<int> ranks;    // one for all modes, or one a mode (tucker)
  double step = 0.005;
  double ridge = 0.01;
  double core_ridge = 0;  // tucker
  int passes = 100;
  std::uint64_t seed = 0;
};

// Per cell, minimises (x - xhat)^2 + ridge (sum of the squared lengths of its rows) + core_ridge |core|^2.
// Starts at random numbers above 0, of a size at which predictions are about 1/2: the papers say "random".
Model printed_sgd(const SparseTensor& cells, const PrintedSgd& options);

}  // namespace tulle
