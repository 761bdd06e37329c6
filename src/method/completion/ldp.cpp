// Locally private Poisson factorization (ermis2020, 4.1.4: LDP1 and LDP2; Schein et al. 2019).
//
// Unit, relation:  entry or user, replace, against the server and all other sites. Public: shape, positions
//                  (over sites: by users' numbers, without their names), range (whole numbers from 0),
//                  options.
// Releases:        every entry that is sent, on its own: a count that changes by the width of the range
//                  (entry), or `most` of them (user), each with epsilon / most; two-sided geometric noise of
//                  parameter alpha = exp(-epsilon / width). A unit's data are at one site, whose noise is all
//                  its own: what that site sends costs the whole, and what others send nothing.
// Handed out:      over sites, the released counts with their cells and alpha (release/site_counts.hpp).
// After that free: the mean of the posterior given the noisy counts of all sites, by samples
//                  (estimate/noisy_counts.hpp) or by variational Bayes (estimate/variational_counts.hpp): the
//                  shared model, of both methods.
// Not released:    LDP2's own model of a site: the same given the site's own counts without noise and
//                  the noisy counts of the others. It is the site's, and nothing is computed from it for
//                  anybody else.
// Cost:            O(entries of all sites x rank) per sweep, at every site; by variational Bayes
//                  O(entries x (rank + root of the count)).
// Audit:           exact and statistical, with the other methods of completion; over sites: src/audit/sites.
#include "crafted.hpp"
#include "estimate/count_priors.hpp"
#include "estimate/noisy_counts.hpp"
#include "estimate/variational_counts.hpp"
#include "methods.hpp"
#include "model_request.hpp"
#include "release/kept_entries.hpp"
#include "release/site_counts.hpp"

#include <tulle/base/error.hpp>
#include <tulle/method/private_completion.hpp>

#include <cmath>
#include <numeric>
#include <utility>

namespace tulle {
namespace {

constexpr int kBurnIn = 100, kCountSamples = 100;
constexpr int kMostSweeps = 200;     // of variational Bayes
constexpr double kLeastGain = 1e-7;  // of its bound, relative, in a sweep
constexpr double kLargestSummed = 1e8;
constexpr double kLargestCount = 0x1p53;
constexpr double kLeastMean = 0.1;  // of a cell, as a prior expects it

CountPosterior posterior_of(const PrivateRequest& request) {
  const bool sampled =
      request.terms.calibration == Calibration::published || request.data.range().high > kLargestSummed;
  return request.settings.get(setting::posterior)
      .value_or(sampled ? CountPosterior::gibbs : CountPosterior::vb);
}

void check_counts(const PrivateRequest& request) {
  const Range& range = request.data.range();
  if (range.low < 0 || range.low != std::floor(range.low) || range.high != std::floor(range.high))
    fail_usage(
        "methods ldp1 and ldp2 are for counts; give a range of whole numbers from 0 or above, not {}:{}",
        range.low, range.high);
  if (range.high > kLargestCount)
    fail_usage("range {:g}:{:g}: methods ldp1 and ldp2 take counts up to 2^53; divide them and the range",
               range.low, range.high);
  if (posterior_of(request) == CountPosterior::vb && range.high > kLargestSummed)
    fail_usage("range {:g}:{:g}: posterior vb adds up probabilities of counts, up to 1e8; take gibbs",
               range.low, range.high);
}

// 2 alpha / (1 - alpha)^2 = variance, in a form that cancels nothing where the variance is small.
double alpha_of(double variance) {
  return variance / (variance + 1 + std::sqrt(2 * variance + 1));
}

// Priors of factors under which the expected value of a cell is the middle of its range.
CountPrior prior_for(const PrivateRequest& request, const ModelLayout& layout) {
  const double middle = std::max(request.data.range().middle(), kLeastMean);
  return {1, std::pow(static_cast<double>(layout.columns(0)) / middle, 1.0 / layout.order())};
}

// The counts of its own to which a site fits its own model.
enum class OwnCounts { released, exact };

std::vector<double> mean_of_samples(const JoinedCounts& counts, const ModelLayout& layout,
                                    const PrivateRequest& request) {
  NoisyCounts chain(counts.counts, counts.alphas, layout, prior_for(request, layout), request.fit.seed);
  std::vector<double> mean(layout.size());
  for (int sweep = 0; sweep < kBurnIn + kCountSamples; ++sweep) {
    chain.sweep();
    if (sweep < kBurnIn) continue;
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += chain.parameters()[i] / kCountSamples;
  }
  return mean;
}

std::vector<double> variational_mean(const JoinedCounts& counts, const ModelLayout& layout,
                                     const PrivateRequest& request) {
  const Range& range = request.data.range();
  VariationalCounts posterior(
      counts.counts, counts.alphas, layout,
      priors_by_moments(counts.counts, counts.alphas, layout, std::max(range.low, kLeastMean), range.high),
      request.fit.seed);
  double bound = posterior.sweep();
  for (int sweep = 1; sweep < kMostSweeps; ++sweep) {
    const double before = std::exchange(bound, posterior.sweep());
    if (bound - before < kLeastGain * std::abs(bound)) break;
  }
  return posterior.means();
}

std::vector<double> posterior_mean(const JoinedCounts& counts, const ModelLayout& layout,
                                   const PrivateRequest& request) {
  return posterior_of(request) == CountPosterior::gibbs ? mean_of_samples(counts, layout, request)
                                                        : variational_mean(counts, layout, request);
}

// A model with some users' rows of the wide one: those from `first` on, at the given places; all other rows
// are 0.
Model with_users(const ModelLayout& layout, const ModelLayout& wide, const std::vector<double>& numbers,
                 int user_mode, std::size_t first, const std::vector<Index>& places) {
  std::vector<double> own(layout.size());
  for (int mode = 0; mode < layout.order(); ++mode)
    if (mode != user_mode)
      std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(wide.start(mode)), layout.factor_size(mode),
                  own.begin() + static_cast<std::ptrdiff_t>(layout.start(mode)));
  for (std::size_t user = 0; user < places.size(); ++user)
    std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(wide.row(user_mode, first + user)),
                layout.columns(user_mode),
                own.begin() + static_cast<std::ptrdiff_t>(layout.row(user_mode, places[user])));
  return to_model(layout, own, 0, 1);
}

