// A feed-forward network that classifies: layers of weights with an activation between them, then class
// probabilities (softmax). Parameters and prediction, no fitting.
#pragma once

#include <tulle/model/image_features.hpp>
#include <tulle/tensor/float_matrix.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

enum class Activation { relu, sigmoid, tanh };
std::string_view name(Activation activation);
Activation activation_of(std::string_view name);  // a UsageError that lists the names if there is none

// The activation, elementwise.
void activate(Activation activation, Eigen::Ref<FloatMatrix> values);

struct NetworkLayer {
  FloatMatrix weights;  // inputs x outputs
  FloatVector bias;
};

struct Network {
  std::vector<NetworkLayer> layers;
  Activation activation = Activation::relu;
  // Preprocessing of an example before the first layer: (x - low) / (high - low), clamped to 0..1, and then
  // public features chosen without data.
  double low = 0, high = 1;
  ImageFeatures features = {};
  std::vector<std::string> classes;                    // their names
  std::vector<std::pair<double, double>> bounds = {};  // low and high of each value, in place of those of all

  Eigen::Index inputs() const;  // of an example, before its features
  std::size_t parameters() const;

  // Input of the first layer for examples, one row each. Values that are not finite count as low.
  FloatMatrix prepared(const FloatMatrix& examples) const;
  // Class probabilities, one row for each row of prepared examples, or of examples.
  FloatMatrix probabilities_of_prepared(const FloatMatrix& prepared) const;
  FloatMatrix probabilities(const FloatMatrix& examples) const;
};

// An Error unless sizes agree: called for every model read from a file.
void check(const Network& model);

// exp(x_j - max x) / sum over j, row by row.
void softmax_rows(Eigen::Ref<FloatMatrix> scores);

// Probabilities averaged over the samples of a posterior; those of the model if there are no samples.
FloatMatrix mean_probabilities(const Network& model, const std::vector<Network>& samples,
                               const FloatMatrix& examples);

// The class with the largest probability in every row.
std::vector<int> most_probable(const FloatMatrix& probabilities);

}  // namespace tulle

#pragma GCC visibility pop
