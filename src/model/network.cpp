#include <tulle/base/error.hpp>
#include <tulle/base/names.hpp>
#include <tulle/model/network.hpp>
#include <tulle/tensor/kernels/row_products.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr Names<Activation, 3> kActivations = {
    {{Activation::relu, "relu"}, {Activation::sigmoid, "sigmoid"}, {Activation::tanh, "tanh"}}};
constexpr Eigen::Index kRowsAtOnce = 1024;

template <class Function>
void each_value(Eigen::Ref<FloatMatrix>& values, const Function& function) {
  for (Eigen::Index row = 0; row < values.rows(); ++row)
    for (Eigen::Index column = 0; column < values.cols(); ++column)
      values(row, column) = function(values(row, column));
}

}  // namespace

std::string_view name(Activation activation) {
  return name_in(kActivations, activation);
}

Activation activation_of(std::string_view name) {
  return find_named(kActivations, name, "activation");
}

void activate(Activation activation, Eigen::Ref<FloatMatrix> values) {
  switch (activation) {
    case Activation::relu:
      return each_value(values, [](float x) { return x > 0 ? x : 0.0f; });
    case Activation::sigmoid:
      return each_value(values, [](float x) { return 1 / (1 + std::exp(-x)); });
    case Activation::tanh:
      return each_value(values, [](float x) { return std::tanh(x); });
  }
}

void softmax_rows(Eigen::Ref<FloatMatrix> scores) {
  for (Eigen::Index row = 0; row < scores.rows(); ++row) {
    float largest = scores(row, 0), sum = 0;
    for (Eigen::Index j = 1; j < scores.cols(); ++j) largest = std::max(largest, scores(row, j));
    for (Eigen::Index j = 0; j < scores.cols(); ++j) {
      scores(row, j) = std::exp(scores(row, j) - largest);
      sum += scores(row, j);
    }
    for (Eigen::Index j = 0; j < scores.cols(); ++j) scores(row, j) /= sum;
  }
}

Eigen::Index Network::inputs() const {
  return features.none() ? layers.front().weights.rows() : features.pixels();
}

std::size_t Network::parameters() const {
  std::size_t count = 0;
  for (const NetworkLayer& layer : layers)
    count += static_cast<std::size_t>(layer.weights.size() + layer.bias.size());
  return count;
}

FloatMatrix Network::prepared(const FloatMatrix& examples) const {
  FloatMatrix scaled(examples.rows(), examples.cols());
  for (Eigen::Index column = 0; column < examples.cols(); ++column) {
    const auto [least, most] =
        bounds.empty() ? std::pair(low, high) : bounds[static_cast<std::size_t>(column)];
    const double width = most - least;
    for (Eigen::Index row = 0; row < examples.rows(); ++row) {
      const double value = examples(row, column);
      scaled(row, column) =
          std::isfinite(value) ? static_cast<float>(std::clamp((value - least) / width, 0.0, 1.0)) : 0.0f;
    }
  }
  return features.none() ? scaled : features.of(scaled);
}

FloatMatrix Network::probabilities_of_prepared(const FloatMatrix& prepared) const {
  std::vector<PackedColumns> packed;
  for (const NetworkLayer& layer : layers) packed.emplace_back(layer.weights);
  FloatMatrix result(prepared.rows(), layers.back().weights.cols());
  for (Eigen::Index first = 0; first < prepared.rows(); first += kRowsAtOnce) {
    const Eigen::Index count = std::min(kRowsAtOnce, prepared.rows() - first);
    FloatMatrix values = prepared.middleRows(first, count);
    for (std::size_t l = 0; l < layers.size(); ++l) {
      FloatMatrix next(count, layers[l].weights.cols());
      row_products(values, packed[l], next);
      next.rowwise() += layers[l].bias;
      if (l + 1 < layers.size()) activate(activation, next);
      values = std::move(next);
    }
    softmax_rows(values);
    result.middleRows(first, count) = values;
  }
  return result;
}

FloatMatrix Network::probabilities(const FloatMatrix& examples) const {
  if (examples.cols() != inputs())
    fail("an example has {} values, but the network takes {}; give the data that it was made for",
         examples.cols(), inputs());
  return probabilities_of_prepared(prepared(examples));
}

void check(const Network& model) {
  if (model.layers.empty()) fail("network: there are no layers");
  Eigen::Index inputs = model.features.none() ? model.layers.front().weights.rows() : model.features.size();
  for (const NetworkLayer& layer : model.layers) {
    if (layer.weights.rows() != inputs || layer.weights.cols() != layer.bias.size())
      fail("network: a layer of {} x {} weights and {} offsets after {} values", layer.weights.rows(),
           layer.weights.cols(), layer.bias.size(), inputs);
    inputs = layer.weights.cols();
  }
  if (inputs < 2 || static_cast<std::size_t>(inputs) != model.classes.size())
    fail("network: {} outputs for {} classes; there must be one each, for 2 classes or more", inputs,
         model.classes.size());
  if (!(model.low < model.high)) fail("network: values from {} to {} are no range", model.low, model.high);
  if (!model.bounds.empty() && model.bounds.size() != static_cast<std::size_t>(model.inputs()))
    fail("network: an example has {} values, and {} of them have bounds", model.inputs(),
         model.bounds.size());
  for (const auto& [low, high] : model.bounds)
    if (!(low < high) || !std::isfinite(high - low))
      fail("network: values from {} to {} are no range", low, high);
}

FloatMatrix mean_probabilities(const Network& model, const std::vector<Network>& samples,
                               const FloatMatrix& examples) {
  if (samples.empty()) return model.probabilities(examples);
  FloatMatrix sum = samples.front().probabilities(examples);
  for (std::size_t i = 1; i < samples.size(); ++i) sum += samples[i].probabilities(examples);
  return sum / static_cast<float>(samples.size());
}

std::vector<int> most_probable(const FloatMatrix& probabilities) {
  std::vector<int> classes(static_cast<std::size_t>(probabilities.rows()));
  for (Eigen::Index row = 0; row < probabilities.rows(); ++row) {
    Eigen::Index best = 0;
    probabilities.row(row).maxCoeff(&best);
    classes[static_cast<std::size_t>(row)] = static_cast<int>(best);
  }
  return classes;
}

}  // namespace tulle
