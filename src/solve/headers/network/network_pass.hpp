// Forward and backward passes of a network over a block of examples.
//
// The loss of an example is its cross-entropy, -log p(label). A pass leaves the inputs a of every layer and
// the derivatives d of the loss by the layer's outputs: an example's gradient by a layer is (a, 1) d^T, so
// that its squared norm over all layers is the sum of |d|^2 (|a|^2 + 1), without the gradient itself. What a
// pass computes of an example depends on that example alone (tensor/kernels/row_products.hpp).
#pragma once

#include <tulle/solve/network/network_layout.hpp>
#include <tulle/tensor/kernels/row_products.hpp>

#include <span>
#include <vector>

namespace tulle {

class NetworkPass {
 public:
  NetworkPass(const NetworkLayout& layout, std::span<const double> parameters);

  // For the next passes: what earlier ones allocated is kept.
  void use(std::span<const double> parameters);

  // `factors`: what the inputs of every layer are multiplied by, a matrix per layer (dropout); empty: by
  // nothing.
  void forward(FloatMatrix examples, std::vector<FloatMatrix> factors = {});
  const FloatMatrix& probabilities() const { return probabilities_; }
  double loss(std::span<const int> labels) const;  // summed over the examples of the last forward pass
  void backward(std::span<const int> labels);

  // Of a layer, with their factors.
  const FloatMatrix& inputs(int layer) const { return inputs_[static_cast<std::size_t>(layer)]; }
  const FloatMatrix& deltas(int layer) const { return deltas_[static_cast<std::size_t>(layer)]; }

  // Sets what a pass left of an example to zero, so that it adds nothing to any sum.
  void erase(Eigen::Index example);

  // Adds the sum over the examples of their gradients to `sum`.
  void add_gradients(std::span<double> sum);

 private:
  const NetworkLayout& layout_;
  std::vector<NetworkLayer> layers_;
  std::vector<PackedColumns> forward_, backward_;  // nothing goes back through the first layer
  std::vector<FloatMatrix> inputs_, deltas_, factors_;
  std::vector<FloatMatrix> values_;  // activations before their factors, where there are some
  FloatMatrix probabilities_;
  std::vector<FloatMatrix> transposed_inputs_;
  std::vector<PackedColumns> packed_deltas_;
  std::vector<FloatMatrix> gradients_;  // sums by the weights of every layer
};

}  // namespace tulle
