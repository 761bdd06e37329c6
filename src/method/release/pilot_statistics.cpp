#include "pilot_statistics.hpp"

#include <tulle/base/random.hpp>
#include <tulle/base/sum_grid.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tulle {
namespace {

// Differences count up to this share of the width. Neighbours that are alike differ by less, and the smaller
// the bound, the less noise.
constexpr double kLargestDifference = 0.25;
constexpr double kWorth = kLargestDifference * kLargestDifference / 2;  // of a pair at the bound, in width^2

// Differences are released with a standard deviation of kAccurate of the squared width, for a share of
// epsilon between these two; they are not released where the largest share would leave more than kUseless.
constexpr double kAccurate = 2e-5, kLeastShare = 0.01, kMostShare = 0.15, kUseless = 3e-3;

// The accuracy and the largest share if only the mean is released, in widths.
constexpr double kAccurateMean = 0.003, kMostForMean = 0.5;

// The sum of all entries is multiplied by this before the release, so that it has less noise than the others:
// if the noise hides everything else, the model is the mean.
constexpr double kOfMean = 4;

// The entries of two positions 2i and 2i + 1 of a mode, at the same position in all others.
EntryPairs::List neighbours(const Cells& cells, int mode) {
  struct Place {
    std::uint64_t pair;
    std::uint32_t second;
    std::size_t entry;
    auto operator<=>(const Place&) const = default;
  };
  std::vector<Place> places(cells.size());
  const Shape& shape = cells.shape();
  const std::uint64_t stride = shape.stride(mode);
#pragma omp parallel for schedule(static)
  for (std::size_t entry = 0; entry < cells.size(); ++entry) {
    const auto cell = cells.cell(entry);
    const std::uint32_t second = cell[static_cast<std::size_t>(mode)] & 1;
    places[entry] = {
        shape.offset(std::span(cell).first(static_cast<std::size_t>(shape.order()))) - second * stride,
        second, entry};
  }
  std::ranges::sort(places);
  EntryPairs::List pairs;
  for (std::size_t i = 1; i < places.size(); ++i)
    if (places[i].pair == places[i - 1].pair && places[i].second > places[i - 1].second)
      pairs.emplace_back(places[i - 1].entry, places[i].entry);
  return pairs;
}

// The sum over pairs of min(|x - y| / bound, 1)^2.
double differences(const EntryPairs::List& pairs, std::span<const float> values, double bound,
                   const SumGrid& grid) {
  double sum = 0;
  for (const auto& [one, other] : pairs) {
    const double difference = std::min(std::abs(double{values[one]} - double{values[other]}) / bound, 1.0);
    sum += grid.round(difference * difference);
  }
  return sum;
}

SumGrid grid_of(const PrivateRequest& request) {
  return {1, static_cast<double>(request.data.positions().size())};
}

double sensitivity_of(const EntryPairs& pairs, double of_mean = kOfMean) {
  return static_cast<double>(pairs.along.size()) + 1 + of_mean;
}

// The epsilon that leaves the differences of the longest list with this deviation, in width^2.
double epsilon_for(const EntryPairs& pairs, double deviation) {
  std::size_t most = 1;
  for (const auto& list : pairs.along) most = std::max(most, list.size());
  return std::sqrt(2) * sensitivity_of(pairs) * kWorth / (deviation * static_cast<double>(most));
}

bool differences_pay(const EntryPairs& pairs, double budget) {
  return epsilon_for(pairs, kUseless) <= kMostShare * budget;
}

double share_of(const EntryPairs& pairs, std::size_t entries, double budget) {
  const double least = kLeastShare * budget;
  if (differences_pay(pairs, budget))
    return std::clamp(epsilon_for(pairs, kAccurate), least, kMostShare * budget);
  const double enough = std::sqrt(2) / (kAccurateMean * static_cast<double>(entries));
  return std::clamp(enough, least, kMostForMean * budget);
}

AdditiveNoise noise_for(const EntryPairs& pairs, bool differences, const PrivateRequest& request,
                        double epsilon) {
  const double rounded = 1 + 2 * grid_of(request).step();
  const auto sensitivity = [&](double by) {
    return Sensitivity::l1(by * rounded, request.terms.unit, request.relation);
  };
  const double of_mean = kOfMean * request.data.largest_change() / request.data.range().width();
  if (differences)
    return AdditiveNoise::laplace(sensitivity(sensitivity_of(pairs, of_mean)), epsilon,
                                  pairs.along.size() + 2);
  return AdditiveNoise::laplace(sensitivity(of_mean), epsilon, 1);
}

}  // namespace

EntryPairs::EntryPairs(const Cells& cells, std::uint64_t seed) {
  for (int mode = 0; mode < cells.order(); ++mode) along.push_back(neighbours(cells, mode));
  std::vector<std::size_t> order(cells.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(seed).shuffle(std::span(order));
  for (std::size_t i = 1; i < order.size(); i += 2) apart.emplace_back(order[i - 1], order[i]);
}

PilotRelease::PilotRelease(const PrivateRequest& request)
    : request_(request),
      pairs_(request.data.positions(), request.fit.seed),
      differences_(differences_pay(pairs_, request.terms.budget.epsilon)),
      epsilon_(share_of(pairs_, request.data.positions().size(), request.terms.budget.epsilon)),
      noise_(noise_for(pairs_, differences_, request, epsilon_)) {}

// The mean comes last. An entry is in one term of each sum, and each term lies between 0 and 1: so each of
// the differences changes by at most 1, the mean by at most kOfMean, and all of them in L1 by the sum of
// that; the grid adds two steps to each term. Where a value changes by less than the width, so does the mean.
std::vector<double> PilotRelease::sums(const SparseTensor& observed) const {
  const Range& range = request_.data.range();
  const SumGrid grid = grid_of(request_);
  std::vector<double> numbers;
  if (differences_) {
    const double bound = kLargestDifference * range.width();
    for (const auto& list : pairs_.along)
      numbers.push_back(differences(list, observed.values(), bound, grid));
    numbers.push_back(differences(pairs_.apart, observed.values(), bound, grid));
  }
  double total = 0;
  for (double value : observed.values())
    total += grid.round(std::clamp((value - range.low) / range.width(), 0.0, 1.0));
  numbers.push_back(kOfMean * total);
  return numbers;
}

PilotStatistics PilotRelease::operator()(Curator& curator) const {
  const Noisy released =
      curator.release(request_.data.observed(), noise_,
                      differences_ ? "the mean, and squared differences of neighbours" : "the mean",
                      [&](const SparseTensor& observed) { return sums(observed); });
  const Range& range = request_.data.range();
  const double each = kOfMean * static_cast<double>(request_.data.positions().size());
  PilotStatistics pilot;
  pilot.mean = range.low + range.width() * std::clamp(released.values.back() / each, 0.0, 1.0);
  pilot.mean_deviation = range.width() * released.deviation / each;
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  for (std::size_t mode = 0; mode < pairs_.along.size(); ++mode) {
    const bool known = differences_ && !pairs_.along[mode].empty();
    const double worth = known ? kWorth / static_cast<double>(pairs_.along[mode].size()) : kUnknown;
    pilot.along.push_back(known ? worth * std::max(released.values[mode], 0.0) : kUnknown);
    pilot.deviation.push_back(worth * released.deviation);
  }
  if (differences_)
    pilot.apart = kWorth * released.values[pairs_.along.size()] / static_cast<double>(pairs_.apart.size());
  return pilot;
}

}  // namespace tulle
