#include "overview.hpp"

#include <tulle/base/random.hpp>

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

// As much of epsilon is spent as leaves the unlikeness known to this much of the squared width, between these
// shares.
constexpr double kAccurate = 2e-5, kLeastShare = 0.01, kMostShare = 0.15;

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
    places[entry] = {shape.offset(std::span(cell).first(static_cast<std::size_t>(shape.order()))) -
                         second * stride,
                     second, entry};
  }
  std::ranges::sort(places);
  EntryPairs::List pairs;
  for (std::size_t i = 1; i < places.size(); ++i)
    if (places[i].pair == places[i - 1].pair && places[i].second > places[i - 1].second)
      pairs.emplace_back(places[i - 1].entry, places[i].entry);
  return pairs;
}

// Whole numbers, so that sums have no rounding that could move by more than an entry does; they fit into
// doubles up to 2^33 entries.
constexpr double kSteps = 0x1p20;

std::uint64_t in_steps(double share) {
  return static_cast<std::uint64_t>(std::clamp(share, 0.0, 1.0) * kSteps);
}

// The sum over pairs of min(|x - y| / bound, 1)^2.
double differences(const EntryPairs::List& pairs, std::span<const float> values, double bound) {
  std::uint64_t sum = 0;
  for (const auto& [one, other] : pairs) {
    const double difference = std::min(std::abs(double{values[one]} - double{values[other]}) / bound, 1.0);
    sum += in_steps(difference * difference);
  }
  return static_cast<double>(sum) / kSteps;
}

double epsilon_for(const EntryPairs& pairs, double budget) {
  std::size_t most = 1;
  for (const auto& list : pairs.along) most = std::max(most, list.size());
  const double numbers = static_cast<double>(pairs.along.size()) + 2;
  const double enough = std::sqrt(2) * numbers * kWorth / (kAccurate * static_cast<double>(most));
  return std::clamp(enough, kLeastShare * budget, kMostShare * budget);
}

}  // namespace

EntryPairs::EntryPairs(const Cells& cells, std::uint64_t seed) {
  for (int mode = 0; mode < cells.order(); ++mode) along.push_back(neighbours(cells, mode));
  std::vector<std::size_t> order(cells.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(seed).shuffle(std::span(order));
  for (std::size_t i = 1; i < order.size(); i += 2) apart.emplace_back(order[i - 1], order[i]);
}

OverviewRelease::OverviewRelease(const PrivateRequest& request)
    : request_(request),
      pairs_(request.data.positions(), request.fit.seed),
      epsilon_(epsilon_for(pairs_, request.terms.budget.epsilon)),
      noise_(AdditiveNoise::laplace(
          Sensitivity::l1(static_cast<double>(pairs_.along.size() + 2), request.terms.unit, request.relation),
          epsilon_, pairs_.along.size() + 2)) {}

// An entry that moves moves one term of each sum, and each term lies between 0 and 1: so each of the numbers
// moves by 1 at most, and all of them by their number, in L1.
Overview OverviewRelease::operator()(Curator& curator) const {
  const Range& range = request_.terms.range;
  const Noisy sums = curator.release(
      request_.data.observed(), noise_, "the mean, and how unlike neighbours are",
      [&](const SparseTensor& observed) {
        std::vector<double> numbers;
        for (const auto& list : pairs_.along)
          numbers.push_back(differences(list, observed.values(), kLargestDifference * range.width()));
        numbers.push_back(differences(pairs_.apart, observed.values(), kLargestDifference * range.width()));
        std::uint64_t total = 0;
        for (double value : observed.values()) total += in_steps((value - range.low) / range.width());
        numbers.push_back(static_cast<double>(total) / kSteps);
        return numbers;
      });
  const auto entries = static_cast<double>(request_.data.positions().size());
  const auto worth = [](const EntryPairs::List& pairs) {
    return pairs.empty() ? std::numeric_limits<double>::infinity()
                         : kWorth / static_cast<double>(pairs.size());
  };
  Overview overview;
  for (std::size_t mode = 0; mode < pairs_.along.size(); ++mode) {
    const double each = worth(pairs_.along[mode]);
    overview.along.push_back(std::isfinite(each) ? each * std::max(sums.values[mode], 0.0) : each);
    overview.deviation.push_back(each * sums.deviation);
  }
  overview.apart = pairs_.apart.empty() ? 0 : worth(pairs_.apart) * sums.values[pairs_.along.size()];
  overview.mean = range.low + range.width() * std::clamp(sums.values.back() / entries, 0.0, 1.0);
  overview.mean_deviation = range.width() * sums.deviation / entries;
  return overview;
}

}  // namespace tulle
