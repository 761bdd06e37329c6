// Multinomial logistic regression on standardised values, and on random units of them if the data are many
// enough, by full-batch gradient steps with noise (Tulle).
//
// Unit, relation:  example, add-remove or replace. Public: number of features, classes, range, options; the
//                  number of examples too under replace.
// Releases:        1. numbers of examples per class, sums of features and of their squares
//                  (standardization.hpp).
//                  2. per step the sum of gradients clipped to C over a Poisson sample, of rate 1 unless
//                  another is given: an example adds C at most in L2. One plan for all; at rate 1 Gaussian
//                  differential privacy is exact.
// After that free: standardising, random units, a start at the shares of the classes, how far steps go, and
//                  the mean of the second half of them.
// Cost:            O(examples x units x (features + steps x classes)).
// Audit:           exact: src/audit/classification/classification_pairs.cpp.
//
// Standardised features x have variance 1, or less where noise hides it, so that the squared norm of an
// example is about their number d. At equal probabilities the Hessian of the mean loss over K classes is h
// cov(x) with h = 1/K. If features are uncorrelated, steps whose lengths add up to t leave 1 - exp(-h t) of
// the solution and an error of standard deviation s min(t, 1/h), where s is that of the mean gradient: s^2 =
// (C / (mu N))^2 for the noise of all steps together, and v h / N because the examples are a sample, v being
// the relative variance of a label under the prior. Against a prior of standard deviation w on every
// parameter, the ratio k = h w / s says how much can be learned: of the solution k^2 / (1 + k^2) should be
// kept where k is small, so t = k^2 / h. If k is large, separable classes have probabilities near 0 and 1 and
// a far smaller Hessian, and t = k / h keeps the error of a score constant. In between, t = k^2 / (1 + k) /
// h.
#include "logistic.hpp"
#include "methods.hpp"
#include "network_steps.hpp"
#include "random_units.hpp"
#include "standardization.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

// Chosen on synthetic tables from a wide prior (docs/methods/classify/logistic.md).
constexpr int kLogisticSteps = 100;
constexpr double kShareOfSums = 0.2;   // of mu^2
constexpr double kClipOfValues = 0.5;  // in norms of a typical example
constexpr double kScoreDeviation = 2;  // of scores under the prior
// The mean of p (1 - p) relative to its value at p = 1/2, where p is the logistic function of a difference of
// two such scores, N(0, 2 w^2 d): a probit approximation gives 1 / sqrt(1 + pi w^2 d / 4).
constexpr double kVarianceLeft = 0.5;
constexpr int kUnitsOfValues = 500;
constexpr double kEnoughForUnitsOfValues = 500;  // mu N
constexpr double kLongestNewtonStep = 2;         // in steps of Newton's method on uncorrelated features

// The defaults of settings that neither the budget nor the user determines.
StepSettings logistic_steps() {
  return {.steps = kLogisticSteps, .sampler = PoissonSampler(1), .clip = kClipOfValues, .prior = false};
}

class LogisticRun {
 public:
  LogisticRun(const ClassificationRequest& request, Curator& curator)
      : request_(request), curator_(curator), settings_(with_given(logistic_steps(), request.settings)) {}

  ClassificationOutcome run() {
    const double mu = 1 / curator_.offer({{.share = 1}}).front();
    const std::vector<double> noise = curator_.plan({{.share = kShareOfSums},
                                                     {.share = (1 - kShareOfSums) / settings_.steps,
                                                      .count = static_cast<std::uint64_t>(settings_.steps),
                                                      .sampling = settings_.sampler.sampling()}});
    const Standardization standard = release_standardization(request_, curator_, noise[0]);
    const std::optional<ValuesAndUnits> units = units_for(mu * standard.examples);
    const Eigen::Index inputs = request_.inputs + (units ? units->units.means.size() : 0);
    const NetworkLayout layout({inputs, standard.shares.size()});
    const auto gradients = request_.data.map([&](const LabelledExamples& all) {
      const FloatMatrix x = standard.of(request_.frame.prepared(all.values));
      return device_or_cpu(request_.options.device)
          .clipped_examples(units ? units->of(x) : x, all.labels, layout);
    });
    choose_steps(noise[1], standard.examples);
    NetworkSteps steps(request_, curator_, settings_, noise[1], standard.examples);
    NetworkLayer last = layout.layers_of(mean_of_steps(steps, gradients, layout, standard.shares)).front();
    Network model = request_.frame;
    model.layers = units ? joined(*units, last) : std::vector{std::move(last)};
    use_on_prepared(model.layers.front(), standard);
    return {.model = std::move(model),
            .solver = units ? "random units" : "linear",
            .remarks = steps.remarks(),
            .history = steps.history(),
            .noise_multiplier = noise[1]};
  }

