#include <tulle/base/json.hpp>
#include <tulle/job/prediction.hpp>

#include <algorithm>

namespace tulle {

bool is_for_owner(const ModelFile& file) {
  const Json guarantee = try_parse_json(file.guarantee);
  return guarantee.is_object() && guarantee.value("status", "") == "none";
}

void clamp_predicted(const ModelFile& file, Clamping clamping, std::span<double> values) {
  if (!file.range || clamping == Clamping::none) return;
  for (double& value : values) value = std::clamp(value, file.range->low, file.range->high);
}

std::vector<double> predict_cells(const ModelFile& file, const Cells& cells, Clamping clamping) {
  std::vector<double> values = predict(file.model, cells_in_model(cells, file.modes));
  clamp_predicted(file, clamping, values);
  return values;
}

DenseTensor predict_all(const ModelFile& file, Clamping clamping) {
  DenseTensor tensor = reconstruct(file.model);
  clamp_predicted(file, clamping, tensor.values());
  return tensor;
}

}  // namespace tulle