// LDP2: the site's exact counts replace the noisy ones that it sent.
Model fitted_to_own(const SparseTensor& observed, std::vector<SiteCounts> sites, int site,
                    const ModelLayout& layout, const PrivateRequest& request) {
  const int mode = request.terms.user_mode;
  sites.erase(sites.begin() + site);
  sites.insert(sites.begin(), {observed, 0});
  const JoinedCounts joined = join_counts(sites, mode);
  const ModelLayout wide = layout.with(mode, joined.counts.shape()[mode]);
  std::vector<Index> all(layout.shape()[mode]);
  std::iota(all.begin(), all.end(), Index{0});
  return with_users(layout, wide, posterior_mean(joined, wide, request), mode, 0, all);
}

// The shared model has no users' rows; the site's own model has those of its users.
Completion sampled_over_sites(const PrivateRequest& request, const Curator& curator,
                              const ModelLayout& layout, const SparseTensor& released, double alpha,
                              OwnCounts own_counts) {
  const int mode = request.terms.user_mode;
  const NumberedUsers own = number_users(released, mode);
  const std::vector<SiteCounts> sites = exchange_counts({own.counts, alpha}, mode, curator);
  const JoinedCounts joined = join_counts(sites, mode);
  const ModelLayout wide = layout.with(mode, joined.counts.shape()[mode]);
  const std::vector<double> mean = posterior_mean(joined, wide, request);
  Completion completion{.model = with_users(layout.with(mode, 1), wide, mean, mode, 0, {}),
                        .solver = std::string(name(posterior_of(request)))};
  if (own_counts == OwnCounts::exact)
    completion.with_user_rows = request.data.observed().map([&](const SparseTensor& observed) {
      return fitted_to_own(observed, sites, curator.site(), layout, request);
    });
  else
    completion.with_user_rows = Protected<Model>(with_users(
        layout, wide, mean, mode, joined.first_users[static_cast<std::size_t>(curator.site())], own.users));
  return completion;
}

Completion sampled_from(const PrivateRequest& request, Curator& curator, const AdditiveNoise& noise,
                        const KeptEntries& kept, OwnCounts own_counts) {
  const ModelLayout layout = layout_of(request);
  const SparseTensor released = release_entries(request, curator, noise, kept, true);
  const double alpha = alpha_of(noise.deviation() * noise.deviation());
  Completion completion =
      curator.at_site()
          ? sampled_over_sites(request, curator, layout, released, alpha, own_counts)
          : Completion{
                .model = to_model(layout,
                                  posterior_mean(join_counts({{released, alpha}}, 0), layout, request), 0, 1),
                .solver = std::string(name(posterior_of(request)))};
  completion.remarks.push_back(fmt::format(
      "{} counts were sent{}, at most {} by one {}, with two-sided geometric noise of parameter "
      "{:.6g}; {}.",
      kept.entries.size(), curator.at_site() ? " by this site" : "", kept.most, name(request.terms.unit),
      alpha,
      posterior_of(request) == CountPosterior::gibbs ? fmt::format("mean of {} samples", kCountSamples)
                                                     : "mean of variational Bayes"));
  return completion;
}

template <OwnCounts Own>
Completion complete_noisy_counts(const PrivateRequest& request, Curator& curator) {
  check_counts(request);
  const KeptEntries kept = entries_that_count(request);
  const auto sensitivity = Sensitivity::coordinates(request.data.largest_change(), kept.most,
                                                    request.terms.unit, request.relation);
  const auto noise =
      AdditiveNoise::discrete_laplace(sensitivity, curator.allowance().epsilon, kept.entries.size());
  curator.plan({{.loss = loss_of(noise)}});
  return sampled_from(request, curator, noise, kept, Own);
}

