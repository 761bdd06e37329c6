#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/solve/network/network_layout.hpp>
#include <tulle/tensor/matrix.hpp>

#include <cmath>

namespace tulle {
namespace {

constexpr std::size_t kMostParameters = std::size_t{1} << 30;  // several copies of 8 bytes each are held

}  // namespace

NetworkLayout::NetworkLayout(std::vector<Eigen::Index> sizes, Activation activation)
    : sizes_(std::move(sizes)), activation_(activation), starts_{0} {
  if (sizes_.size() < 2) fail_usage("a network has inputs and classes; {} sizes were given", sizes_.size());
  for (Eigen::Index size : sizes_)
    if (size < 1 || size > 1'000'000) fail_usage("a layer of {} units; give from 1 to 1000000", size);
  for (int layer = 0; layer < layers(); ++layer)
    starts_.push_back(starts_.back() + static_cast<std::size_t>((inputs(layer) + 1) * outputs(layer)));
  if (size() > kMostParameters)
    fail_usage("a network of {} parameters; give fewer units, for {} at most", size(), kMostParameters);
}

std::vector<double> NetworkLayout::random_start(std::uint64_t seed) const {
  std::vector<double> parameters(size());
  const double gain = activation_ == Activation::relu ? 2 : 1;
  for (int layer = 0; layer + 1 < layers(); ++layer) {
    Random random(seed, static_cast<std::uint64_t>(layer));
    const double stddev = std::sqrt(gain / static_cast<double>(inputs(layer)));
    const auto weights = static_cast<std::size_t>(inputs(layer) * outputs(layer));
    for (std::size_t i = 0; i < weights; ++i) parameters[start(layer) + i] = stddev * random.normal();
  }
  return parameters;
}

std::vector<NetworkLayer> NetworkLayout::layers_of(std::span<const double> parameters) const {
  std::vector<NetworkLayer> result(static_cast<std::size_t>(layers()));
  for (int layer = 0; layer < layers(); ++layer)
    copy_layer(parameters, layer, result[static_cast<std::size_t>(layer)]);
  return result;
}

void NetworkLayout::copy_layer(std::span<const double> parameters, int number, NetworkLayer& layer) const {
  const Eigen::Map<const Matrix> all(parameters.data() + start(number), inputs(number) + 1, outputs(number));
  layer.weights = all.topRows(inputs(number)).cast<float>();
  layer.bias = all.row(inputs(number)).cast<float>();
}

}  // namespace tulle
