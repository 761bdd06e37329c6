// Quality of class probabilities.
#pragma once

#include <tulle/tensor/float_matrix.hpp>

#include <array>
#include <cstddef>
#include <span>

#pragma GCC visibility push(default)

namespace tulle {

// Predictions whose confidence, the largest probability, lies in one tenth of 0 .. 1.
struct ConfidenceBin {
  std::size_t examples = 0;
  double confidence = 0, accuracy = 0;  // means, of bins with examples
};

// Without examples every mean is NaN. A label outside the classes has probability 0.
struct ClassScores {
  std::size_t examples = 0;
  double accuracy = 0;       // share of the examples whose class is the most probable one
  double cross_entropy = 0;  // mean of -log p(label), in nats
  // Expected calibration error (Naeini et al. 2015): the distance between confidence, the largest
  // probability, and accuracy, averaged over ten equal bins of confidence weighted by their examples.
  double calibration_error = 0;
  double entropy = 0;  // mean entropy of the probabilities: how uncertain predictions are
  std::array<ConfidenceBin, 10> bins = {};
};

ClassScores score_classes(const FloatMatrix& probabilities, std::span<const int> labels);

}  // namespace tulle

#pragma GCC visibility pop
