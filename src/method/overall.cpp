#include "overall.hpp"

#include "whole_steps.hpp"

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr double kRounding = 1 + 1e-6;  // more than the way to whole numbers and back does

}  // namespace

OverallRelease::OverallRelease(const PrivateRequest& request, double noise_multiplier, int entries_per_user)
    : request_(request), multiplier_(noise_multiplier), most_(users() ? entries_per_user : 1) {}

std::vector<Event> OverallRelease::events() const {
  return {Event::gaussian(multiplier_).times(counts() ? 2 : 1)};
}

// Of values less the middle, in halves of the width, a unit adds `most` at most, so much can it take away;
// another in its place moves twice that.
Overall OverallRelease::release(Curator& curator) const {
  Overall overall;
  double weight = 0;
  if (counts()) {
    const Noisy count = release_one(curator, most_, "number of cells", [&](const SparseTensor& observed) {
      return users() ? counted(observed.column(request_.terms.user_mode))
                     : static_cast<double>(observed.size());
    });
    overall.cells = weight = std::max(1.0, count.values[0]);
  } else {
    const Cells& cells = request_.data.positions();
    overall.cells = static_cast<double>(cells.size());
    weight = users() ? counted(cells.column(request_.terms.user_mode)) : overall.cells;
  }
  const double moves = request_.relation == Relation::replace ? 2 * most_ : most_;
  const Noisy noisy = release_one(curator, moves, "sum of the values",
                                  [&](const SparseTensor& observed) { return sum(observed); });
  constexpr double kBelief = 0.25;  // variance of where a mean may lie
  const double variance = std::pow(noisy.deviation / weight, 2);
  const double mean = std::clamp(noisy.values[0] / weight, -1.0, 1.0) * kBelief / (kBelief + variance);
  overall.mean = request_.terms.range.middle() + mean * request_.terms.range.width() / 2;
  return overall;
}

Noisy OverallRelease::release_one(Curator& curator, double moves, std::string what,
                                  const std::function<double(const SparseTensor&)>& query) const {
  const auto sensitivity =
      Sensitivity::one_coordinate(moves * kRounding, request_.terms.unit, request_.relation);
  return curator.release(request_.data.observed(), AdditiveNoise::gaussian(sensitivity, multiplier_, 1),
                         std::move(what),
                         [&](const SparseTensor& observed) { return std::vector{query(observed)}; });
}

double OverallRelease::counted(std::span<const Index> users) const {
  std::vector<double> counts(request_.data.shape()[request_.terms.user_mode]);
  for (Index user : users) ++counts[user];
  double total = 0;
  for (double of_user : counts) total += std::min(of_user, most_);
  return total;
}

// A user with more cells than count speaks with the mean of hers, as loud as if she had so many.
double OverallRelease::sum(const SparseTensor& observed) const {
  const Range& range = request_.terms.range;
  const auto centred = [&](std::size_t cell) {
    return in_steps((observed.values()[cell] - range.middle()) / (range.width() / 2));
  };
  std::int64_t total = 0;
  if (!users()) {
    for (std::size_t cell = 0; cell < observed.size(); ++cell) total += centred(cell);
    return from_steps(total);
  }
  const auto column = observed.column(request_.terms.user_mode);
  std::vector<std::int64_t> sums(request_.data.shape()[request_.terms.user_mode]), counts(sums.size());
  for (std::size_t cell = 0; cell < observed.size(); ++cell) {
    sums[column[cell]] += centred(cell);
    ++counts[column[cell]];
  }
  for (std::size_t user = 0; user < sums.size(); ++user)
    if (counts[user] > 0)
      total += in_steps(from_steps(sums[user]) * std::min(1.0, most_ / static_cast<double>(counts[user])));
  return from_steps(total);
}

}  // namespace tulle
