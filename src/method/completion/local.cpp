// Local privacy: every user perturbs her values before sending them (wang2021, algorithm 2).
//
// Unit, relation:  entry or user, replace, against the server too. Public: shape, positions, range,
//                  options.
// Releases:        every entry that is sent, on its own: one coordinate changes by the largest change, the
//                  width (entry), or `most` of them (user), each released with epsilon / most.
// After that free: the fit.
// Cost:            O(entries) for the releases.
#include "crafted.hpp"
#include "estimate/fit_released.hpp"
#include "estimate/released_entries.hpp"
#include "methods.hpp"
#include "published/published_sgd.hpp"
#include "release/entry_noise.hpp"
#include "release/kept_entries.hpp"

#include <tulle/base/error.hpp>
#include <tulle/method/private_completion.hpp>

#include <cmath>

namespace tulle {
namespace {

// Each value is perturbed independently, so each user can do herself what the curator does here. (Gaussian
// noise of several numbers would be calibrated to all of them together.)
constexpr NoiseKind kLocalNoises[] = {NoiseKind::piecewise, NoiseKind::duchi, NoiseKind::staircase,
                                      NoiseKind::laplace};

// A user who sends s of her entries gives each epsilon / s. A few entries with little noise are better than
// all with much: s = epsilon / 2.5 (Wang et al. 2019, equation 11). An epsilon of 5, less the margin for
// rounding, is enough for two.
int entries_to_send(const PrivateRequest& request) {
  return std::max(1, static_cast<int>(std::min(request.terms.budget.epsilon / 2.5 + 1e-6, 1e6)));
}

// A unit changes its own messages and no others.
Measured measure_locally(const PrivateRequest& request, Curator& curator) {
  const KeptEntries kept = entries_that_count(request, entries_to_send(request));
  const Range& range = request.data.range();
  const AdditiveNoise noise = entry_noise(request, {curator.allowance().epsilon},
                                          {.bounds = {range.low, range.high},
                                           .most = request.data.largest_change(),
                                           .numbers = kept.entries.size(),
                                           .changing = kept.most},
                                          kLocalNoises);
  curator.plan({{.loss = loss_of(noise)}});
  Releases releases{release_kept(request, curator, noise, kept)};
  releases.front().chosen = {static_cast<double>(kept.most)};
  return releases;
}

void check_local(const FitOptions& fit, const Shape&, Relation) {
  check_released_fit(fit);
}

Completion estimate_locally(const Measurement& measured, const FitOptions& fit) {
  const SparseTensor cells = entries_worth_fitting(measured);
  const Release& sent = measured.find(kEntries, cells.size());
  Completion completion = fit_released(cells, fit);
  completion.remarks.insert(
      completion.remarks.begin(),
      fmt::format(
          "{} of {} entries were sent, at most {} by one {}, with {} noise of deviation {:.4g} at most.",
          cells.size(), measured.positions->size(), sent.chosen.empty() ? 0 : sent.chosen.front(),
          name(measured.unit), sent.noise, sent.deviation));
  return completion;
}

// ---- as published ----

// Line 4, with n the number of users: the paper does not say what n is.
double truth_probability(double epsilon, Index users) {
  return 1 / (1 + (users + 1.0) * std::exp(-epsilon));
}

// The values that the server receives (lines 1 to 12). Some users send theirs unchanged. The others add f(x),
// the Laplace density at x itself, which is not random: only the users' coins are drawn, so there is nothing
// for the curator to release. lambda is the scale that Laplace noise for the range would have.
SparseTensor received(const PrivateRequest& request, Curator& curator) {
  const int mode = request.terms.user_mode;
  const Index users = request.data.shape()[mode];
  const double epsilon = request.terms.budget.epsilon, lambda = request.data.largest_change() / epsilon;
  const auto sent = [&](SparseTensor cells, const std::vector<std::uint64_t>& truthful_users) {
    std::vector<bool> truthful(users);
    for (std::uint64_t user : truthful_users) truthful[user] = true;
    for (std::size_t entry = 0; entry < cells.size(); ++entry) {
      float& value = cells.values()[entry];
      if (!truthful[cells.column(mode)[entry]])
        value += static_cast<float>(std::exp(-std::abs(value) / lambda) / (2 * lambda));
    }
    return cells;
  };
  Batch coins = curator.sample(PoissonSampler(truth_probability(epsilon, users)), users);
  return released_without_noise(curator.map(request.data.observed(), std::move(coins), sent));
}

// The defaults of section IV.
Completion complete_locally_as_published(const PrivateRequest& request, Curator& curator) {
  if (request.fit.model != ModelKind::cp)
    fail_usage("wang2021 has no {} model; choose cp", name(request.fit.model));
  if (request.terms.unit != Unit::user)
    fail_usage("wang2021 protects users; choose unit user and the mode of the users");
  const PublishedSettings settings{
      .standard = {0, request.data.range().largest()},
      .loss = {.weight = 0.5, .ridge = request.fit.ridge.value_or(0.1), .core_ridge = 0},
      .rate = request.settings.get(setting::learning_rate).value_or(kPublishedRate),
      .passes = request.fit.max_iterations.value_or(200)};
  return {.model = published_fit(received(request, curator), layout_of(request), settings, request.fit.seed),
          .solver = "sgd"};
}

CraftedTensor value_of_lone_user() {
  CraftedTensor crafted = lone_value();
  crafted.canary = "the value of the only user";
  crafted.neighbours.unit = Unit::user;
  return crafted;
}

}  // namespace

Method local_method() {
  return {
      .name = "local",
      .title = "everyone perturbs before sending; the server is not trusted",
      .source = "wang2021, algorithm 2",
      .guarantee =
          "epsilon-locally private: for one entry, or for all entries of a user; which cells are observed is "
          "public",
      .details =
          "Noise piecewise, duchi, staircase or laplace, by default the one with the least variance. A user "
          "sends at most entries-per-user of her entries, by default epsilon / 2.5, with her epsilon shared "
          "among them. Models cp and tucker are fitted to the received values as in one-shot.",
      .models = {ModelKind::cp, ModelKind::tucker},
      .protects = {{Unit::entry, Relation::replace}, {Unit::user, Relation::replace}},
      .settings = {in_sound_form(takes_noise(kLocalNoises, "the one with the least variance")),
                   in_sound_form(for_users(takes(setting::entries_per_user, "epsilon / 2.5", {.least = 1}))),
                   published_learning_rate()},
      .reads = {kReleasedFitOptions.begin(), kReleasedFitOptions.end()},
      .published_reads = {{FitOption::rank, FitOption::ridge, FitOption::iterations}},
      .sound = MeasuredCompletion{check_local, measure_locally, estimate_locally},
      .published = complete_locally_as_published,
      .why_unproven =
          "some users send their values as they are, and the others add a function of the value that is not "
          "random",
      .in_blocks = true,
      .pairs = {.weight = 0.2},
      .worst_cases = {
          {.data = lone_value(), .trials = 20'000},
          {.data = values_of_user(), .trials = 1'000, .quick_trials = 100},
          {.data = value_of_lone_user(), .calibration = Calibration::published},
      }};
}

}  // namespace tulle