 private:
  // `signal`: mu N.
  std::optional<ValuesAndUnits> units_for(double signal) const {
    const int units =
        units_asked(request_.options).value_or(signal >= kEnoughForUnitsOfValues ? kUnitsOfValues : 0);
    if (units == 0) return std::nullopt;
    return ValuesAndUnits{random_units(FloatVector::Zero(request_.inputs), units, request_.options.seed)};
  }

  // Clip and learning rate, unless they were given.
  void choose_steps(double noise, double examples) {
    const auto features = static_cast<double>(request_.inputs);
    const auto classes = static_cast<double>(request_.frame.classes.size());
    if (!request_.settings.get(setting::clip)) settings_.clip = kClipOfValues * std::sqrt(features + 1);
    if (settings_.learning_rate) return;
    const ClippedSteps clipped(settings_.sampler, noise, settings_.clip_quantile, Unit::example,
                               request_.relation);
    const double of_noise = clipped.noise(settings_.clip, 1).deviation() /
                            (std::sqrt(settings_.steps) * clipped.rate() * examples);
    const double s = std::sqrt(of_noise * of_noise + kVarianceLeft / (classes * examples));
    const double k = kScoreDeviation / (classes * std::sqrt(features) * s);
    settings_.learning_rate = classes * std::min(k * k / (1 + k) / settings_.steps, kLongestNewtonStep);
  }

  // The mean of the steps, which start at scores that give each class its share.
  std::vector<double> mean_of_steps(NetworkSteps& steps,
                                    const Protected<std::unique_ptr<ClippedExamples>>& gradients,
                                    const NetworkLayout& layout, const Vector& shares) const {
    std::vector<double> start(layout.size());
    for (Eigen::Index j = 0; j < shares.size(); ++j)
      start[start.size() - static_cast<std::size_t>(shares.size() - j)] = std::log(shares[j]);
    Vector sum = Vector::Zero(static_cast<Eigen::Index>(start.size()));
    int count = 0;
    const auto after = [&](int step, const std::vector<double>& parameters, double) {
      if (2 * step <= settings_.steps) return;
      sum += Vector::Map(parameters.data(), sum.size());
      ++count;
    };
    std::vector<double> last = steps.run(gradients, layout, std::move(start), after);
    if (count == 0) return last;  // stopped before
    sum /= count;
    return {sum.begin(), sum.end()};
  }

  // Turns a layer for standardised values into one for values in [0, 1].
  static void use_on_prepared(NetworkLayer& layer, const Standardization& standard) {
    layer.weights = standard.scale.transpose().asDiagonal() * layer.weights;
    layer.bias -= standard.centre * layer.weights;
  }

  const ClassificationRequest& request_;
  Curator& curator_;
  StepSettings settings_;
};

ClassificationOutcome classify_with_logistic(const ClassificationRequest& request, Curator& curator) {
  check_random_units(request, "logistic");
  return classify_logistically(request, curator);
}

}  // namespace

ClassificationOutcome classify_logistically(const ClassificationRequest& request, Curator& curator) {
  return LogisticRun(request, curator).run();
}

Method logistic_classifier() {
  std::vector<MethodSetting> settings = step_settings(logistic_steps());
  for (MethodSetting& each : settings)
    if (each.name == setting::learning_rate.name || each.name == setting::clip.name)
      each.otherwise = "follows from the budget and the numbers of examples, features and classes";
  return {
      .job = Job::classification,
      .name = "logistic",
      .title =
          "multinomial logistic regression on standardised values, by full-batch steps with exact accounting",
      .source = "Tulle",
      .guarantee = "(epsilon, delta)-private for an example",
      .details =
          "The numbers of examples of all classes and the mean and spread of every feature are released "
          "first. Noisy gradient steps over all examples follow, whose length follows from the noise. If "
          "there are enough examples for the budget, or a hidden layer is given, the classifier is linear "
          "in random units of the values too.",
      .protects = example_neighbours(),
      .settings = std::move(settings),
      .needs_delta = true,
      .sound = classify_with_logistic,
      .no_refit = "each release is a gradient at the network that earlier ones made",
      .pairs = {.weight = 0.5, .random_units = true},
      .worst_cases = worst_of_steps()};
}

}  // namespace tulle
