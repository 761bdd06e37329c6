#include "one_shot.hpp"

#include "entry_noise.hpp"
#include "fit_released.hpp"
#include "kept_entries.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle {
namespace {

constexpr std::string_view kNoises[] = {"staircase", "piecewise", "duchi", "laplace", "gaussian"};

// Under replace one entry moves inside its range and no other moves: one of the numbers, by the width at
// most.
AdditiveNoise cell_noise(const PrivateRequest& request, const Budget& budget) {
  const Range& range = request.terms.range;
  return entry_noise(
      request, budget,
      {.bounds = {range.low, range.high}, .most = range.width(), .numbers = request.data.positions().size()},
      kNoises);
}

// The mean of n entries moves by width / n when one of them moves: far less noise than the mean of released
// entries has. It is worth a part of epsilon where the latter would be off by more than this share of the
// width; then so much is spent that the former is not, up to half.
constexpr double kAccurateMean = 0.003;

double epsilon_of_mean(const PrivateRequest& request) {
  const double entries = static_cast<double>(request.data.positions().size());
  const double width = request.terms.range.width(), epsilon = request.terms.budget.epsilon;
  const double from_cells =
      cell_noise(request, request.terms.budget).typical_deviation() / std::sqrt(entries);
  if (from_cells <= kAccurateMean * width) return 0;
  const double enough = std::sqrt(2) / (entries * kAccurateMean);  // deviation: sqrt(2) width / n / epsilon
  return std::min(enough, epsilon / 2);
}

// What is released: every entry, and their mean where that pays, as a share of the range.
struct Releases {
  AdditiveNoise cells;
  std::optional<AdditiveNoise> mean;
};

Releases releases_for(const PrivateRequest& request) {
  const Budget& budget = request.terms.budget;
  const double for_mean = epsilon_of_mean(request);
  if (for_mean == 0) return {cell_noise(request, budget), {}};
  constexpr double kRounding = 1 + 1e-6;  // more than the one division does to any n that fits in memory
  const double entries = static_cast<double>(request.data.positions().size());
  const auto moves = Sensitivity::one_coordinate(kRounding / entries, request.terms.unit, request.relation);
  return {cell_noise(request, {budget.epsilon - for_mean, budget.delta}),
          AdditiveNoise::laplace(moves, for_mean, 1)};
}

// Where the mean lies in the range, from 0 to 1. Added up in whole numbers: the rounding of a long sum of
// doubles could move by more than an entry does.
double mean_position(const SparseTensor& observed, const Range& range) {
  constexpr double kSteps = 0x1p32;
  std::uint64_t sum = 0;
  for (double value : observed.values())
    sum += static_cast<std::uint64_t>(std::clamp((value - range.low) / range.width(), 0.0, 1.0) * kSteps);
  return static_cast<double>(sum) / (kSteps * static_cast<double>(observed.size()));
}

double mean_of(std::span<const float> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// Both releases tell the mean, each with its own noise; the cells are moved to where both together say it is.
void recentre(std::span<float> cells, double cell_deviation, const Noisy& mean) {
  const double variance = cell_deviation * cell_deviation / static_cast<double>(cells.size());
  const double weight = variance / (variance + mean.deviation * mean.deviation);
  const double move = weight * (mean.values[0] - mean_of(cells));
  for (float& value : cells) value += static_cast<float>(move);
}

Noisy release_mean(const PrivateRequest& request, Curator& curator, const AdditiveNoise& noise) {
  const Range& range = request.terms.range;
  const Noisy position = curator.release(
      request.data.observed(), noise, "their mean",
      [&](const SparseTensor& observed) { return std::vector{mean_position(observed, range)}; });
  return {{range.low + position.values[0] * range.width()}, position.deviation * range.width()};
}

Completion complete(const PrivateRequest& request, Curator& curator) {
  const auto& [noise, mean_noise] = releases_for(request);
  if (mean_noise)
    curator.plan({noise.event(), mean_noise->event()});
  else
    curator.plan({noise.event()});
  SparseTensor cells = release_entries(request, curator, noise, keep_all(request.data.positions()));
  if (mean_noise)
    recentre(cells.values(), noise.typical_deviation(), release_mean(request, curator, *mean_noise));
  Completion completion = fit_released(cells, request.fit);
  completion.remarks.insert(
      completion.remarks.begin(),
      fmt::format("Released every entry once with {} noise of deviation {:.4g} at most{}.", noise.name(),
                  noise.deviation(), mean_noise ? ", and their mean" : ""));
  return completion;
}

}  // namespace

Method one_shot_method() {
  return {
      .name = "one-shot",
      .title = "every entry released once, then noise-aware estimation for free",
      .source = "Tulle",
      .guarantee = "(epsilon, delta)-private for one entry under replace; which cells are observed is public",
      .details =
          "Each entry is released with the least noise the budget allows (staircase, piecewise, Duchi, "
          "Gaussian), or with --noise laplace, staircase, piecewise, duchi or gaussian. Models cp and "
          "tucker are fitted to what was released; rank (at most --rank), offsets and ridges are chosen "
          "by cross-validation there, down to rank 0, the mean.",
      .models = {"cp", "tucker"},
      .protects = {{Unit::entry, Relation::replace}},
      .takes = {"noise"},
      .sound = complete};
}

}  // namespace tulle
