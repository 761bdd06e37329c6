#include "estimate/count_model.hpp"

namespace tulle {

void component_products(const ModelLayout& layout, const std::vector<double>& parameters, const Cells& cells,
                        std::size_t entry, int without, std::vector<double>& result) {
  result.assign(layout.columns(0), 1);
  for (int mode = 0; mode < layout.order(); ++mode) {
    if (mode == without) continue;
    const double* const row = parameters.data() + layout.row(mode, cells(entry, mode));
    for (std::size_t k = 0; k < result.size(); ++k) result[k] *= row[k];
  }
}

std::vector<double> exposure_of(const ModelLayout& layout, const std::vector<double>& parameters,
                                const Cells& cells, int mode) {
  std::vector<double> exposure(layout.factor_size(mode)), others;
  for (std::size_t entry = 0; entry < cells.size(); ++entry) {
    component_products(layout, parameters, cells, entry, mode, others);
    double* const row = exposure.data() + cells(entry, mode) * layout.columns(mode);
    for (std::size_t k = 0; k < others.size(); ++k) row[k] += others[k];
  }
  return exposure;
}

}  // namespace tulle
