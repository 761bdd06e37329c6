#include "normal_start.hpp"

#include <tulle/base/random.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {

NormalStart::NormalStart(const Study& study, const CoupledPasses& passes, std::uint64_t seed)
    : model_(study.model), seed_(seed), scales_(study.model.factors.size()) {  // 0: not yet set
  for (std::size_t v = 0; v < study.tables.size(); ++v) {
    Axes latent;
    double free = 0, mean_square = 1;
    for (int factor : model_.products[v].factors) {
      latent = united(latent, model_.latent_axes(model_.factors[factor].axes));
      if (scales_[factor] == 0)
        ++free;
      else
        mean_square *= scales_[factor] * scales_[factor];
    }
    const double squares = passes.squares(v) / std::max(study.tables[v].observed_cells(), 1.0);
    mean_square *= static_cast<double>(cells_of(model_.sizes(), latent));
    const double scale = squares > 0 ? std::pow(squares / mean_square, 0.5 / std::max(free, 1.0)) : 1;
    for (int factor : model_.products[v].factors)
      if (scales_[factor] == 0) scales_[factor] = scale;
  }
}

std::vector<double> NormalStart::values(int factor) const {
  Random random(seed_, static_cast<std::uint64_t>(factor));
  std::vector<double> values(cells_of(model_.sizes(), model_.factors[factor].axes));
  for (double& value : values) value = scales_[factor] * random.normal();
  return values;
}

Coupled NormalStart::model() const {
  Coupled model = model_;
  for (std::size_t d = 0; d < model.factors.size(); ++d)
    model.factors[d].values = values(static_cast<int>(d));
  return model;
}

}  // namespace tulle
