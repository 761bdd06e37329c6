// Noise on every entry, then any plain solver (wei2022, algorithm 1; tubal: dai2026).
//
// Unit, relation:  entry or user, replace. Public: shape, positions, range, options.
// Releases:        every entry that is kept: one of width changes (entry), or `most` of them, each by width
//                  (user): width x most in L1, width x sqrt(most) in L2, or each with epsilon / most.
// Unit, relation:  entry, add-remove. Public: shape, range, options.
// Releases:        1. every cell of the shape, observed (value - middle) or not (0): one coordinate changes
//                  by max |value - middle|. 2. the number of entries: changes by 1. Both are planned
//                  together.
// After that free: the fit.
// Cost:            O(entries), or O(cells of the shape), for the releases.
#include "completion/fit_checks.hpp"
#include "completion/tubal/input_tubal.hpp"
#include "crafted.hpp"
#include "estimate/released_entries.hpp"
#include "methods.hpp"
#include "published/published_sgd.hpp"
#include "release/entry_noise.hpp"
#include "release/kept_entries.hpp"

#include <tulle/base/error.hpp>
#include <tulle/method/private_completion.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr NoiseKind kInputNoises[] = {NoiseKind::staircase, NoiseKind::laplace, NoiseKind::gaussian,
                                      NoiseKind::discrete_laplace};

bool on_whole_numbers(const PrivateRequest& request) {
  return request.settings.get(setting::noise) == NoiseKind::discrete_laplace;
}

void check_whole_range(const PrivateRequest& request) {
  const Range& range = request.data.range();
  if (on_whole_numbers(request) &&
      (range.low != std::floor(range.low) || range.high != std::floor(range.high)))
    fail_usage("discrete-laplace noise is for whole numbers; give a whole-numbered range, or other noise");
}

// ---- positions are public ----

Releases measure_at_public_positions(const PrivateRequest& request, Curator& curator) {
  const KeptEntries kept = entries_that_count(request);
  const Range& range = request.data.range();
  const AdditiveNoise noise = entry_noise(request, curator.allowance(),
                                          {.bounds = {range.low, range.high},
                                           .most = request.data.largest_change(),
                                           .numbers = kept.entries.size(),
                                           .changing = kept.most},
                                          kInputNoises);
  curator.plan({{.loss = loss_of(noise)}});
  Releases releases{release_kept(request, curator, noise, kept, on_whole_numbers(request))};
  releases.front().chosen = {static_cast<double>(kept.most)};
  return releases;
}

Completion estimate_at_public_positions(const Measurement& measured, const FitOptions& fit) {
  const SparseTensor cells = entries_worth_fitting(measured);
  const Release& entries = measured.find(kEntries, cells.size());
  Completion completion = fit.model == ModelKind::tubal ? meet_released_cells(cells, fit)
                                                        : complete_plainly({.data = cells, .fit = fit});
  if (measured.unit == Unit::user)
    completion.remarks.push_back(fmt::format("Kept {} of {} entries, at most {} of a user.", cells.size(),
                                             measured.positions->size(),
                                             entries.chosen.empty() ? 0 : entries.chosen.front()));
  return completion;
}

// ---- positions are private ----

constexpr std::uint64_t kMostHeld = 100'000'000;  // that are all held at once
constexpr double kShareOfCount = 0.05;            // of epsilon
constexpr const char* kAllCells = "cells";        // ids of releases
constexpr const char* kCount = "count";

std::uint64_t all_cells(const Shape& shape) {
  double cells = 1;
  for (Index size : shape.dimensions()) cells *= size;
  if (cells > static_cast<double>(kMostHeld))
    fail_usage(
        "under add-remove every cell of the {} tensor needs noise, and {} is the most that is held; choose "
        "relation replace if positions are public",
        shape.text(), kMostHeld);
  return shape.cells();
}

