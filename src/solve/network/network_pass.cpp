#include <tulle/base/chunks.hpp>
#include <tulle/solve/network/network_pass.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

bool is_worth_threads(const FloatMatrix& matrix) {
  return static_cast<std::size_t>(matrix.size()) >= kWorthThreads;
}

// Multiplies by the derivative of the activation, given its values, with operations that no compiler fuses (1
// - v v could be rounded once or twice), so that an example's result does not depend on its place in the
// block.
void times_slope(Activation activation, const FloatMatrix& values, FloatMatrix& deltas) {
  switch (activation) {
    case Activation::relu:
#pragma omp parallel for schedule(static) if (is_worth_threads(deltas))
      for (Eigen::Index row = 0; row < deltas.rows(); ++row) {
        const float* value = values.data() + row * values.outerStride();
        float* delta = deltas.data() + row * deltas.outerStride();
        for (Eigen::Index i = 0; i < deltas.cols(); ++i) delta[i] = value[i] > 0 ? delta[i] : 0.0f;
      }
      return;
    case Activation::sigmoid:
      deltas.array() *= values.array() * (1 - values.array());
      return;
    case Activation::tanh:
      deltas.array() *= (1 - values.array()) * (1 + values.array());
      return;
  }
}

}  // namespace

NetworkPass::NetworkPass(const NetworkLayout& layout, std::span<const double> parameters)
    : layout_(layout),
      layers_(static_cast<std::size_t>(layout.layers())),
      forward_(layers_.size()),
      backward_(layers_.size()),
      inputs_(layers_.size()),
      deltas_(layers_.size()),
      values_(layers_.size()),
      transposed_inputs_(layers_.size()),
      packed_deltas_(layers_.size()),
      gradients_(layers_.size()) {
  use(parameters);
}

void NetworkPass::use(std::span<const double> parameters) {
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    layout_.copy_layer(parameters, static_cast<int>(l), layers_[l]);
    forward_[l].assign(layers_[l].weights);
    if (l > 0) backward_[l].assign_transposed(layers_[l].weights);
  }
}

void NetworkPass::forward(FloatMatrix examples, std::vector<FloatMatrix> factors) {
  factors_ = std::move(factors);
  inputs_[0] = std::move(examples);
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const bool last = l + 1 == layers_.size();
    if (!factors_.empty()) {
      values_[l] = inputs_[l];
      inputs_[l].array() *= factors_[l].array();
    }
    FloatMatrix& next = last ? probabilities_ : inputs_[l + 1];
    next.resize(inputs_[l].rows(), layers_[l].weights.cols());
    row_products(inputs_[l], forward_[l], next);
#pragma omp parallel for schedule(static) if (is_worth_threads(next))
    for (Eigen::Index row = 0; row < next.rows(); ++row) {
      next.row(row) += layers_[l].bias;
      if (last)
        softmax_rows(next.middleRows(row, 1));
      else
        activate(layout_.activation(), next.middleRows(row, 1));
    }
  }
}

double NetworkPass::loss(std::span<const int> labels) const {
  constexpr float kLeast = 1e-30f;
  double sum = 0;
  for (std::size_t row = 0; row < labels.size(); ++row)
    sum -= std::log(
        static_cast<double>(std::max(kLeast, probabilities_(static_cast<Eigen::Index>(row), labels[row]))));
  return sum;
}

void NetworkPass::backward(std::span<const int> labels) {
  deltas_.back() = probabilities_;
  for (std::size_t row = 0; row < labels.size(); ++row)
    deltas_.back()(static_cast<Eigen::Index>(row), labels[row]) -= 1;
  for (std::size_t l = layers_.size() - 1; l > 0; --l) {
    FloatMatrix& before = deltas_[l - 1];
    before.resize(inputs_[l].rows(), inputs_[l].cols());
    row_products(deltas_[l], backward_[l], before);
    if (!factors_.empty()) before.array() *= factors_[l].array();
    times_slope(layout_.activation(), factors_.empty() ? inputs_[l] : values_[l], before);
  }
}

void NetworkPass::erase(Eigen::Index example) {
  for (FloatMatrix& inputs : inputs_) inputs.row(example).setZero();
  for (FloatMatrix& deltas : deltas_) deltas.row(example).setZero();
}

void NetworkPass::add_gradients(std::span<double> sum) {
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const auto layer = static_cast<int>(l);
    const Eigen::Index rows = layout_.inputs(layer);
    Eigen::Map<Matrix> part(sum.data() + layout_.start(layer), rows + 1, layout_.outputs(layer));
    // Products that skip zeros, of which images and rectified units have many.
    transposed_inputs_[l] = inputs_[l].transpose();
    packed_deltas_[l].assign(deltas_[l]);
    gradients_[l].resize(rows, layout_.outputs(layer));
    row_products(transposed_inputs_[l], packed_deltas_[l], gradients_[l]);
    part.topRows(rows) += gradients_[l].cast<double>();
    part.row(rows) += deltas_[l].colwise().sum().cast<double>();
  }
}

}  // namespace tulle
