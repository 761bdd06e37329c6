#include "all_cells.hpp"

#include <tulle/model/contraction.hpp>

#include <algorithm>

namespace tulle {
namespace {

// The factors of m, or of m times itself: the latent indices of the second m are numbered after all indices
// of the model.
struct Network {
  std::vector<Index> sizes;
  std::vector<Operand> operands;
};

constexpr int kNone = -1;

// The axes with latent indices replaced by those of the second m.
Axes second_of(const Coupled& model, Axes axes) {
  for (int& axis : axes)
    if (model.axes[axis].latent()) axis += static_cast<int>(model.axes.size());
  return axes;
}

Axes gram_axes(const Coupled& model, const Factor& factor) {
  Axes axes = model.latent_axes(factor.axes);
  const Axes second = second_of(model, axes);
  axes.insert(axes.end(), second.begin(), second.end());
  return axes;
}

std::vector<Index> doubled(std::vector<Index> sizes) {
  sizes.insert(sizes.end(), sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size()));
  return sizes;
}

// True if no other factor of the product has an index of the factor's entities.
bool has_own_entities(const Coupled& model, const Product& product, int number) {
  const Axes entities = model.entity_axes(model.factors[number].axes);
  return std::ranges::none_of(product.factors, [&](int other) {
    const auto is_shared = [&](int axis) { return holds(model.factors[other].axes, axis); };
    return other != number && std::ranges::any_of(entities, is_shared);
  });
}

// Omits the factor `left_out` from the first m, and if `twice` from the second m as well.
Network network_of(const Coupled& model, const Product& product, int left_out, FactorValues factors,
                   bool squared, bool twice = false) {
  const std::vector<Index> sizes = model.sizes();
  Network network{squared ? doubled(sizes) : sizes, {}};
  for (int number : product.factors) {
    const Factor& factor = model.factors[number];
    const std::span gram = factors.gram(static_cast<std::size_t>(number));
    if (squared && number != left_out && !gram.empty() && has_own_entities(model, product, number)) {
      network.operands.push_back({gram_axes(model, factor), gram});
      continue;
    }
    const std::span values(factors[static_cast<std::size_t>(number)], cells_of(sizes, factor.axes));
    if (number != left_out) network.operands.push_back({factor.axes, values});
    if (squared && !(twice && number == left_out))
      network.operands.push_back({second_of(model, factor.axes), values});
  }
  return network;
}

}  // namespace

std::vector<double> gram_of(const Coupled& model, int factor) {
  const Factor& of = model.factors[factor];
  return contract(doubled(model.sizes()), {{of.axes, of.values}, {second_of(model, of.axes), of.values}},
                  gram_axes(model, of));
}

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
