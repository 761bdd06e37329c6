// DP-SGD on a CP or Tucker model (Abadi et al. 2016; mechanisms of wei2022 made sound).
//
// Unit, relation:  entry, replace, zero-out or add-remove; user (named mode), zero-out or add-remove,
//                  joint. Public: shape (without the number of users for users under add-remove), range,
//                  options; positions too unless the relation is add-remove.
// Releases:        1. (count_and_mean.cpp) under add-remove the number of cells, at most m per user:
//                  sensitivity 1, or m; for users their number: sensitivity 1. 2. the sum of values in half
//                  widths: sensitivity 1 or m, twice that under replace, and 2 steps. 3. per step, of a
//                  Poisson sample of the units, the sum of gradients clipped to C after rounding to the grid
//                  (tensor/kernels/clipped_gradients.hpp): a unit adds C at most in L2, and C sqrt(1 + w^2 /
//                  4) with the count of whole gradients. One plan for all.
// Not released:    under joint privacy a user's own row, fitted to her own cells.
// After that free: steps, curvature, the next C, shrinkage.
// Cost:            O(sampled entries x rank) per step (CP), x core (Tucker), and O(numbers of the model).
#include "crafted.hpp"
#include "estimate/descent.hpp"
#include "methods.hpp"
#include "model_request.hpp"
#include "published/published_sgd.hpp"
#include "release/count_and_mean.hpp"
#include "release/user_gradients.hpp"

#include <tulle/base/error.hpp>
#include <tulle/method/private_completion.hpp>
#include <tulle/solve/device.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace tulle {
namespace {

// Defaults, chosen on tensors of wei2022's generator with seeds that no reported figure uses.
constexpr int kSteps = 100;
constexpr double kRate = 1;
constexpr double kLearningRate = 1;
constexpr double kClip = 0.3;         // in errors of standardised values
constexpr int kEntriesPerUser = 100;  // that count when the number of cells is estimated
// The share of the budget, as mu^2, for each number released before the steps: the smallest with which the
// mean is accurate to this part of the range, within bounds.
constexpr double kLeastFirst = 0.01, kMostFirst = 0.2, kAccurateMean = 0.01;

struct StepPlan {
  int steps;
  PoissonSampler sampler;
  double learning_rate;
  std::optional<double> clip, clip_quantile;
  int entries_per_user;
};

StepPlan steps_of(const PrivateRequest& request) {
  const Settings& given = request.settings;
  return {given.get(setting::steps).value_or(kSteps),
          PoissonSampler(given.get(setting::sampling_rate).value_or(kRate)),
          given.get(setting::learning_rate).value_or(kLearningRate),
          given.get(setting::clip),
          given.get(setting::clip_quantile),
          given.get(setting::entries_per_user).value_or(kEntriesPerUser)};
}

// The releases of a run, planned before the first.
struct Plan {
  double noise;                        // multiplier of a step
  CountAndMeanRelease count_and_mean;  // before the first
};

// A unit changes the mean in proportion to its share of all cells, which is known where positions are public.
double share_of_first(const PrivateRequest& request, const StepPlan& settings, double mu) {
  if (request.relation == Relation::add_remove) return kLeastFirst;
  const double cells = request.terms.unit == Unit::user ? settings.entries_per_user : 1;
  const double moves = cells / static_cast<double>(request.data.positions().size());
  return std::clamp(std::pow(moves / (kAccurateMean * mu), 2), kLeastFirst, kMostFirst);
}

Plan plan_for(const PrivateRequest& request, const StepPlan& settings, Curator& curator) {
  const double multiplier_of_all = curator.offer({{.share = 1}}).front();
  const Stage first{.share = share_of_first(request, settings, 1 / multiplier_of_all),
                    .count = CountAndMeanRelease::releases(request)};
  const double rest = 1 - first.share * static_cast<double>(first.count);
  const std::vector<double> noise = curator.plan({first,
                                                  {.share = rest / settings.steps,
                                                   .count = static_cast<std::uint64_t>(settings.steps),
                                                   .sampling = settings.sampler.sampling()}});
  return {noise[1], {request, noise[0], settings.entries_per_user}};
}

// Steps of DP-SGD (release/clipped_steps.hpp).
//
// Everything else is public: the sum is divided by the expected number of cells, not by the number drawn;
// curvature, learning rate and ridge come from the released numbers.
class Run {
 public:
  Run(const PrivateRequest& request, Curator& curator)
      : request_(request),
        curator_(curator),
        layout_(layout_of(request)),
        settings_(steps_of(request)),
        plan_(plan_for(request, settings_, curator)),
        clipped_(settings_.sampler, plan_.noise, settings_.clip_quantile, request.terms.unit,
                 request.relation),
        count_and_mean_(plan_.count_and_mean.release(curator)),
        descent_(layout_, user_mode(), request.fit.seed) {}

