// Private offsets, then low-rank interactions by noise-aware least squares (Tulle). What is released, and
// the proofs: als_entries.cpp and als_sweeps.cpp (entry, replace), als_users.cpp and user_sums.cpp (user,
// add-remove, joint privacy).
#include "als.hpp"

#include "als_forms.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>

namespace tulle {
namespace {

constexpr NoiseKind kAlsNoises[] = {NoiseKind::laplace, NoiseKind::gaussian};
constexpr int kMostModesOfTucker = 3;
constexpr int kMostComponentsOfTucker = 8;  // for every pair of modes, and of sweeps

Model as_tucker(const Model& model) {
  return tucker_of(std::get<Cp>(model));
}

Completion complete_by_als(const PrivateRequest& request, Curator& curator) {
  if (!als_has_model(request))
    fail_usage(
        "method als has tucker models of {} modes at most, and this tensor has {}; take cp or one-shot",
        kMostModesOfTucker, request.data.shape().order());
  Completion completion =
      request.terms.unit == Unit::user ? als_for_users(request, curator) : als_for_entries(request, curator);
  if (request.fit.model == ModelKind::cp) return completion;
  completion.model = as_tucker(completion.model);
  if (completion.with_user_rows) completion.with_user_rows = completion.with_user_rows->map(as_tucker);
  return completion;
}

}  // namespace

std::optional<int> wanted_components(const PrivateRequest& request) {
  const std::vector<int>& ranks = request.fit.ranks;
  if (ranks.empty()) return {};
  const int least = *std::ranges::min_element(ranks);
  if (request.fit.model == ModelKind::tucker) return std::min(least, kMostComponentsOfTucker);
  return least;
}

bool als_has_model(const PrivateRequest& request) {
  return request.fit.model == ModelKind::cp || request.data.shape().order() <= kMostModesOfTucker;
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
          "components as the rank. Users: sums and counts of every position of the other modes, from which "
          "offsets and popularity are estimated, then sweeps. Sweeps are omitted if public facts show that "
          "they are not worth their noise. Model tucker, up to 3 modes: the same with a diagonal core.",
      .models = {ModelKind::cp, ModelKind::tucker},
      .protects = {{Unit::entry, Relation::replace}, {Unit::user, Relation::add_remove}},
      .settings = {takes_noise(kAlsNoises, "the best on synthetic data at the same positions"),
                   takes(setting::steps, "as many as are worth their noise", {.least = 0})},
      .sound = complete_by_als,
      .over_sites = OverSites::sums};
}

}  // namespace tulle
