#include <tulle/base/names.hpp>
#include <tulle/model/model.hpp>

namespace tulle {
namespace {

constexpr Names<ModelKind, 4> kKinds = {{{ModelKind::cp, "cp"},
                                         {ModelKind::tucker, "tucker"},
                                         {ModelKind::tubal, "tubal"},
                                         {ModelKind::topics, "topics"}}};

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

std::vector<double> predict(const Model& model, const Cells& cells) {
  return std::visit([&](const auto& m) { return m.predict(cells); }, model);
}

DenseTensor reconstruct(const Model& model) {
  return std::visit([](const auto& m) { return m.reconstruct(); }, model);
}

}  // namespace tulle