void rescale(Model& model, double factor, double level) {
  std::visit(
      [&](auto& kind) {
        if constexpr (requires { kind.weights; }) kind.weights *= factor;
        if constexpr (requires { kind.core; })
          for (double& value : kind.core.values()) value *= factor;
        if constexpr (requires { kind.s; })
          for (double& value : kind.s.values()) value *= factor;
        if constexpr (requires { kind.biases; }) kind.biases.global += level;
      },
      model);
}

// Every cell is released: an observed one as its distance from the middle of the range, any other as 0.
// Adding or removing an entry changes that cell by at most half the width, and the number of entries by 1.
Releases measure_at_private_positions(const PrivateRequest& request, Curator& curator) {
  const Shape& shape = request.data.shape();
  const std::uint64_t count = all_cells(shape);
  const Range& range = request.data.range();
  const bool whole = on_whole_numbers(request);
  const double middle = whole ? std::floor(range.middle()) : range.middle();
  const double most = std::max(range.high - middle, middle - range.low);
  const Stage counting{.loss = Loss::pure, .epsilon = kShareOfCount * request.terms.budget.epsilon};
  const AdditiveNoise noise =
      entry_noise(request, curator.allowance({counting}),
                  {.bounds = {-most, most}, .most = most, .numbers = count}, kInputNoises);
  const AdditiveNoise count_noise = AdditiveNoise::discrete_laplace(
      Sensitivity::one_coordinate(1, request.terms.unit, request.relation), *counting.epsilon, 1);
  curator.plan({{.loss = loss_of(noise)}, counting});
  Noisy all = curator.release(
      request.data.observed(), noise, "every cell, observed or not", [&](const SparseTensor& observed) {
        std::vector<double> cells(count);
        for (std::size_t entry = 0; entry < observed.size(); ++entry)
          cells[shape.offset(observed.cells().cell(entry))] =
              (whole ? std::nearbyint(observed.values()[entry]) : observed.values()[entry]) - middle;
        return cells;
      });
  Releases releases{Release::of(kAllCells, curator, std::move(all))};
  releases.front().chosen = {middle};
  releases.push_back(Release::of(kCount, curator,
                                 curator.release(request.data.observed(), count_noise,
                                                 "the number of entries", [](const SparseTensor& observed) {
                                                   return std::vector{static_cast<double>(observed.size())};
                                                 })));
  return releases;
}

// The released tensor is expected to be the tensor times the share of observed cells, so the fit is divided
// by that share.
Completion estimate_at_private_positions(const Measurement& measured, const FitOptions& fit) {
  const Release& released = measured.find(kAllCells, all_cells(measured.shape));
  if (released.chosen.size() != 1)
    fail("release '{}' does not say what its values are distances from; it cannot be refitted", kAllCells);
  const auto cells = static_cast<double>(released.values.size());
  const double share = std::clamp(measured.find(kCount, 1).values[0], 1.0, cells) / cells;
  Completion completion =
      complete_plainly({.data = DenseTensor(measured.shape, released.values), .fit = fit});
  rescale(completion.model, 1 / share, released.chosen.front());
  completion.remarks.push_back(fmt::format("About {:.3g} % of the cells are observed.", 100 * share));
  return completion;
}

void check_input(const FitOptions& fit, const Shape& shape, Relation relation) {
  if (fit.model == ModelKind::tubal) tubal_rank_of(fit, shape);
  check_plain_fit(fit, relation != Relation::add_remove);
}

Measured measure_input(const PrivateRequest& request, Curator& curator) {
  check_whole_range(request);
  return request.relation == Relation::add_remove ? measure_at_private_positions(request, curator)
                                                  : measure_at_public_positions(request, curator);
}

Completion estimate_input(const Measurement& measured, const FitOptions& fit) {
  return measured.relation == Relation::add_remove ? estimate_at_private_positions(measured, fit)
                                                   : estimate_at_public_positions(measured, fit);
}

// ---- as published ----

// Algorithm 1: Laplace noise for X_max - X_min, which is computed from the data without noise. The guarantee
// therefore says that nothing is proven.
double range_of_the_data(const PrivateRequest& request) {
  const auto [least, most] = std::ranges::minmax(released_without_noise(request.data.observed()).values());
  return static_cast<double>(most) - static_cast<double>(least);
}

