#include "scores.hpp"

#include <tulle/data/metrics.hpp>

#include <nlohmann/json.hpp>

namespace tulle::cli {

Scores score(const Model& model, const SparseTensor& test) {
  ErrorSums sums;
  sums.add(test.values(), predict(model, test.cells()));
  return {sums.count, sums.rmse(), sums.mae(), sums.rse()};
}

void add(const Scores& scores, nlohmann::ordered_json& report) {
  report["test_cells"] = scores.cells;
  report["test_rmse"] = scores.rmse;
  report["test_mae"] = scores.mae;
  report["rse"] = scores.rse;
}

std::string text(const Scores& scores) {
  return fmt::format("RMSE {:.5g}, MAE {:.5g}, relative error {:.4g} % on {} held-out cells", scores.rmse,
                     scores.mae, 100 * scores.rse, scores.cells);
}

}  // namespace tulle::cli
