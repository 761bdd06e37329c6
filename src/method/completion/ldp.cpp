// Locally private Poisson factorization (ermis2020, 4.1.4: LDP1; Schein et al. 2019).
//
// Unit, relation:  entry or user, replace, against the server and all other sites. Public: shape, positions,
//                  range (whole numbers from 0), options.
// Releases:        every entry that is sent, on its own: a count that changes by the width of the range
//                  (entry), or `most` of them (user), each with epsilon / most; two-sided geometric noise of
//                  parameter alpha = exp(-epsilon / width).
// After that free: samples of the posterior given the noisy counts (estimate/noisy_counts.hpp).
// Cost:            O(entries x (rank + deviation of the noise)) per sweep.
// Audit:           exact and statistical, with the other methods of completion.
#include "completion/ldp.hpp"

#include "estimate/noisy_counts.hpp"
#include "model_request.hpp"
#include "release/kept_entries.hpp"

#include <tulle/base/error.hpp>

#include <cmath>

namespace tulle {
namespace {

constexpr int kBurnIn = 100, kCountSamples = 100;

void check_counts(const PrivateRequest& request) {
  const Range& range = request.data.range();
  if (range.low < 0 || range.low != std::floor(range.low) || range.high != std::floor(range.high))
    fail_usage("method ldp1 is for counts; give a range of whole numbers from 0 or above, not {}:{}",
               range.low, range.high);
}

// 2 alpha / (1 - alpha)^2 = variance, in a form that cancels nothing where the variance is small.
double alpha_of(double variance) {
  return variance / (variance + 1 + std::sqrt(2 * variance + 1));
}

// Numbers of a factor have such a prior that a cell is expected in the middle of its range.
CountPrior prior_for(const PrivateRequest& request, const ModelLayout& layout) {
  const double middle = std::max(request.data.range().middle(), 0.1);
  return {1, std::pow(static_cast<double>(layout.columns(0)) / middle, 1.0 / layout.order())};
}

Completion sampled_from(const PrivateRequest& request, Curator& curator, const AdditiveNoise& noise,
                        const KeptEntries& kept) {
  const ModelLayout layout = layout_of(request, "ldp1");
  const SparseTensor released = release_entries(request, curator, noise, kept, true);
  const double alpha = alpha_of(noise.deviation() * noise.deviation());
  NoisyCounts chain(released, alpha, layout, prior_for(request, layout), request.fit.seed);
  std::vector<double> mean(layout.size());
  for (int sweep = 0; sweep < kBurnIn + kCountSamples; ++sweep) {
    chain.sweep();
    if (sweep < kBurnIn) continue;
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += chain.parameters()[i] / kCountSamples;
  }
  return {.model = to_model(layout, mean, 0, 1),
          .solver = "gibbs",
          .remarks = {
              fmt::format("{} counts were sent, at most {} by one {}, with two-sided geometric noise of "
                          "parameter {:.6g}; mean of {} samples.",
                          kept.entries.size(), kept.most, name(request.terms.unit), alpha, kCountSamples)}};
}

Completion complete_noisy_counts(const PrivateRequest& request, Curator& curator) {
  check_counts(request);
  const KeptEntries kept = entries_that_count(request);
  const auto noise = AdditiveNoise::discrete_laplace(
      Sensitivity::coordinates(request.data.range().width(), kept.most, request.terms.unit, request.relation),
      curator.allowance().epsilon, kept.entries.size());
  curator.plan({{.loss = loss_of(noise)}});
  return sampled_from(request, curator, noise, kept);
}

// As printed, (4.15): the noise has probability (1 - epsilon) / (1 + epsilon) epsilon^|tau|, with epsilon in
// the place of alpha = exp(-epsilon). Per unit that a count changes, the loss is ln(1 / epsilon): the smaller
// epsilon, the larger.
Completion complete_noisy_counts_as_published(const PrivateRequest& request, Curator& curator) {
  check_counts(request);
  const double epsilon = request.terms.budget.epsilon, width = request.data.range().width();
  if (epsilon >= 1)
    fail_usage(
        "epsilon {}: not runnable as printed, since noise of probability (1 - epsilon) / (1 + epsilon) "
        "epsilon^|k| has no distribution from epsilon 1 on; give less, or run the sound form",
        epsilon);
  const KeptEntries kept = entries_that_count(request);
  const auto noise = AdditiveNoise::discrete_laplace(
      Sensitivity::one_coordinate(width, request.terms.unit, request.relation), width * std::log(1 / epsilon),
      kept.entries.size());
  return sampled_from(request, curator, noise, kept);
}

}  // namespace

Method ldp1_method() {
  return {
      .name = "ldp1",
      .title = "counts with two-sided geometric noise, and samples of the posterior given them",
      .source = "ermis2020, 4.1.4",
      .guarantee =
          "epsilon-locally private: for one entry, or for all entries of a user; which cells are observed is "
          "public",
      .details =
          "Model cp, of counts. Every site, or user, sends counts with two-sided geometric noise; Gibbs "
          "sampling "
          "treats the true counts as unknown (Schein et al. 2019). The model is the mean of the samples. "
          "Published: "
          "the noise has epsilon in the place of exp(-epsilon), and no distribution from epsilon 1 on.",
      .models = {ModelKind::cp},
      .protects = {{Unit::entry, Relation::replace}, {Unit::user, Relation::replace}},
      .settings = {takes(setting::entries_per_user, "all", {.least = 1})},
      .sound = complete_noisy_counts,
      .published = complete_noisy_counts_as_published,
      .why_unproven =
          "the parameter of the noise is epsilon where it must be exp(-epsilon / range): a count that "
          "changes by 1 "
          "costs ln(1 / epsilon), more for a smaller epsilon"};
}

}  // namespace tulle
