// A linear classifier on public features of images, by full-batch gradient descent with noise; of other
// examples, method logistic (Tulle).
//
// Unit, relation:  example, add-remove or replace. Public: number of features, size of images, classes,
//                  range, options; the number of examples too under replace.
// Features:        histograms of oriented gradients (model/image_features.hpp): a vector x of norm <= 1.
// Releases:        1. the sum of x over the examples and, under add-remove, their number: an example adds a
//                  vector of norm sqrt(2) (or changes it by 2 under replace), and the steps of the grid.
//                  2. per step the sum of gradients clipped to C over a Poisson sample, of rate 1 unless
//                  another is given: an example adds C at most in L2. One plan for all; at rate 1 Gaussian
//                  differential privacy is exact.
// After that free: centring x by the released mean; random units of centred x where the data are many
//                  enough for them; steps, momentum, their length.
// Cost:            O(examples x units x (features + steps x classes)).
// Audit:           exact: src/audit/classification/classification_pairs.cpp.
//
// The total length of all steps is as large as the noise allows. Under add-remove the noise of each of T
// steps has the standard deviation sqrt(T) C / mu for a budget of mu-GDP; momentum 0.9 carries it ten times
// as far as the step that it came with, so all of it together displaces a parameter by 10 rate T C / (mu N),
// whatever T is (twice that under replace, and a little less for the steps that the schedule shortens). So
// rate T is a multiple of mu N.
#include "logistic.hpp"
#include "methods.hpp"
#include "network_steps.hpp"
#include "random_units.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/sum_grid.hpp>
#include <tulle/tensor/kernels/row_products.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

// Chosen by the accuracy on the training images 50001 to 60000 of MNIST after training on the first 50000,
// and on 287 of the 1437 training images of DIGITS after training on the others.
// Steps: as many as keep single ones short, for budgets of mu-GDP up to 1 in proportion to mu.
constexpr double kStepsPerMu = 250;
constexpr int kFewestSteps = 60, kMostSteps = 250;
constexpr double kLongestStep = 250;   // for inputs of norm 1
constexpr double kShareOfMean = 0.03;  // of mu^2
constexpr int kUnits = 2000;
constexpr double kEnoughForUnits = 5000;  // mu N
// rate T over mu N, for inputs of norm 1 and before momentum and schedule; and the clip over the norm of the
// inputs: of random units, and of the features themselves, which are for fewer data.
constexpr double kTravel = 1, kTravelOfFeatures = 0.7;
constexpr double kClipOfFeatures = 0.15;
// The clip of random units grows with the root of mu, within bounds: with less noise, less is cut off.
constexpr double kClipPerRootMu = 0.48, kLeastClip = 0.25, kMostClip = 0.4;

// The defaults of settings that neither the budget nor the user determines.
StepSettings best_steps() {
  return {.steps = kFewestSteps,
          .sampler = PoissonSampler(1),
          .learning_rate = 1,
          .clip = kLeastClip * kUnitNorm,
          .momentum = 0.9,
          .schedule = [](int step, int steps) { return std::min(1.0, 5 - 5.0 * step / steps); },
          .prior = false};
}

// The vectors x of all examples.
struct UnitVectors {
  FloatMatrix rows;
  std::vector<int> labels;
};

struct CountAndCentre {
  double examples;
  FloatVector centre;
};

// Sums of terms on a grid are exact; each coordinate is within a step of its real value.
CountAndCentre release_centre(const ClassificationRequest& request, Curator& curator,
                              const Protected<UnitVectors>& data, Eigen::Index features, double noise) {
  const bool counts = !request.examples;
  const SumGrid grid(1, static_cast<double>(kMostRows));
  const auto numbers = static_cast<std::size_t>(features) + (counts ? 1 : 0);
  const double length = counts ? std::sqrt(2.0) * (1 + 0x1p-40) : 2;
  const double rounding = 2 * grid.step() * std::sqrt(static_cast<double>(features));
  const auto query = [&](const UnitVectors& all) {
    std::vector<double> sums(numbers);
    for (Eigen::Index row = 0; row < all.rows.rows(); ++row)
      for (Eigen::Index j = 0; j < features; ++j)
        sums[static_cast<std::size_t>(j)] += grid.round(all.rows(row, j));
    if (counts) sums.back() = static_cast<double>(all.labels.size());
    return sums;
  };
  const Noisy sums = curator.release(
      data,
      AdditiveNoise::gaussian(Sensitivity::l2(length + rounding, Unit::example, request.relation), noise,
                              numbers),
      counts ? "sum of features, and number of examples" : "sum of features", query);
  const double examples = counts ? std::max(1.0, sums.values.back()) : static_cast<double>(*request.examples);
  CountAndCentre result{examples, FloatVector(features)};
  for (Eigen::Index j = 0; j < features; ++j)
    result.centre[j] = static_cast<float>(sums.values[static_cast<std::size_t>(j)] / examples);
  const float norm = result.centre.norm();  // noise alone may be longer than any mean of such vectors
  if (norm > 1) result.centre /= norm;
  return result;
}

class BestRun {
 public:
  BestRun(const ClassificationRequest& request, Curator& curator)
      : request_(request),
        curator_(curator),
        settings_(with_given(best_steps(), request.settings)),
        frame_(request.frame) {
    frame_.features = request.image;
    features_ = frame_.features.size();
  }

