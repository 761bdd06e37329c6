// A feed-forward network that classifies: layers of weights, an activation between them, class probabilities
// (softmax) at the end. Parameters and prediction, no fitting.
#pragma once

#include <tulle/model/image_features.hpp>
#include <tulle/tensor/float_matrix.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

enum class Activation { relu, sigmoid, tanh };
std::string_view name(Activation activation);
Activation activation_of(std::string_view name);  // a UsageError that lists the names when there is none

// The activation, elementwise.
void activate(Activation activation, Eigen::Ref<FloatMatrix> values);

struct NetworkLayer {
  FloatMatrix weights;  // inputs x outputs
  FloatVector bias;
};

struct Network {
  std::vector<NetworkLayer> layers;
  Activation activation = Activation::relu;
  // What becomes of an example before the first layer sees it: (x - low) / (high - low), clamped to 0..1, and
  // then public features that saw no data.
  double low = 0, high = 1;
  ImageFeatures features = {};
  std::vector<std::string> classes;  // their names

  Eigen::Index inputs() const;  // of an example, before its features
  std::size_t parameters() const;

  // What the first layer sees of examples, a row each. Values that are not finite count as low.
  FloatMatrix prepared(const FloatMatrix& examples) const;
  // Class probabilities, a row for each row of prepared examples, or of examples.
  FloatMatrix probabilities_of_prepared(const FloatMatrix& prepared) const;
  FloatMatrix probabilities(const FloatMatrix& examples) const;
};

// An Error unless sizes agree: run on every model that comes from a file.
void check(const Network& model);

// exp(x_j - max x) / sum over j, row by row.
void softmax_rows(Eigen::Ref<FloatMatrix> scores);

// Of a posterior: averaged over its samples; those of the model where there are none.
FloatMatrix mean_probabilities(const Network& model, const std::vector<Network>& samples,
                               const FloatMatrix& examples);

// Of every row, the class with the largest probability.
std::vector<int> most_probable(const FloatMatrix& probabilities);

}  // namespace tulle

#pragma GCC visibility pop
