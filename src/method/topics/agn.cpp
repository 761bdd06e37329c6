#include "crafted.hpp"
#include "entry_moments.hpp"
#include "methods.hpp"

#include <tulle/method/topics.hpp>

namespace tulle {
namespace {

// Each of the two releases gets half of mu^2.
Releases measure_agn(const TopicRequest& request, Curator& curator) {
  const MomentSensitivities changes = moment_sensitivities(request);
  const std::vector<double> multipliers = curator.plan({{.share = 0.5}, {.share = 0.5}});
  return release_entries(request, curator,
                         {AdditiveNoise::gaussian(changes.low, multipliers[0], changes.low_numbers),
                          AdditiveNoise::gaussian(changes.third, multipliers[1], changes.third_numbers)});
}

// Section 4: epsilon and delta are divided equally.
TopicOutcome run_agn_as_published(const TopicRequest& request, Curator& curator) {
  need_delta(request, "agn");
  const MomentSensitivities changes = moment_sensitivities(request);
  const double multiplier = classical_multiplier(request.budget.epsilon / 2, request.budget.delta / 2);
  return topics_as_published(request, curator,
                             {AdditiveNoise::gaussian(changes.low, multiplier, changes.low_numbers),
                              AdditiveNoise::gaussian(changes.third, multiplier, changes.third_numbers)});
}

}  // namespace

Method agn_topics() {
  return {
      .job = Job::topics,
      .name = "agn",
      .title = "Gaussian noise on the entries of the second and third moment",
      .source = "imtiaz2017",
      .guarantee = "(epsilon, delta)-private for one document under replace",
      .details =
          "Algorithm 1 of the paper. Sound: the moments are made symmetric before symmetric noise is added, "
          "and both releases are accounted exactly. Up to 292 words; also for mixtures.",
      .protects = {{Unit::document, Relation::replace}},
      .needs_delta = true,
      .sound = MeasuredTopics{measure_agn, topics_of_entries},
      .published = run_agn_as_published,
      .why_unproven =
          "moments of words in their order are not symmetric, but the noise is: the difference of two orders "
          "of the same words leaves without noise; and the classical Gaussian bound is used for epsilon "
          "above 1",
      .over_sites = OverSites::sums,
      .worst_cases = {
          {.data = other_word(), .delta = kCraftedDelta},
          {.data = long_document(), .delta = kCraftedDelta},
          {.data = one_per_site(), .delta = kCraftedDelta, .sites = 3, .stated = {.colluding = 1}},
          {.data = other_order(), .delta = kCraftedDelta, .trials = 5'000, .note = kSameWords},
          {.data = other_order(), .calibration = Calibration::published, .delta = 0.01, .trials = 5'000},
          {.data = other_sign(), .delta = kCraftedDelta},
      }};
}

}  // namespace tulle
