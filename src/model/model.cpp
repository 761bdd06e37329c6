#include <tulle/base/names.hpp>
#include <tulle/model/model.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr Names<ModelKind, 5> kKinds = {{{ModelKind::cp, "cp"},
                                         {ModelKind::tucker, "tucker"},
                                         {ModelKind::tubal, "tubal"},
                                         {ModelKind::topics, "topics"},
                                         {ModelKind::counts, "counts"}}};

bool all_finite(const DenseTensor& tensor) {
  return std::ranges::all_of(tensor.values(), [](double value) { return std::isfinite(value); });
}

bool all_finite(const std::vector<Matrix>& factors) {
  return std::ranges::all_of(factors, [](const Matrix& factor) { return factor.allFinite(); });
}

bool all_finite(const Biases& biases) {
  return std::isfinite(biases.global) &&
         std::ranges::all_of(biases.offsets, [](const Vector& offsets) { return offsets.allFinite(); });
}

bool all_finite(const Cp& model) {
  return model.weights.allFinite() && all_finite(model.factors) && all_finite(model.biases);
}
bool all_finite(const Tucker& model) {
  return all_finite(model.core) && all_finite(model.factors) && all_finite(model.biases);
}
bool all_finite(const Tubal& model) {
  return all_finite(model.u) && all_finite(model.s) && all_finite(model.v) && all_finite(model.biases);
}
bool all_finite(const Topics& model) {
  return model.topics.allFinite() && model.weights.allFinite() && std::isfinite(model.variance);
}

bool all_finite(const std::vector<double>& numbers) {
  return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
}

bool all_finite(const SparseCounts& model) {
  return std::isfinite(model.events.mean) && std::isfinite(model.events.stddev) && all_finite(model.counts) &&
         all_finite(model.variances) && std::ranges::all_of(model.modes, [](const ModeShares& node) {
           return all_finite(node.shares) && all_finite(node.variances);
         });
}

bool all_finite(const Counts& model) {
  if (model.sparse) return all_finite(*model.sparse);
  return all_finite(model.cells) &&
         std::ranges::all_of(model.variances, [](const auto& of_table) { return all_finite(of_table); });
}

}  // namespace

std::string_view name(ModelKind kind) {
  return name_in(kKinds, kind);
}

ModelKind model_of(std::string_view name) {
  return find_named(kKinds, name, "model");
}

ModelKind kind(const Model& model) {
  return static_cast<ModelKind>(model.index());
}

Shape shape(const Model& model) {
  return std::visit([](const auto& m) { return m.shape(); }, model);
}

bool is_finite(const Model& model) {
  return std::visit([](const auto& m) { return all_finite(m); }, model);
}

std::vector<double> predict(const Model& model, const Cells& cells) {
  return std::visit([&](const auto& m) { return m.predict(cells); }, model);
}

DenseTensor reconstruct(const Model& model) {
  return std::visit([](const auto& m) { return m.reconstruct(); }, model);
}

}  // namespace tulle
