// Forward and backward passes of a network over a block of examples.
//
// The loss of an example is its cross-entropy, -log p(label). A pass keeps the inputs a of every layer and
// the derivatives d of the loss by the layer's outputs: an example's gradient by a layer is (a, 1) d^T, so
// its squared norm over all layers is the sum of |d|^2 (|a|^2 + 1), without the gradient itself. The results
// of a pass for an example depend on that example alone (tensor/kernels/row_products.hpp).
#pragma once

#include <tulle/solve/network/network_layout.hpp>
#include <tulle/tensor/kernels/row_products.hpp>

#include <span>
#include <vector>

namespace tulle {

class NetworkPass {
 public:
  NetworkPass(const NetworkLayout& layout, std::span<const double> parameters);

  // Sets the parameters of the next passes, which reuse the memory of earlier ones.
  void use(std::span<const double> parameters);

  // `factors`: one matrix per layer by which its inputs are multiplied (dropout); empty: inputs are
  // unchanged.
  void forward(FloatMatrix examples, std::vector<FloatMatrix> factors = {});
  const FloatMatrix& probabilities() const { return probabilities_; }
  double loss(std::span<const int> labels) const;  // summed over the examples of the last forward pass
  void backward(std::span<const int> labels);

  // The inputs of a layer, multiplied by their factors, and the derivatives by its outputs.
  const FloatMatrix& inputs(int layer) const { return inputs_[static_cast<std::size_t>(layer)]; }
  const FloatMatrix& deltas(int layer) const { return deltas_[static_cast<std::size_t>(layer)]; }

  // Sets the results of the last pass for an example to zero, so that it adds nothing to any sum.
  void erase(Eigen::Index example);

  // Adds the sum over the examples of their gradients to `sum`.
  void add_gradients(std::span<double> sum);

 private:
  const NetworkLayout& layout_;
  std::vector<NetworkLayer> layers_;
  std::vector<PackedColumns> forward_, backward_;  // backward_ of the first layer is unused
  std::vector<FloatMatrix> inputs_, deltas_, factors_;
  std::vector<FloatMatrix> values_;  // activations before their factors, if there are factors
  FloatMatrix probabilities_;
  std::vector<FloatMatrix> transposed_inputs_;
  std::vector<PackedColumns> packed_deltas_;
  std::vector<FloatMatrix> gradients_;  // sums by the weights of every layer
};

}  // namespace tulle
