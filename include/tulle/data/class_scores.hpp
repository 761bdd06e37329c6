// How good class probabilities are.
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

// Of no examples every mean is not a number. A label that is none of the classes has probability 0.
struct ClassScores {
  std::size_t examples = 0;
  double accuracy = 0;       // part of the examples whose class is the most probable one
  double cross_entropy = 0;  // mean of -log p(label), in nats
  // Expected calibration error (Naeini et al. 2015): how far confidence, the largest probability, is from the
  // accuracy, on average over ten equal bins of confidence weighted by their examples.
  double calibration_error = 0;
  double entropy = 0;  // mean entropy of the probabilities: how uncertain predictions are
  std::array<ConfidenceBin, 10> bins = {};
};

ClassScores score_classes(const FloatMatrix& probabilities, std::span<const int> labels);

}  // namespace tulle

#pragma GCC visibility pop
