#include <tulle/model/model.hpp>

#include <array>

namespace tulle {

std::string_view kind(const Model& model) {
  static constexpr std::array<std::string_view, 4> names = {"cp", "tucker", "tubal", "topics"};
  return names[model.index()];
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
