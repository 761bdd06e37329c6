#include <tulle/base/json.hpp>
#include <tulle/data/metrics.hpp>
#include <tulle/job/scores.hpp>

namespace tulle {

Scores score(std::span<const float> values, std::span<const double> predicted) {
  ErrorSums sums;
  sums.add(values, predicted);
  return {sums.count, sums.rmse(), sums.mae(), sums.rse()};
}

Scores score(const Model& model, const SparseTensor& test, const std::optional<Range>& range) {
  std::vector<double> predicted = predict(model, test.cells());
  if (range)
    for (double& value : predicted) value = range->clamp(value);
  return score(test.values(), predicted);
}

void add(const std::optional<Scores>& scores, Json& report, OwnerFields& owner) {
  const auto add_field = [&](const char* field, auto Scores::*member) {
    owner.add(report, field, scores ? Json((*scores).*member) : Json());
  };
  add_field("test_cells", &Scores::cells);
  add_field("test_rmse", &Scores::rmse);
  add_field("test_mae", &Scores::mae);
  add_field("test_rse", &Scores::rse);
}

std::string text(const Scores& scores) {
  return fmt::format("RMSE {:.5g}, MAE {:.5g}, relative error {:.4g} % on {} cells", scores.rmse, scores.mae,
                     100 * scores.rse, scores.cells);
}

}  // namespace tulle
