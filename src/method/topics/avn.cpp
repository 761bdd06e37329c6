#include "crafted.hpp"
#include "entry_moments.hpp"
#include "methods.hpp"

#include <tulle/method/topics.hpp>

namespace tulle {
namespace {

// Noise whose density falls with the norm on the third moment; on the second Gaussian noise, or, without a
// delta, the same as on the third.
Releases measure_avn(const TopicRequest& request, Curator& curator) {
  const bool gaussian = request.budget.delta > 0;
  const MomentSensitivities changes = moment_sensitivities(request);
  const std::vector<double> planned = curator.plan(
      {{.loss = gaussian ? Loss::gaussian : Loss::pure, .share = 0.5}, {.loss = Loss::pure, .share = 0.5}});
  return release_entries(request, curator,
                         {gaussian ? AdditiveNoise::gaussian(changes.low, planned[0], changes.low_numbers)
                                   : AdditiveNoise::gamma_norm(changes.low, planned[0], changes.low_numbers),
                          AdditiveNoise::gamma_norm(changes.third, planned[1], changes.third_numbers)});
}

TopicOutcome run_avn_as_published(const TopicRequest& request, Curator& curator) {
  need_delta(request, "avn as published");
  const MomentSensitivities changes = moment_sensitivities(request);
  const double half = request.budget.epsilon / 2;
  return topics_as_published(
      request, curator,
      {AdditiveNoise::gaussian(changes.low, classical_multiplier(half, request.budget.delta),
                               changes.low_numbers),
       AdditiveNoise::gamma_norm(changes.third, half, changes.third_numbers)});
}

}  // namespace

Method avn_topics() {
  return {
      .job = Job::topics,
      .name = "avn",
      .title = "noise by norm on the third moment, Gaussian noise on the second",
      .source = "imtiaz2017",
      .guarantee = "(epsilon, delta)-private for one document under replace; pure without a delta",
      .details =
          "Algorithm 1 of the paper with vector noise. Sound: the moments are made symmetric first; without "
          "delta the second moment has vector noise too. Up to 292 words; also for mixtures.",
      .protects = {{Unit::document, Relation::replace}},
      .sound = MeasuredTopics{measure_avn, topics_of_entries},
      .published = run_avn_as_published,
      .why_unproven =
          "moments of words in their order are not symmetric, but the noise is: the difference of two orders "
          "of the same words leaves without noise",
      .worst_cases = {
          {.data = one_of_two_words()},
          {.data = other_order(), .trials = 5'000, .note = kSameWords},
          {.data = other_order(), .calibration = Calibration::published, .delta = 0.01, .trials = 5'000},
          {.data = other_sign()},
      }};
}

}  // namespace tulle
