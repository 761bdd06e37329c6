// What a method does: this compiles. The files beside it differ from it in one forbidden step each.
#include <tulle/privacy/curator.hpp>

double release_sum(tulle::Curator& curator, const tulle::Protected<std::vector<double>>& data) {
  const auto range = tulle::Sensitivity::one_coordinate(1, tulle::Unit::entry, tulle::Relation::replace);
  return curator
      .release(data, tulle::AdditiveNoise::laplace(range, 0.5, 1), "sum",
               [](const std::vector<double>& values) { return std::vector<double>{values[0]}; })
      .values[0];
}
