// Every entry released once, then noise-aware estimation (Tulle).
//
// Unit, relation:  entry, replace. Public: shape, positions, range, options.
// Releases:        few entries: every entry, one coordinate of sensitivity width; where it pays their mean,
//                  sensitivity (1 + 2 steps) / n in widths (mean_release.cpp). Many entries, in stages
//                  (staged_release.cpp): the mean; before each of four batches a histogram of distances,
//                  sensitivity 2 in L1; every entry once, clamped to a window of half width h around a
//                  prediction made of earlier releases, sensitivity 2 h. The batches are disjoint and all
//                  cost the same: parallel composition. Tubal: one_shot_tubal.cpp.
// After that free: rank, offsets and ridges by cross-validation on released values.
// Cost:            O(entries) for the releases; fits as in fit_released.cpp.
#include "one_shot.hpp"

#include "completion/tubal/one_shot_tubal.hpp"
#include "crafted.hpp"
#include "estimate/fit_released.hpp"
#include "estimate/mean_of.hpp"
#include "estimate/released_entries.hpp"
#include "methods.hpp"
#include "release/entry_noise.hpp"
#include "release/kept_entries.hpp"
#include "release/mean_release.hpp"
#include "staged_release.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr NoiseKind kOneShotNoises[] = {NoiseKind::staircase, NoiseKind::piecewise, NoiseKind::duchi,
                                        NoiseKind::laplace, NoiseKind::gaussian};

// ---- All at once ----

AdditiveNoise cell_noise(const PrivateRequest& request, const Allowance& allowance) {
  return cell_noise(request, allowance, {request.data.range().low, request.data.range().high},
                    request.data.largest_change(), request.data.positions().size());
}

// The mean of n entries changes by width / n at most when one of them changes, so its noise is far less than
// that of the mean of released entries. If the standard deviation of the mean of released entries would
// exceed this share of the width, the separate mean gets the epsilon that keeps its own below it, up to half.
constexpr double kAccurateMean = 0.003;

double epsilon_of_mean(const PrivateRequest& request, const Curator& curator) {
  const double entries = static_cast<double>(request.data.positions().size());
  const double width = request.data.range().width(), epsilon = request.terms.budget.epsilon;
  const double from_cells = cell_noise(request, curator.allowance()).typical_deviation() / std::sqrt(entries);
  if (from_cells <= kAccurateMean * width) return 0;
  const double change = request.data.largest_change() / width;
  const double enough =
      std::sqrt(2) * change / (entries * kAccurateMean);  // deviation: sqrt(2) change / n / epsilon
  return std::min(enough, epsilon / 2);
}

// The releases: every entry, and their mean if that pays.
struct AtOnce {
  AdditiveNoise cells;
  std::optional<MeanRelease> mean;
};

AtOnce plan_releases(const PrivateRequest& request, Curator& curator) {
  std::optional<MeanRelease> mean;
  if (const double epsilon = epsilon_of_mean(request, curator); epsilon > 0) mean.emplace(request, epsilon);
  std::vector<Stage> beside;
  if (mean) beside.push_back(mean->stage());
  AdditiveNoise cells = cell_noise(request, curator.allowance(beside));
  std::vector<Stage> stages{{.loss = loss_of(cells)}};
  stages.insert(stages.end(), beside.begin(), beside.end());
  curator.plan(stages);
  return {std::move(cells), std::move(mean)};
}

// Both releases estimate the mean; the cells are shifted to the mean of the two, weighted by their precision.
void recentre(std::span<float> cells, double cell_deviation, const Release& mean) {
  const double variance = cell_deviation * cell_deviation / static_cast<double>(cells.size());
  const double weight = variance / (variance + mean.deviation * mean.deviation);
  const double move = weight * (mean.values[0] - mean_of(cells));
  for (float& value : cells) value += static_cast<float>(move);
}

Releases measure_at_once(const PrivateRequest& request, Curator& curator) {
  const auto& [noise, mean] = plan_releases(request, curator);
  Releases releases{release_kept(request, curator, noise, keep_all(request.data.positions()))};
  if (mean) releases.push_back(Release::of("mean", curator, mean->release(request, curator)));
  return releases;
}

Releases measure_in_stages(const PrivateRequest& request, Curator& curator) {
  FitOptions between = request.fit;
  if (!between.from) between.model = ModelKind::cp;
  between.observer = {};
  between.block_size = 0;
  const Cells& positions = request.data.positions();
  return release_in_stages(
      request, curator,
      [&](const Allowance& allowance, const Bounds& bounds, std::uint64_t numbers) {
        return cell_noise(request, allowance, bounds, Range{bounds.low, bounds.high}.width(), numbers);
      },
      [&](std::span<const Release* const> portions) {
        return predict(fit_released(entries_worth_fitting(positions, portions), between, Care::quick).model,
                       positions);
      });
}

bool is_staged(const Measurement& measured) {
  return measured.all(kEntries).size() > 1;
}