Completion complete_by_published_input(const PrivateRequest& request, Curator& curator) {
  if (request.fit.model == ModelKind::tubal) return input_tubal_as_published(request, curator);
  if (request.terms.unit != Unit::entry || request.relation != Relation::replace)
    fail_usage("wei2022 protects unit entry under replace; omit unit and relation");
  if (request.settings.get(setting::noise).value_or(NoiseKind::laplace) != NoiseKind::laplace)
    fail_usage("wei2022 has laplace noise; omit noise");
  if (request.fit.tolerance) fail_usage("wei2022 makes all of its iterations; omit @tolerance");
  const PublishedSettings settings = published_settings(request);
  const ModelLayout layout = layout_of(request);
  const double width = range_of_the_data(request);
  const KeptEntries all = keep_all(request.data.positions());
  if (width == 0)  // as published: entries that are all equal have a range of width 0 and get no noise
    return {.model = published_fit(released_without_noise(request.data.observed()), layout, settings,
                                   request.fit.seed),
            .solver = "sgd"};
  const AdditiveNoise noise =
      AdditiveNoise::laplace(Sensitivity::one_coordinate(width, request.terms.unit, request.relation),
                             request.terms.budget.epsilon, all.entries.size());
  return {.model = published_fit(release_entries(request, curator, noise, all), layout, settings,
                                 request.fit.seed),
          .solver = "sgd"};
}

}  // namespace

Method input_method() {
  return {
      .name = "input",
      .title = "noise on every observed entry, then any plain solver",
      .source = "wei2022, algorithm 1; tubal: dai2026",
      .guarantee =
          "(epsilon, delta)-private: for one entry under replace (which cells are observed is public) or "
          "under add-remove (it is not; every cell gets noise); for a user under replace",
      .details =
          "Noise staircase, laplace, discrete-laplace (whole numbers) or gaussian; models cp, tucker and "
          "tubal, with their plain solvers; tubal as in dai2026: the ADMM that fits the released cells "
          "exactly, 40 iterations by default. For unit user, entries-per-user M keeps at most M entries of "
          "each user.",
      .models = {},
      .protects = {{Unit::entry, Relation::replace},
                   {Unit::entry, Relation::add_remove},
                   {Unit::user, Relation::replace}},
      .settings = {takes_noise(kInputNoises, "the one with the least variance"),
                   for_users(takes(setting::entries_per_user, "all", {.least = 1})),
                   published_learning_rate()},
      .warm_start = true,
      .reads = {kAllFitOptions.begin(), kAllFitOptions.end()},
      .published_reads = {{FitOption::rank, FitOption::ridge, FitOption::iterations, FitOption::tolerance}},
      .sound = MeasuredCompletion{check_input, measure_input, estimate_input},
      .published = complete_by_published_input,
      .why_unproven =
          "the noise is scaled to the range of the data, which is private itself: a value that "
          "widens the range widens the noise on all others. tubal (dai2026): every slice is divided by its "
          "largest value, which is private itself, changes all others of the slice, and is released "
          "without noise when the division is undone; the sensitivity is not published, 2 is taken",
      .worst_cases = {
          {.data = lone_value(), .quick_trials = 300},
          {.data = value_among_others(),
           .model = ModelKind::tucker,
           .delta = kCraftedDelta,
           .trials = 1'000,
           .quick_trials = 150},
          {.data = CraftedCells{.shape = {10, 10, 10}, .released = true}},
          {.data = cell_or_none()},
          {.data = values_of_user(), .quick_trials = 300},
          {.data = value_among_others(), .calibration = Calibration::published},
          {.data = lone_value(), .model = ModelKind::tubal, .trials = 10'000, .quick_trials = 150},
          {.data = largest_of_slice(),
           .calibration = Calibration::published,
           .model = ModelKind::tubal,
           .trials = 2'000,
           .quick_trials = 300},
      }};
}

}  // namespace tulle