// As printed in (4.15), the noise has probability (1 - epsilon) / (1 + epsilon) epsilon^|tau|, with epsilon
// in place of alpha = exp(-epsilon). A count that changes by 1 then costs ln(1 / epsilon), which grows as
// epsilon falls.
template <OwnCounts Own>
Completion complete_noisy_counts_as_published(const PrivateRequest& request, Curator& curator) {
  check_counts(request);
  const double epsilon = request.terms.budget.epsilon, change = request.data.largest_change();
  if (epsilon >= 1)
    fail_usage(
        "epsilon {}: not runnable as printed, since noise of probability (1 - epsilon) / (1 + epsilon) "
        "epsilon^|k| has no distribution from epsilon 1 on; give less, or run the sound form",
        epsilon);
  if (request.settings.get(setting::posterior))
    fail_usage("as published the posterior is sampled; omit the posterior");
  const KeptEntries kept = entries_that_count(request);
  const auto noise = AdditiveNoise::discrete_laplace(
      Sensitivity::one_coordinate(change, request.terms.unit, request.relation),
      change * std::log(1 / epsilon), kept.entries.size());
  return sampled_from(request, curator, noise, kept, Own);
}

constexpr const char* kWhyUnproven =
    "the parameter of the noise is epsilon where it must be exp(-epsilon / range): a count that changes by 1 "
    "costs ln(1 / epsilon), more for a smaller epsilon; and the claim is for one entry: with unit user the "
    "losses of a user's entries are not added up";

CraftedTensor last_count_of_user() {
  return {.canary = "a value", .data = cells_of({2, 3, 1}, [](auto cell, double secret) {
                                 return cell[0] == 1 ? kNoCell : cell[1] == 2 && secret >= 0.5 ? 1 : 0;
                               })};
}

// `weight`: of its random pairs.
Method counts_method(double weight) {
  return {.models = {ModelKind::cp},
          .protects = {{Unit::entry, Relation::replace}, {Unit::user, Relation::replace}},
          .settings = {for_users(takes(setting::entries_per_user, "all", {.least = 1})),
                       takes(setting::posterior, "vb; published form, and counts above 1e8: gibbs")},
          .reads = {FitOption::rank},
          .why_unproven = kWhyUnproven,
          .no_refit = "its posterior is that of the counts of all sites, which no site's file has",
          .over_sites = OverSites::entries,
          .published_over_sites = OverSites::entries,
          .pairs = {.weight = weight, .weight_over_sites = 0.03, .counts = true},
          // As published there is noise only for an epsilon below 1, and a bound that is clear at 0.1.
          .worst_cases = {
              {.data = lone_value(), .trials = 2'000, .quick_trials = 150},
              {.data = values_of_user(), .trials = 2'000, .quick_trials = 150},
              {.data = lone_value(),
               .calibration = Calibration::published,
               .trials = 2'000,
               .quick_trials = 400,
               .most_epsilon = 0.1},
              {.data = last_count_of_user(), .sites = 2, .stated = {.colluding = 1}, .slow = true},
          }};
}

}  // namespace

Method ldp1_method() {
  Method method = counts_method(0.2);
  method.name = "ldp1";
  method.title = "counts with two-sided geometric noise, and samples of the posterior given them";
  method.source = "ermis2020, 4.1.4";
  method.guarantee =
      "epsilon-locally private: for one entry, or for all entries of a user; which cells are observed is "
      "public";
  method.details =
      "Model cp, of counts. Every site, or user, sends counts with two-sided geometric noise; the model is "
      "the mean of a posterior to which the true counts are unknown (Schein et al. 2019): by variational "
      "Bayes, with priors from the moments of the sent counts, or by Gibbs sampling. Over sites, every site "
      "gets the noisy counts of all sites. Published: Gibbs sampling; the noise has epsilon in place of "
      "exp(-epsilon), and no distribution from epsilon 1 on.";
  method.sound = complete_noisy_counts<OwnCounts::released>;
  method.published = complete_noisy_counts_as_published<OwnCounts::released>;
  return method;
}

Method ldp2_method() {
  Method method = counts_method(0.1);  // in one place it equals ldp1
  method.name = "ldp2";
  method.title = "ldp1 over sites, each of which also fits its own model to its counts without noise";
  method.source = "ermis2020, 4.1.4";
  method.guarantee =
      "what a site sends is epsilon-locally private: for one entry, or for all entries of a user; which "
      "cells are observed is public";
  method.details =
      "Model cp, of counts. Sites send what they send with ldp1, and the shared model is the same. Every "
      "site also has its own model, fitted to its own counts without noise and the noisy ones of the other "
      "sites: it stays at the site, and no guarantee covers it. In one place it is ldp1. Published: as ldp1.";
  method.sound = complete_noisy_counts<OwnCounts::exact>;
  method.published = complete_noisy_counts_as_published<OwnCounts::exact>;
  return method;
}

}  // namespace tulle
