#include "coupled_layout.hpp"

#include <tulle/solve/to_model.hpp>

#include <algorithm>
#include <numeric>

namespace tulle {
namespace {

// A Tucker model is of one relation.
ModelLayout entities_of(const ModelLayout& tensor, const Coupling* coupling) {
  if (!coupling || !coupling->several()) return tensor;
  return ModelLayout::cp(Shape(coupling->sizes), static_cast<int>(tensor.columns(0)));
}

std::vector<std::vector<int>> relations_of(const ModelLayout& tensor, const Coupling* coupling) {
  std::vector<std::vector<int>> relations;
  if (coupling)
    for (const Coupling::Relation& relation : coupling->relations) relations.push_back(relation.modes);
  if (!relations.empty()) return relations;
  std::vector<int> all(static_cast<std::size_t>(tensor.order()));
  std::iota(all.begin(), all.end(), 0);
  return {all};
}

}  // namespace

CoupledLayout::CoupledLayout(const ModelLayout& tensor, const Coupling* coupling)
    : tensor_(tensor), entities_(entities_of(tensor, coupling)), relations_(relations_of(tensor, coupling)) {}

std::vector<double> CoupledLayout::to_tensor(std::span<const double> of_entities) const {
  if (!several()) return {of_entities.begin(), of_entities.end()};
  std::vector<double> all(tensor_.size(), 1.0);
  for (int mode = 0; mode < entities_.order(); ++mode)
    std::ranges::copy(of_entities.subspan(entities_.start(mode), entities_.factor_size(mode)),
                      all.begin() + static_cast<std::ptrdiff_t>(tensor_.start(mode)));
  return all;
}

std::vector<double> CoupledLayout::to_entities(std::span<const double> of_tensor) const {
  if (!several()) return {of_tensor.begin(), of_tensor.end()};
  std::vector<double> own;
  own.reserve(entities_.size());
  for (int mode = 0; mode < entities_.order(); ++mode) {
    const auto factor = of_tensor.subspan(tensor_.start(mode), entities_.factor_size(mode));
    own.insert(own.end(), factor.begin(), factor.end());
  }
  return own;
}

SliceTables CoupledLayout::tables(const std::vector<Standard>& standards) const {
  if (!several()) return standards.front();
  std::vector<Index> constant_from;
  for (int mode = 0; mode < entities_.order(); ++mode) constant_from.push_back(entities_.shape()[mode]);
  constant_from.push_back(0);
  return {standards, entities_.order(), std::move(constant_from)};
}

Model CoupledLayout::model(const ModelLayout& layout, std::span<const double> of_tensor,
                           const std::vector<Standard>& standards) const {
  const Standard& first = standards.front();
  Model model = to_model(layout, of_tensor, first.level, first.scale);
  if (!several()) return model;
  std::vector<Vector>& offsets = std::get<Cp>(model).biases.offsets;
  for (int mode = 0; mode < layout.order(); ++mode)
    offsets.push_back(Vector::Zero(static_cast<Eigen::Index>(layout.shape()[mode])));
  for (std::size_t relation = 0; relation < standards.size(); ++relation)
    offsets.back()[static_cast<Eigen::Index>(relation)] = standards[relation].level - first.level;
  return model;
}

}  // namespace tulle
