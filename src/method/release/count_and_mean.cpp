#include "count_and_mean.hpp"

#include <tulle/data/coupling.hpp>
#include <tulle/tensor/most_cells.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {

CountAndMeanRelease::CountAndMeanRelease(const PrivateRequest& request, double noise_multiplier,
                                         int entries_per_user)
    : request_(request),
      multiplier_(noise_multiplier),
      most_(users() ? entries_per_user : 1),
      grid_(most_, users() ? request.data.most_users() : most_cells(request.data.shape())) {
  if (!request.fit.coupling || !request.fit.coupling->several()) return;
  relations_ = request.fit.coupling->relations.size();
  relation_mode_ = request.fit.coupling->relation_mode();
}

std::uint64_t CountAndMeanRelease::releases(const PrivateRequest& request) {
  if (request.relation != Relation::add_remove) return 1;
  return request.terms.unit == Unit::user ? 3 : 2;
}

// In halves of the width from the middle of the range, a unit contributes between -`most` and `most` to the
// sum: removing it changes the sum by at most `most`, replacing it by `most` times the largest change of a
// value, twice that at most. Rounding to the grid adds two steps. With several relations those are vectors,
// to which a user adds one whose L1 norm is `most` at most, and so is its L2 norm; rounding adds two steps
// per relation.
CountAndMean CountAndMeanRelease::release(Curator& curator) const {
  CountAndMean result;
  std::vector<double> weights;
  if (counts()) {
    weights = released_counts(curator);
    for (double count : weights) result.cells += count;
    result.relations.resize(relations_);
    for (std::size_t r = 0; r < relations_; ++r) result.relations[r].cells = weights[r];
    if (users()) result.users = std::max(1.0, released_users(curator));
  } else {
    const Cells& cells = request_.data.positions();
    result.cells = static_cast<double>(cells.size());
    weights = users() ? counted(cells_by_user(cells)) : std::vector{result.cells};
    result.relations = {{result.cells}};
    if (users()) result.users = request_.data.shape()[request_.terms.user_mode];
  }
  const double change = request_.data.largest_change() / (request_.data.range().width() / 2);
  const double sensitivity = request_.relation == Relation::replace ? change * most_ : most_;
  const Noisy noisy =
      release_vector(curator, sensitivity + 2 * static_cast<double>(relations_) * grid_.step(), relations_,
                     "sum of the values", [&](const SparseTensor& observed) { return sums(observed); });
  for (std::size_t r = 0; r < relations_; ++r)
    result.relations[r].mean = shrunk_mean(noisy.values[r], weights[r], noisy.deviation);
  result.mean = result.relations.front().mean;
  return result;
}

double CountAndMeanRelease::shrunk_mean(double sum, double weight, double deviation) const {
  constexpr double kPriorVariance = 0.25;  // of the mean, in halves of the width
  const double variance = std::pow(deviation / weight, 2);
  const double mean = std::clamp(sum / weight, -1.0, 1.0) * kPriorVariance / (kPriorVariance + variance);
  return request_.data.range().middle() + mean * request_.data.range().width() / 2;
}

Noisy CountAndMeanRelease::release_vector(
    Curator& curator, double sensitivity, std::size_t coordinates, std::string what,
    const std::function<std::vector<double>(const SparseTensor&)>& query) const {
  const Unit unit = request_.terms.unit;
  const auto bound = coordinates == 1 ? Sensitivity::one_coordinate(sensitivity, unit, request_.relation)
                                      : Sensitivity::l2(sensitivity, unit, request_.relation);
  return curator.release(request_.data.observed(), AdditiveNoise::gaussian(bound, multiplier_, coordinates),
                         std::move(what), query);
}

std::vector<double> CountAndMeanRelease::released_counts(Curator& curator) const {
  Noisy counts =
      release_vector(curator, most_, relations_, "number of cells", [&](const SparseTensor& observed) {
        return users() ? counted(cells_by_user(observed.cells()))
                       : std::vector{static_cast<double>(observed.size())};
      });
  for (double& count : counts.values) count = std::max(1.0, count);
  return counts.values;
}

double CountAndMeanRelease::released_users(Curator& curator) const {
  const auto query = [&](const SparseTensor& observed) {
    const std::vector<double> cells = cells_by_user(observed.cells());
    double users = 0;
    for (auto own = cells.begin(); own != cells.end(); own += static_cast<std::ptrdiff_t>(relations_))
      users += std::any_of(own, own + static_cast<std::ptrdiff_t>(relations_),
                           [](double count) { return count > 0; });
    return std::vector{users};
  };
  return release_vector(curator, 1, 1, "number of users", query).values[0];
}

std::vector<double> CountAndMeanRelease::cells_by_user(const Cells& cells) const {
  std::vector<double> counts(cells.shape()[request_.terms.user_mode] * relations_);
  const auto column = cells.column(request_.terms.user_mode);
  for (std::size_t cell = 0; cell < cells.size(); ++cell)
    ++counts[column[cell] * relations_ + relation_of(cells, cell)];
  return counts;
}

std::vector<double> CountAndMeanRelease::that_count(std::vector<double> cells_by_user) const {
  double left = most_;
  for (std::size_t i = 0; i < cells_by_user.size(); ++i) {
    if (i % relations_ == 0) left = most_;  // the next user
    cells_by_user[i] = std::min(cells_by_user[i], left);
    left -= cells_by_user[i];
  }
  return cells_by_user;
}

std::vector<double> CountAndMeanRelease::counted(const std::vector<double>& cells_by_user) const {
  const std::vector<double> counts = that_count(cells_by_user);
  std::vector<double> total(relations_);
  for (std::size_t i = 0; i < counts.size(); ++i) total[i % relations_] += counts[i];
  return total;
}

// A user with more cells than the limit contributes their mean times the limit.
std::vector<double> CountAndMeanRelease::sums(const SparseTensor& observed) const {
  const Range& range = request_.data.range();
  const double half = range.width() / 2;
  std::vector<double> total(relations_);
  if (!users()) {
    for (float value : observed.values()) total[0] += grid_.round(range.centred(value) / half);
    return total;
  }
  const auto column = observed.column(request_.terms.user_mode);
  const std::vector<double> counts = cells_by_user(observed.cells()), most = that_count(counts);
  std::vector<double> own(counts.size());
  for (std::size_t cell = 0; cell < observed.size(); ++cell)
    own[column[cell] * relations_ + relation_of(observed.cells(), cell)] +=
        range.centred(observed.values()[cell]) / half;
  for (std::size_t i = 0; i < own.size(); ++i)
    total[i % relations_] +=
        grid_.round(std::clamp(own[i] * (most[i] / std::max(counts[i], 1.0)), -most[i], most[i]));
  return total;
}

}  // namespace tulle
