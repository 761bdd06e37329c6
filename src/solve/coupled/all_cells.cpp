#include "all_cells.hpp"

#include <algorithm>

namespace tulle {
namespace {

// The factors of m, or of m times itself: latent indices of the second m have names of their own, which
// follow those of the model.
struct Network {
  std::vector<Index> sizes;
  std::vector<Operand> operands;
};

constexpr int kNone = -1;

// The target is left out, of both m where `twice`.
Network network_of(const Coupled& model, const Product& product, int left_out, FactorValues factors,
                   bool squared, bool twice = false) {
  Network network{model.sizes(), {}};
  const int axes = static_cast<int>(model.axes.size());
  for (int number : product.factors) {
    const Factor& factor = model.factors[number];
    const std::span values(factors[number],
                           cells_of(std::span(network.sizes).first(model.axes.size()), factor.axes));
    if (number != left_out) network.operands.push_back({factor.axes, values});
    if (!squared || (twice && number == left_out)) continue;
    Axes second = factor.axes;
    for (int& axis : second)
      if (model.axes[axis].latent()) axis += axes;
    network.operands.push_back({second, values});
  }
  if (squared)
    for (int axis = 0; axis < axes; ++axis) network.sizes.push_back(network.sizes[axis]);
  return network;
}

}  // namespace

void add_all_cells(const Coupled& model, const Product& product, int target, FactorValues factors,
                   bool squared, double scale, double* sums) {
  const Network network = network_of(model, product, target, factors, squared);
  const auto values = contract(network.sizes, network.operands, model.factors[target].axes);
  for (std::size_t i = 0; i < values.size(); ++i) sums[i] += scale * values[i];
}

void add_all_squares(const Coupled& model, const Product& product, int target, FactorValues factors,
                     double scale, bool share_matrix, double* matrices) {
  const Network network = network_of(model, product, target, factors, true, true);
  const Axes latent = model.latent_axes(model.factors[target].axes);
  Axes axes = share_matrix ? latent : model.factors[target].axes;
  for (int axis : latent) axes.push_back(axis + static_cast<int>(model.axes.size()));
  const auto values = contract(network.sizes, network.operands, axes);
  for (std::size_t i = 0; i < values.size(); ++i) matrices[i] += scale * values[i];
}

double sum_all_cells(const Coupled& model, const Product& product, FactorValues factors, bool squared) {
  const Network network = network_of(model, product, kNone, factors, squared);
  return contract(network.sizes, network.operands, {}).front() * (squared ? 0.5 : 1);
}

}  // namespace tulle
