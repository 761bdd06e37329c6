#include <tulle/base/error.hpp>
#include <tulle/model/model.hpp>

#include <algorithm>
#include <array>

namespace tulle {
namespace {

constexpr std::array<std::string_view, 4> kKinds = {"cp", "tucker", "tubal", "topics"};

}  // namespace

std::string_view name(ModelKind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

ModelKind model_of(std::string_view name) {
  const auto found = std::ranges::find(kKinds, name);
  if (found == kKinds.end())
    fail_usage("there is no model '{}'; there is: {}", name, fmt::join(kKinds, ", "));
  return static_cast<ModelKind>(found - kKinds.begin());
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
