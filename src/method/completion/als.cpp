// Private offsets, then low-rank interactions by noise-aware least squares (Tulle). The releases and the
// proofs: als_entries.cpp and als_sweeps.cpp (entry, replace), als_users.cpp and user_sums.cpp (user,
// add-remove, joint privacy), moment_users.cpp (the same for few positions).
#include "als.hpp"

#include "als_forms.hpp"
#include "completion/user/moment_users.hpp"
#include "crafted.hpp"
#include "methods.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>
#include <functional>

namespace tulle {
namespace {

constexpr NoiseKind kAlsNoises[] = {NoiseKind::laplace, NoiseKind::gaussian};
constexpr int kMostModesOfTucker = 3;
constexpr int kMostComponentsOfTucker = 8;  // for every pair of modes, and of sweeps

Model as_tucker(const Model& model) {
  return tucker_of(std::get<Cp>(model));
}

bool has_one_rank(const FitOptions& fit) {
  return std::ranges::adjacent_find(fit.ranks, std::ranges::not_equal_to()) == fit.ranks.end();
}

void check_als(const FitOptions& fit, const Shape& shape, Relation) {
  if (!has_one_rank(fit))
    fail_usage(
        "method als has one rank for all modes; give one[ (@rank)], or take one-shot (entries) or gradient "
        "(users)");
  if (!als_has_model(fit, shape))
    fail_usage(
        "method als has tucker models of {} modes at most, and this tensor has {}; take cp or one-shot",
        kMostModesOfTucker, shape.order());
}

Measured measure_als(const PrivateRequest& request, Curator& curator) {
  if (request.terms.unit != Unit::user) return measure_als_entries(request, curator);
  Measured measured = has_few_positions(request) ? measure_moment_users(request, curator)
                                                 : measure_als_users(request, curator);
  if (request.fit.model != ModelKind::cp)
    measured.with_user_rows = [rows = std::move(measured.with_user_rows)] { return rows().map(as_tucker); };
  return measured;
}

Completion estimate_als(const Measurement& measured, const FitOptions& fit) {
  Completion completion = measured.unit != Unit::user ? estimate_als_entries(measured, fit)
                          : is_of_moments(measured)   ? estimate_moment_users(measured, fit)
                                                      : estimate_als_users(measured, fit);
  if (fit.model != ModelKind::cp) completion.model = as_tucker(completion.model);
  return completion;
}

}  // namespace

std::optional<int> wanted_components(const FitOptions& fit) {
  if (fit.ranks.empty()) return {};
  const int rank = fit.ranks.front();
  return fit.model == ModelKind::tucker ? std::min(rank, kMostComponentsOfTucker) : rank;
}

bool offsets_alone(const std::optional<int>& released_for, const FitOptions& fit) {
  const std::optional<int> wanted = wanted_components(fit);
  if (wanted == 0 && released_for != 0) return true;
  const std::string rank = released_for ? fmt::format("{}", *released_for) : "auto";
  if (wanted && wanted != released_for)
    fail_usage(
        "als made these releases for rank {}; refit at that, or at 0 for offsets alone[ (@rank)], or fit the "
        "data again",
        rank);
  if (fit.model == ModelKind::tucker && released_for.value_or(0) > kMostComponentsOfTucker)
    fail_usage(
        "als made these releases for rank {}, and has tucker models of {} at most; refit cp[ (@model)]", rank,
        kMostComponentsOfTucker);
  return false;
}

void check_swept(const Measurement& measured, std::string_view id, const std::vector<std::size_t>& sizes) {
  const std::vector<const Release*> swept = measured.all(id);
  const auto is_of_its_mode = [&](const Release* release) {
    const double mode = release->chosen.empty() ? -1 : release->chosen.front();
    return mode >= 0 && mode < static_cast<double>(sizes.size()) &&
           release->values.size() == sizes[static_cast<std::size_t>(mode)];
  };
  if (swept.empty() || !std::ranges::all_of(swept, is_of_its_mode))
    fail("the releases lack '{}' of the components that they are said to be for; they cannot be refitted",
         id);
}

bool als_has_model(const FitOptions& fit, const Shape& shape) {
  return has_one_rank(fit) && (fit.model == ModelKind::cp || shape.order() <= kMostModesOfTucker);
}

Method als_method() {
  return {
      .name = "als",
      .title = "private offsets and low-rank interactions, by noise-aware least squares",
      .source = "Tulle",
      .guarantee =
          "epsilon-private, or (epsilon, delta)-private, for one entry under replace, where positions "
          "are public; (epsilon, delta) jointly private for one user under add-remove, where all "
          "but the shape is private and each user alone sees her own row",
      .details =
          "Entries: one release of weighted sums, from which offsets and the interactions that public "
          "positions hint at are estimated together, with noise and shares of the budget chosen on synthetic "
          "data at the same positions; then sweeps (setting steps) of alternating least squares with as many "
          "components as the rank. Users: where the other modes have few positions, means of these and, if "
          "the budget shows it, how "
          "users' values vary together; else sums and counts of every position, from which offsets and "
          "popularity are estimated, then sweeps. Sweeps are omitted if public facts show that "
          "they are not worth their noise. Model tucker, up to 3 modes: the same with a diagonal core.",
      .models = {ModelKind::cp, ModelKind::tucker},
      .protects = {{Unit::entry, Relation::replace},
                   {{Unit::user, Relation::add_remove},
                    {.needs_delta = true, .noises = {NoiseKind::gaussian}}}},
      .settings = {takes_noise(kAlsNoises, "the best on synthetic data at the same positions"),
                   takes(setting::steps, "as many as are worth their noise", {.least = 0})},
      .reads = {FitOption::rank},
      .sound = MeasuredCompletion{check_als, measure_als, estimate_als, true},
      .over_sites = OverSites::sums,
      .in_blocks = true,
      .pairs = {.weight_over_sites = 0.4, .planes = 0.06, .many_positions = 0.004},
      .worst_cases = {
          {.data = lone_value(), .delta = kCraftedDelta, .quick_trials = 300},
          {.data = value_among_others(), .trials = 3'000, .quick_trials = 300},
          {.data = CraftedCells{.shape = {10, 10, 10}}},
          {.data = one_rating_or_none(), .delta = kCraftedDelta, .trials = 20'000, .quick_trials = 300},
          {.data = user_or_none(), .delta = kCraftedDelta, .trials = 3'000, .quick_trials = 300},
          {.data = user_or_none(),
           .delta = kCraftedDelta,
           .settings = Settings().set(setting::steps, 2),
           .trials = 3'000,
           .quick_trials = 300},
          {.data = user_or_none(),
           .delta = kCraftedDelta,
           .sites = 3,
           .stated = {.colluding = 1},
           .slow = true},
          {.data = user_or_none(), .delta = kCraftedDelta, .sites = 2, .stated = {.colluding = 0}},
      }};
}

}  // namespace tulle
