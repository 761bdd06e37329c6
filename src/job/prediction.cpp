#include <tulle/job/prediction.hpp>

#include <algorithm>

namespace tulle {
namespace {

template <class Values>
void clamp_predicted(const ModelFile& file, Clamping clamping, Values&& values) {
  if (!file.range || clamping == Clamping::none) return;
  for (double& value : values) value = std::clamp(value, file.range->low, file.range->high);
}

}  // namespace

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