  Completion complete() { return user_mode() ? by_user() : by_entry(); }

 private:
  std::optional<int> user_mode() const {
    return request_.terms.unit == Unit::user ? std::optional(request_.terms.user_mode) : std::nullopt;
  }

  Completion by_entry() {
    const auto gradients = request_.data.observed().map([&](const SparseTensor& observed) {
      return device_or_cpu(request_.fit.device)
          .clipped_cells(observed, layout_, standard(), settings_.sampler.sampling().rate());
    });
    const auto count = gradients.map([](const auto& all) { return std::uint64_t{all->size()}; });
    return descend([&](double clip) {
      return clipped_.release(curator_, gradients, count, clip, layout_.size(), "sum of gradients",
                              [&](const auto& all, std::span<const std::uint64_t> cells) {
                                return all->sum(descent_.numbers(), cells, clip);
                              });
    });
  }

  Completion by_user() {
    const UserGradients gradients(request_, layout_, {standard()});
    Completion completion = descend([&](double clip) {
      return gradients.release(clipped_, curator_, descent_.numbers(), descent_.user_ridge(), clip);
    });
    completion.with_user_rows = gradients.with_own_rows(descent_.shrunk(), descent_.user_ridge());
    return completion;
  }

  template <class Release>
  Completion descend(const Release& release) {
    Completion completion;
    const auto began = std::chrono::steady_clock::now();
    for (int step = 0; step < settings_.steps; ++step) {
      const double length = clip();
      const Noisy sum = release(length);
      clipped_.adapt_clip(sum, length, user_mode() ? count_and_mean_.users : count_and_mean_.cells);
      const double rate = settings_.learning_rate * (1 - static_cast<double>(step) / settings_.steps);
      const double change = descent_.step(
          {sum.values, sum.deviation, settings_.sampler.sampling().rate() * count_and_mean_.cells,
           static_cast<double>(settings_.steps)},
          rate, ridge());
      if (!std::isfinite(change)) fail("the steps grow without bound; give a smaller learning rate");
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began;
      completion.history.push_back({.number = step + 1,
                                    .objective = change,
                                    .change = change,
                                    .seconds = elapsed.count(),
                                    .limit = settings_.steps});
      if (request_.fit.observer && !request_.fit.observer(completion.history.back())) break;
    }
    completion.model = to_model(layout_, descent_.shrunk(), standard().level, standard().scale);
    completion.solver = "dp-sgd";
    completion.remarks.push_back(
        fmt::format("{} steps on Poisson samples at rate {:g}, noise multiplier {:.4g}.", settings_.steps,
                    settings_.sampler.sampling().rate(), plan_.noise));
    return completion;
  }

  // The length of the gradient of a typical cell (or of a user's cells) with a moderate error; with a
  // quantile, adapted by the counts so far.
  double clip() const {
    if (settings_.clip) return clipped_.clip_factor() * *settings_.clip;
    const double cells = user_mode() ? std::max(1.0, count_and_mean_.cells / count_and_mean_.users) : 1.0;
    return clipped_.clip_factor() * kClip * std::sqrt(cells) * descent_.gradient_length();
  }

  // The ridge of the objective sum (x - f)^2 + ridge |numbers|^2 over a sample, in standardised values.
  double ridge() const {
    const double scale = standard().scale;
    return request_.fit.ridge.value_or(0) / (scale * scale) * settings_.sampler.sampling().rate();
  }

  // Values are centred by the released mean and scaled by half the width.
  Standard standard() const { return {count_and_mean_.mean, request_.data.range().width() / 2}; }

