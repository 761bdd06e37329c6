// Noisy gradient steps on a network: the common part of the private classifiers.
//
// A step goes up the log-posterior of all N examples, estimated from a Poisson sample of rate q:
//   g = (sum of clipped gradients + noise) / (q N) - parameters / N,
// the second term being the prior N(0, I); parameters += rate * velocity, velocity = momentum * velocity + g.
// N is public or was released; it is never the number of examples drawn.
#pragma once

#include "release/clipped_steps.hpp"

#include <tulle/method/classification.hpp>
#include <tulle/solve/device.hpp>

#include <functional>
#include <optional>
#include <vector>

namespace tulle {

struct StepSettings {
  int steps;
  PoissonSampler sampler;
  // Empty: as large as the noise allows, up to `longest`.
  std::optional<double> learning_rate;
  double clip;
  std::optional<double> clip_quantile;
  double momentum = 0;
  // Factor of the learning rate at step t = 0, 1, .. of T.
  std::function<double(int, int)> schedule = [](int, int) { return 1.0; };
  bool prior = true;
  double longest = 32;  // learning rate
};

// The settings that were given, or else the method's own.
StepSettings with_given(StepSettings otherwise, const Settings& given);

// Networks are float32: an Error where a parameter is beyond that, which follows from what was released.
void check_bounded(std::span<const double> parameters);

class NetworkSteps {
 public:
  NetworkSteps(const ClassificationRequest& request, Curator& curator, StepSettings settings, double noise,
               double examples);

  // Called after every step, with its number from 1: the parameters may be changed, from what is public.
  using AfterStep = std::function<void(int step, std::vector<double>& parameters, double stddev)>;

  // Goes all steps from `start`. `stddev` is that of the noise in g.
  std::vector<double> run(const Protected<std::unique_ptr<ClippedExamples>>& gradients,
                          const NetworkLayout& layout, std::vector<double> start,
                          const AfterStep& after = {});

  const std::vector<Iteration>& history() const { return history_; }
  double learning_rate() const { return *settings_.learning_rate; }
  // Describes the run, warns if the budget is too small for it, and adds the method's own remark. From public
  // facts and releases.
  std::vector<std::string> remarks(const std::string& also = "") const;

 private:
  const ClassificationRequest& request_;
  Curator& curator_;
  StepSettings settings_;
  ClippedSteps clipped_;
  double noise_, examples_;
  std::vector<Iteration> history_;
};

// The number of examples: public, or released with sensitivity 1 and this noise multiplier.
double count_examples(const ClassificationRequest& request, Curator& curator, double noise);
// The part of the budget, as mu^2, for that.
inline constexpr double kShareOfCount = 0.01;

// The noise multipliers of the count, if it is released, and of every step, which use the whole budget.
struct StepNoise {
  double count, step;
};
StepNoise plan_steps(const ClassificationRequest& request, Curator& curator, const StepSettings& settings);

// Inputs, hidden layers and classes of a request; `otherwise`: the hidden layers where none were given.
NetworkLayout layout_for(const ClassificationRequest& request, std::vector<int> otherwise);
// A network of these parameters.
Network network_of(const ClassificationRequest& request, const NetworkLayout& layout,
                   std::span<const double> parameters);

// The neighbours that every method of steps protects, its worst cases (add-remove, then replace), and its
// settings with these defaults.
std::vector<Protects> example_neighbours();
std::vector<WorstCase> worst_of_steps();
std::vector<MethodSetting> step_settings(const StepSettings& otherwise);

Protected<std::unique_ptr<ClippedExamples>> gradients_of(const ClassificationRequest& request,
                                                         const NetworkLayout& layout);

}  // namespace tulle