Measured measure_one_shot(const PrivateRequest& request, Curator& curator) {
  if (request.fit.model == ModelKind::tubal) return measure_tubal(request, curator);
  Releases staged = measure_in_stages(request, curator);
  return staged.empty() ? measure_at_once(request, curator) : staged;
}

// ---- After that free ----

void check_one_shot(const FitOptions& fit, const Shape& shape, Relation) {
  if (fit.model == ModelKind::tubal) return check_tubal(fit, shape);
  check_released_fit(fit);
}

Completion estimate_at_once(const Measurement& measured, const FitOptions& fit) {
  SparseTensor cells = entries_worth_fitting(measured);
  const Release& entries = measured.find(kEntries, cells.size());
  const bool with_mean = measured.has("mean");
  if (with_mean) recentre(cells.values(), entries.typical, measured.find("mean", 1));
  Completion completion = fit_released(cells, fit);
  completion.remarks.insert(
      completion.remarks.begin(),
      fmt::format("Released every entry once with {} noise of deviation {:.4g} at most{}.", entries.noise,
                  entries.deviation, with_mean ? ", and their mean" : ""));
  return completion;
}

Completion estimate_in_stages(const Measurement& measured, const FitOptions& fit) {
  Completion completion = fit_released(entries_worth_fitting(measured), fit);
  completion.remarks.insert(completion.remarks.begin(), remark_on_stages(measured));
  return completion;
}

Completion estimate_one_shot(const Measurement& measured, const FitOptions& fit) {
  const bool tubal = is_measured_for_tubal(measured);
  if (tubal != (fit.model == ModelKind::tubal))
    fail_usage("one-shot made these releases for model {}; refit that[ (@model)], or fit the data again",
               tubal ? "tubal" : "cp or tucker");
  if (fit.model == ModelKind::tubal) return estimate_tubal(measured, fit);
  return is_staged(measured) ? estimate_in_stages(measured, fit) : estimate_at_once(measured, fit);
}

}  // namespace

// Under replace one entry changes and no other does: one of the values, which lie inside bounds, by at most
// `change`.
AdditiveNoise cell_noise(const PrivateRequest& request, const Allowance& allowance, const Bounds& bounds,
                         double change, std::uint64_t numbers) {
  return entry_noise(request, allowance, {.bounds = bounds, .most = change, .numbers = numbers},
                     kOneShotNoises);
}

// A number of the model is fitted to about cells / positions entries. Laplace noise has deviation
// sqrt(2) width / epsilon.
double error_of_one_shot(const Cells& cells, double epsilon) {
  double positions = 0;
  for (Index size : cells.shape().dimensions()) positions += size;
  return std::sqrt(2 * positions / static_cast<double>(cells.size())) / epsilon;
}

namespace {

// Neighbouring cells are equal, so sums of blocks of them are released.
CraftedTensor value_in_smooth_tensor() {
  return {.canary = "the value of a cell, in sums of blocks",
          .data = cells_of({16, 16, 16},
                           [](auto cell, double secret) {
                             return cell[0] + cell[1] + cell[2] == 0 ? secret : cell[0] < 8 ? 0 : 1;
                           }),
          .graded = true};
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
          "Gaussian), or with the noise that you choose. If there are enough entries, they are released in "
          "disjoint batches, each inside a window around the prediction from earlier batches, with noise for "
          "the window rather than for the range. Models cp and tucker are fitted to the released values; "
          "rank (at most the given one), offsets and ridges are chosen by cross-validation on these values, "
          "down to rank 0, the mean. Model tubal: if pilot statistics (a small part of epsilon) show that "
          "neighbouring cells are similar, sums of blocks of them are released instead of entries, and the "
          "fit is penalised by the tensor nuclear norm, with a weight that follows from the noise, which is "
          "laplace, staircase or gaussian.",
      .models = {},
      .protects = {{Unit::entry, Relation::replace}},
      .settings = {takes_noise(kOneShotNoises, "the one with the least variance")},
      .warm_start = true,
      .reads = {kReleasedFitOptions.begin(), kReleasedFitOptions.end()},
      .sound = MeasuredCompletion{check_one_shot, measure_one_shot, estimate_one_shot},
      .pairs = {.weight = 0.2, .in_portions = true},
      .worst_cases = {
          {.data = lone_value(), .trials = 20'000},
          {.data = value_among_others(), .trials = 1'000, .quick_trials = 100},
          {.data = CraftedCells{.shape = {10, 10, 10}, .released = true}},
          {.data = CraftedCells{.shape = {60, 60, 20}, .move = 0.05, .released = true}, .slow = true},
          {.data = largest_of_slice(), .model = ModelKind::tubal, .trials = 2'000, .quick_trials = 150},
          {.data = value_in_smooth_tensor(), .model = ModelKind::tubal, .trials = 2'000, .quick_trials = 100},
      }};
}

}  // namespace tulle