  const PrivateRequest& request_;
  Curator& curator_;
  ModelLayout layout_;
  StepPlan settings_;
  Plan plan_;
  ClippedSteps clipped_;
  CountAndMean count_and_mean_;
  Descent descent_;
};

Completion complete_by_gradients(const PrivateRequest& request, Curator& curator) {
  if (request.terms.unit == Unit::user) curator.set_joint();
  return Run(request, curator).complete();
}

// wei2022, algorithm 2, as published: cell by cell, the last mode's gradient is clipped to m and perturbed by
// noise with density prop. to exp(-epsilon |n| / 2m); all other factors and the core move, and are released,
// without noise. The clipping constant m is not given; 0.1 is what the authors' code calls it. (That code
// clips to 10 and adds noise for 0.1; this does not.)
Completion complete_as_published(const PrivateRequest& request, Curator& curator) {
  constexpr double kPublishedClip = 0.1;
  const PublishedSettings settings = published_settings(request);
  const ModelLayout layout = layout_of(request);
  const int mode = layout.order() - 1;
  const double clip = request.settings.get(setting::clip).value_or(kPublishedClip);
  const auto noise = AdditiveNoise::gamma_norm_by_row(
      Sensitivity::l21(2 * clip, request.terms.unit, request.relation), request.terms.budget.epsilon,
      request.data.positions().size(), layout.columns(mode));
  Protected<PublishedSgd> sgd = request.data.observed().map([&](const SparseTensor& observed) {
    return PublishedSgd(observed, layout, settings.standard, settings.loss, request.fit.seed);
  });
  for (int pass = 0; pass < settings.passes; ++pass) {
    const Noisy drawn =
        curator.release(request.data.observed(), noise, "noise of a pass, a row for each cell",
                        [&](const SparseTensor&) { return std::vector<double>(noise.coordinates()); });
    sgd = sgd.map([&](PublishedSgd copy) {
      copy.pass(settings.rate, PublishedSgd::Perturbation{mode, clip, drawn.values});
      return copy;
    });
  }
  const std::vector<double>& numbers = released_without_noise(sgd).numbers();
  return {.model = to_model(layout, numbers, settings.standard.level, settings.standard.scale),
          .solver = "sgd"};
}

std::vector<WorstCase> worst_of_gradient() {
  const Settings steps = short_steps(3), sampled = short_steps(3).set(setting::sampling_rate, 0.5);
  const double delta = kCraftedDelta;
  return {
      {.data = lone_value(), .delta = delta, .settings = steps, .trials = 20'000},
      {.data = lone_value(), .delta = delta, .settings = sampled, .note = kSampled},
      {.data = cell_or_blank(), .delta = delta, .settings = steps, .trials = 20'000},
      {.data = cell_or_none(), .delta = delta, .settings = steps, .trials = 20'000},
      {.data = cell_or_none(),
       .delta = delta,
       .settings = short_steps(3).set(setting::clip_quantile, 0.5),
       .trials = 20'000},
      {.data = cell_or_none(), .delta = delta, .settings = sampled, .note = kSampled},
      {.data = user_or_blank(), .delta = delta, .settings = steps, .trials = 20'000},
      {.data = user_or_none(), .delta = delta, .settings = steps, .trials = 20'000},
      {.data = user_or_none(),
       .model = ModelKind::tucker,
       .delta = delta,
       .settings = sampled,
       .note = kSampled},
      {.data = user_or_none(),
       .delta = delta,
       .settings = short_steps(2),
       .sites = 4,
       .stated = {.colluding = 0, .threshold = 3},
       .slow = true},
      {.data = CraftedCells{.shape = {10, 10, 10}}, .delta = delta},
      {.data = lone_value(),
       .calibration = Calibration::published,
       .settings = Settings().set(setting::steps, 1)},
  };
}

}  // namespace

Method gradient_method() {
  return {
      .name = "gradient",
      .title = "gradient steps with noise on every parameter of the model",
      .source = "wei2022, algorithm 2",
      .guarantee = "(epsilon, delta)-private for an entry or, jointly, for a user",
      .details =
          "Models cp and tucker. Sound: DP-SGD. Each step sums gradients of a Poisson sample of the units, "
          "clipped to a length that follows from the model so far, and adds Gaussian noise to all of them; "
          "the steps are accounted together. clip-quantile Q adapts that length until a fraction Q of the "
          "gradients is unclipped, counted in the same release. Unit user: each user fits her own row, which "
          "stays with her. Published: gradient descent cell by cell with noise on the gradient of the last "
          "mode.",
      .models = {ModelKind::cp, ModelKind::tucker},
      .protects = {{Unit::entry, Relation::replace},
                   {Unit::entry, Relation::zero_out},
                   {Unit::entry, Relation::add_remove},
                   {Unit::user, Relation::zero_out},
                   {Unit::user, Relation::add_remove}},
      .settings =
          {takes(setting::steps, fmt::format("{}; published form: 100", kSteps), {.least = 1}),
           in_sound_form(takes(setting::sampling_rate, fmt::format("{}", kRate), {.above = 0, .most = 1})),
           takes(setting::clip, "follows from the model so far; published form: 0.1",
                 {.least = 1e-100, .most = 1e100}),
           in_sound_form(takes(setting::clip_quantile, "none", {.above = 0, .below = 1})),
           takes(setting::learning_rate, fmt::format("{}; published form: {}", kLearningRate, kPublishedRate),
                 {.above = 0, .most = 1e6}),
           for_users(takes(setting::entries_per_user, fmt::format("{}", kEntriesPerUser), {.least = 1}))},
      .needs_delta = true,
      .reads = {FitOption::rank, FitOption::ridge},
      .published_reads = {{FitOption::rank, FitOption::ridge, FitOption::iterations}},
      .sound = complete_by_gradients,
      .published = complete_as_published,
      .why_unproven =
          "all factors but one, and the core, are computed from the data and released without noise; the "
          "other one is released after every pass at the cost of one; the proof is about minimisers of a "
          "convex objective, not about the steps taken",
      .no_refit = "each release is a gradient at the model that earlier ones made",
      .over_sites = OverSites::sums,
      .worst_cases = worst_of_gradient()};
}

}  // namespace tulle
