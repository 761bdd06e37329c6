#include "shown.hpp"

#include <tulle/base/json.hpp>
#include <tulle/data/metrics.hpp>
#include <tulle/job/scores.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tulle {

namespace {

std::optional<double> likelihood_of_counts(std::span<const float> values, std::span<const double> predicted) {
  if (!std::ranges::all_of(values, [](float value) { return value >= 0 && value == std::floor(value); }) ||
      !std::ranges::all_of(predicted, [](double value) { return std::isfinite(value); }))
    return std::nullopt;
  std::vector<double> rates(predicted.begin(), predicted.end());
  for (double& rate : rates) rate = std::max(rate, Scores::kLeastRate);
  return poisson_log_likelihood(values, rates);
}

Json fields_of(const std::optional<Scores>& scores) {
  if (!scores) return nullptr;
  return {{"cells", scores->cells},
          {"rmse", finite_or_null(scores->rmse)},
          {"mae", finite_or_null(scores->mae)},
          {"rse", finite_or_null(scores->rse)}};
}

}  // namespace

Scores score(std::span<const float> values, std::span<const double> predicted) {
  ErrorSums sums;
  sums.add(values, predicted);
  return {sums.count, sums.rmse(), sums.mae(), sums.rse(), likelihood_of_counts(values, predicted)};
}

Scores score(const Model& model, const SparseTensor& test, const std::optional<Range>& range) {
  std::vector<double> predicted = predict(model, test.cells());
  if (range)
    for (double& value : predicted) value = range->clamp(value);
  return score(test.values(), predicted);
}

double Scores::log_likelihood() const {
  return of_counts.value_or(-static_cast<double>(cells) / 2 * (rmse * rmse + std::log(2 * std::numbers::pi)));
}

void add(const std::optional<Scores>& scores, Json& report, OwnerFields& owner) {
  const auto add_error = [&](const char* field, double Scores::*error) {
    owner.add(report, field, scores ? finite_or_null((*scores).*error) : Json());
  };
  owner.add(report, "test_cells", scores ? Json(scores->cells) : Json());
  add_error("test_rmse", &Scores::rmse);
  add_error("test_mae", &Scores::mae);
  add_error("test_rse", &Scores::rse);
}

void add_both(const std::optional<Scores>& with_own_rows, const std::optional<Scores>& published,
              Json& report, OwnerFields& owner) {
  owner.add(report, "test_with_own_rows", fields_of(with_own_rows));
  owner.add(report, "test_published_model", fields_of(published));
}

std::string text(const Scores& scores) {
  return fmt::format("RMSE {}, MAE {}, relative error {} % on {} cells", shown(scores.rmse, 5),
                     shown(scores.mae, 5), shown(100 * scores.rse, 4), scores.cells);
}

}  // namespace tulle
