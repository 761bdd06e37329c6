// Sums of examples' gradients, each clipped to a given norm. Solvers do not know about privacy: a private
// method adds noise to this sum.
//
// The summand is the negative gradient of an example's cross-entropy, which descends, over all layers
// together. Its norm follows from a pass without the gradient itself (network_pass.hpp), so the clipped sum
// is one matrix product per layer: sum_i (a_i, 1) (w_i d_i)^T.
//
// Sums are exact: both factors of an example's gradient are rounded before they are multiplied, the unit
// vector (a, 1) / |(a, 1)| and w d |(a, 1)| / clip, to multiples of 2^-15, so that all products and sums are
// whole numbers below 2^53 (tensor/kernels/row_products.hpp). Rounding lengthens a vector of n coordinates by
// at most sqrt(n) 2^-16; gradients are clipped to a norm that is smaller by enough that no example adds more
// than `clip`. Examples whose gradients are not finite add nothing.
#pragma once

#include <tulle/data/labelled.hpp>
#include <tulle/solve/network/network_layout.hpp>
#include <tulle/tensor/kernels/clipped_gradients.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tulle {

class ClippedExamples {
 public:
  virtual ~ClippedExamples() = default;
  virtual std::size_t size() const = 0;
  virtual ClippedSum sum(std::span<const double> parameters, std::span<const std::uint64_t> examples,
                         double clip) const = 0;
};

class ExampleGradients final : public ClippedExamples {
 public:
  // `prepared`: the examples as inputs of the first layer. Throws an Error for more than kMostRows examples.
  ExampleGradients(FloatMatrix prepared, std::vector<int> labels, const NetworkLayout& layout);

  std::size_t size() const override { return labels_.size(); }
  ClippedSum sum(std::span<const double> parameters, std::span<const std::uint64_t> examples,
                 double clip) const override;

 private:
  // A subset of the examples: their inputs a of the first layer, |a|^2, and their labels.
  struct Block {
    FloatMatrix examples;
    std::vector<double> squares;
    std::vector<int> labels;
  };
  Block block_of(std::span<const std::uint64_t> examples) const;

  FloatMatrix prepared_;
  std::vector<int> labels_;
  std::vector<double> squares_;  // |a|^2 of every example's inputs a of the first layer
  NetworkLayout layout_;
};

}  // namespace tulle
