#include "count_and_mean.hpp"

#include <tulle/tensor/most_cells.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {

CountAndMeanRelease::CountAndMeanRelease(const PrivateRequest& request, double noise_multiplier,
                                         int entries_per_user)
    : request_(request),
      multiplier_(noise_multiplier),
      most_(users() ? entries_per_user : 1),
      grid_(most_, users() ? request.data.most_users() : most_cells(request.data.shape())) {}

std::uint64_t CountAndMeanRelease::releases(const PrivateRequest& request) {
  if (request.relation != Relation::add_remove) return 1;
  return request.terms.unit == Unit::user ? 3 : 2;
}

// In halves of the width from the middle of the range, a unit contributes between -`most` and `most` to the
// sum: removing it changes the sum by at most `most`, replacing it by twice that. Rounding to the grid adds
// two steps.
CountAndMean CountAndMeanRelease::release(Curator& curator) const {
  CountAndMean result;
  double weight = 0;
  if (counts()) {
    const Noisy count = release_one(curator, most_, "number of cells", [&](const SparseTensor& observed) {
      return users() ? counted(cells_by_user(observed.cells())) : static_cast<double>(observed.size());
    });
    result.cells = weight = std::max(1.0, count.values[0]);
    if (users()) result.users = std::max(1.0, released_users(curator));
  } else {
    const Cells& cells = request_.data.positions();
    result.cells = static_cast<double>(cells.size());
    weight = users() ? counted(cells_by_user(cells)) : result.cells;
    if (users()) result.users = request_.data.shape()[request_.terms.user_mode];
  }
  const double sensitivity = request_.relation == Relation::replace ? 2 * most_ : most_;
  const Noisy noisy = release_one(curator, sensitivity + 2 * grid_.step(), "sum of the values",
                                  [&](const SparseTensor& observed) { return sum(observed); });
  constexpr double kPriorVariance = 0.25;  // of the mean, in halves of the width
  const double variance = std::pow(noisy.deviation / weight, 2);
  const double mean =
      std::clamp(noisy.values[0] / weight, -1.0, 1.0) * kPriorVariance / (kPriorVariance + variance);
  result.mean = request_.data.range().middle() + mean * request_.data.range().width() / 2;
  return result;
}

Noisy CountAndMeanRelease::release_one(Curator& curator, double sensitivity, std::string what,
                                       const std::function<double(const SparseTensor&)>& query) const {
  const auto bound = Sensitivity::one_coordinate(sensitivity, request_.terms.unit, request_.relation);
  return curator.release(request_.data.observed(), AdditiveNoise::gaussian(bound, multiplier_, 1),
                         std::move(what),
                         [&](const SparseTensor& observed) { return std::vector{query(observed)}; });
}

double CountAndMeanRelease::released_users(Curator& curator) const {
  return release_one(
             curator, 1, "number of users",
             [&](const SparseTensor& observed) {
               const std::vector<double> cells = cells_by_user(observed.cells());
               return static_cast<double>(std::ranges::count_if(cells, [](double own) { return own > 0; }));
             })
      .values[0];
}

std::vector<double> CountAndMeanRelease::cells_by_user(const Cells& cells) const {
  std::vector<double> counts(cells.shape()[request_.terms.user_mode]);
  for (Index user : cells.column(request_.terms.user_mode)) ++counts[user];
  return counts;
}

double CountAndMeanRelease::counted(const std::vector<double>& cells_by_user) const {
  double total = 0;
  for (double own : cells_by_user) total += std::min(own, most_);
  return total;
}

// A user with more cells than count contributes their mean, times the number that counts.
double CountAndMeanRelease::sum(const SparseTensor& observed) const {
  const Range& range = request_.data.range();
  const double half = range.width() / 2;
  double total = 0;
  if (!users()) {
    for (float value : observed.values()) total += grid_.round(range.centred(value) / half);
    return total;
  }
  const auto column = observed.column(request_.terms.user_mode);
  const std::vector<double> counts = cells_by_user(observed.cells());
  std::vector<double> sums(counts.size());
  for (std::size_t cell = 0; cell < observed.size(); ++cell)
    sums[column[cell]] += range.centred(observed.values()[cell]) / half;
  for (std::size_t user = 0; user < sums.size(); ++user) {
    const double own = sums[user] * std::min(1.0, most_ / std::max(counts[user], 1.0));
    total += grid_.round(std::clamp(own, -most_, most_));
  }
  return total;
}

}  // namespace tulle
