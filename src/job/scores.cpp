#include <tulle/data/metrics.hpp>
#include <tulle/job/scores.hpp>

#include <nlohmann/json.hpp>

namespace tulle {

Scores score(std::span<const float> values, std::span<const double> predicted) {
  ErrorSums sums;
  sums.add(values, predicted);
  return {sums.count, sums.rmse(), sums.mae(), sums.rse()};
}

Scores score(const Model& model, const SparseTensor& test) {
  return score(test.values(), predict(model, test.cells()));
}

void add(const Scores& scores, nlohmann::ordered_json& report, OwnerFields& owner) {
  owner.add(report, "test_cells", scores.cells);
  owner.add(report, "test_rmse", scores.rmse);
  owner.add(report, "test_mae", scores.mae);
  owner.add(report, "test_rse", scores.rse);
}

std::string text(const Scores& scores) {
  return fmt::format("RMSE {:.5g}, MAE {:.5g}, relative error {:.4g} % on {} held-out cells", scores.rmse,
                     scores.mae, 100 * scores.rse, scores.cells);
}

}  // namespace tulle
