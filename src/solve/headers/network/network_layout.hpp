// The layout of a network's parameters in one vector: layer by layer the weights, inputs x outputs in C
// order, with the bias as one more row.
#pragma once

#include <tulle/model/network.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tulle {

class NetworkLayout {
 public:
  // Sizes of all layers, from the inputs to the classes.
  explicit NetworkLayout(std::vector<Eigen::Index> sizes, Activation activation = Activation::relu);

  int layers() const { return static_cast<int>(sizes_.size()) - 1; }
  Eigen::Index inputs(int layer) const { return sizes_[static_cast<std::size_t>(layer)]; }
  Eigen::Index outputs(int layer) const { return sizes_[static_cast<std::size_t>(layer) + 1]; }
  Eigen::Index classes() const { return sizes_.back(); }
  Activation activation() const { return activation_; }

  std::size_t start(int layer) const { return starts_[static_cast<std::size_t>(layer)]; }
  std::size_t size() const { return starts_.back(); }  // parameters of all layers

  // Weights N(0, 2 / inputs) (He et al. 2015; 1 / inputs for activations other than relu); biases and the
  // last layer are zero, so that at the start all classes are equally probable.
  std::vector<double> random_start(std::uint64_t seed) const;

  std::vector<NetworkLayer> layers_of(std::span<const double> parameters) const;
  void copy_layer(std::span<const double> parameters, int number, NetworkLayer& layer) const;

 private:
  std::vector<Eigen::Index> sizes_;
  Activation activation_;
  std::vector<std::size_t> starts_;
};

}  // namespace tulle
