#include <tulle/solve/to_model.hpp>

namespace tulle {

Model to_model(const ModelLayout& layout, std::span<const double> numbers, double level, double scale) {
  std::vector<Matrix> factors;
  for (int mode = 0; mode < layout.order(); ++mode)
    factors.push_back(Eigen::Map<const Matrix>(numbers.data() + layout.start(mode), layout.shape()[mode],
                                               static_cast<Eigen::Index>(layout.columns(mode))));
  if (!layout.has_core()) {
    const Vector weights = Vector::Constant(static_cast<Eigen::Index>(layout.columns(0)), scale);
    return Cp{weights, std::move(factors), {.global = level, .offsets = {}}};
  }
  std::vector<std::uint64_t> ranks;
  for (int mode = 0; mode < layout.order(); ++mode) ranks.push_back(layout.columns(mode));
  DenseTensor core{Shape(ranks)};
  for (std::size_t i = 0; i < core.size(); ++i) core.values()[i] = scale * numbers[layout.core_start() + i];
  return Tucker{std::move(core), std::move(factors), {.global = level, .offsets = {}}};
}

}  // namespace tulle