  ClassificationOutcome run() {
    mu_ = 1 / curator_.offer({{.share = 1}}).front();
    if (!request_.settings.get(setting::steps))
      settings_.steps =
          static_cast<int>(std::clamp(kStepsPerMu * mu_, double{kFewestSteps}, double{kMostSteps}));
    const auto steps = static_cast<std::uint64_t>(settings_.steps);
    const std::vector<double> noise = curator_.plan({{.share = kShareOfMean},
                                                     {.share = (1 - kShareOfMean) / settings_.steps,
                                                      .count = steps,
                                                      .sampling = settings_.sampler.sampling()}});
    const Protected<UnitVectors> data = request_.data.map([&](const LabelledExamples& all) {
      return UnitVectors{frame_.prepared(all.values), all.labels};
    });
    const CountAndCentre found = release_centre(request_, curator_, data, features_, noise[0]);
    return fit(data, found, noise[1], mu_ * found.examples);
  }

 private:
  // `signal`: mu N.
  ClassificationOutcome fit(const Protected<UnitVectors>& data, const CountAndCentre& found, double noise,
                            double signal) {
    const int hidden = units(signal);
    const std::optional<RandomUnits> random =
        hidden > 0 ? std::optional(random_units(found.centre, hidden, request_.options.seed)) : std::nullopt;
    const float spread = std::sqrt(std::max(0.01f, 1 - found.centre.squaredNorm()));
    const float linear = static_cast<float>(kUnitNorm) / spread;
    const NetworkLayout layout(
        {hidden > 0 ? Eigen::Index{hidden} : features_, static_cast<Eigen::Index>(frame_.classes.size())});
    const auto gradients = data.map([&](const UnitVectors& all) {
      return device_or_cpu(request_.options.device)
          .clipped_examples(
              random ? random->of(all.rows) : FloatMatrix((all.rows.rowwise() - found.centre) * linear),
              all.labels, layout);
    });
    choose_steps(signal, !random);
    NetworkSteps steps(request_, curator_, settings_, noise, found.examples);
    const auto parameters = steps.run(gradients, layout, std::vector<double>(layout.size()));
    NetworkLayer last = layout.layers_of(parameters).front();
    std::vector<NetworkLayer> layers;
    if (random) {
      layers = joined(*random, std::move(last));
    } else {
      last.weights *= linear;
      last.bias -= found.centre * last.weights;
      layers = {std::move(last)};
    }
    frame_.layers = std::move(layers);
    return {.model = frame_,
            .solver = random ? "random units" : "linear",
            .remarks = steps.remarks(
                random ? fmt::format("A linear classifier on {} random units of public features.", hidden)
                       : std::string("A linear classifier on public features.")),
            .history = steps.history(),
            .noise_multiplier = noise};
  }

  int units(double signal) const {
    return units_asked(request_.options).value_or(signal >= kEnoughForUnits ? kUnits : 0);
  }

  // Chooses the learning rate and the clip, unless they were given.
  void choose_steps(double signal, bool features) {
    const double step = (features ? kTravelOfFeatures : kTravel) * signal / settings_.steps;
    if (!request_.settings.get(setting::learning_rate))
      settings_.learning_rate = std::min(step, kLongestStep) / (kUnitNorm * kUnitNorm);
    if (!request_.settings.get(setting::clip))
      settings_.clip =
          kUnitNorm *
          (features ? kClipOfFeatures : std::clamp(kClipPerRootMu * std::sqrt(mu_), kLeastClip, kMostClip));
  }

  const ClassificationRequest& request_;
  Curator& curator_;
  StepSettings settings_;
  Network frame_;
  Eigen::Index features_ = 0;
  double mu_ = 0;  // of the whole budget
};

ClassificationOutcome classify_best(const ClassificationRequest& request, Curator& curator) {
  check_random_units(request, "best");
  const bool images = request.image.height > 1 && request.image.width > 1;
  return images ? BestRun(request, curator).run() : classify_logistically(request, curator);
}

}  // namespace

Method best_classifier() {
  std::vector<MethodSetting> settings = step_settings(best_steps());
  for (MethodSetting& each : settings)
    if (each.name == setting::learning_rate.name || each.name == setting::clip.name ||
        each.name == setting::steps.name)
      each.otherwise = "follows from the budget and the number of examples";
  return {.job = Job::classification,
          .name = "best",
          .title =
              "a linear classifier on features that suit the data, by full-batch steps with exact accounting",
          .source = "Tulle",
          .guarantee = "(epsilon, delta)-private for an example",
          .details =
              "Images become histograms of oriented gradients, which are chosen without looking at data; if "
              "there are enough examples for the budget, random units of these. The classifier is fitted by "
              "noisy gradient steps over all examples; the budget determines how far they go. Other examples "
              "than images are for method logistic.",
          .protects = example_neighbours(),
          .settings = std::move(settings),
          .needs_delta = true,
          .sound = classify_best,
          .no_refit = "each release is a gradient at the network that earlier ones made",
          .image_features = true,
          .pairs = {.weight = 0.5, .random_units = true},
          .worst_cases = worst_of_steps()};
}

}  // namespace tulle
