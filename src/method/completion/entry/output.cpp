#include "crafted.hpp"
#include "methods.hpp"
#include "private_ridge.hpp"
#include "published/published_sgd.hpp"

#include <tulle/base/error.hpp>
#include <tulle/method/private_completion.hpp>

namespace tulle {
namespace {

constexpr int kOutputSweeps = 2;

// Noise on the result of each least-squares problem, one block of the model after the other: the form of
// output perturbation that can be proven. A sweep releases every factor, and the core, once.
Completion complete_output(const PrivateRequest& request, Curator& curator) {
  const ModelLayout layout = layout_of(request);
  const int sweeps = request.settings.get(setting::steps).value_or(kOutputSweeps);
  const int pieces = layout.order() + (layout.has_core() ? 1 : 0);
  const RidgeNoise noise = RidgeNoise::planned(request, sweeps * pieces, curator);
  PrivateRidge ridge(request, layout, noise, curator);
  Completion completion;
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (int piece = 0; piece < pieces; ++piece) {
      const bool last = sweep + 1 == sweeps && piece + 1 == pieces;
      ridge.fit(piece, last);
      if (!last) ridge.normalise(piece);
      completion.history.push_back({.number = sweep * pieces + piece + 1, .limit = sweeps * pieces});
      if (request.fit.observer) request.fit.observer(completion.history.back());
    }
  completion.model = ridge.model();
  completion.solver = "private ridge";
  completion.remarks.push_back(
      fmt::format("{} sweeps, {} releases; the start is random and public.", sweeps, sweeps * pieces));
  return completion;
}

// wei2022, algorithm 3, as published: plain gradient descent, then noise with density prop. to exp(-epsilon
// |n| / (2 tau L eta)) on every row of the last mode. As in the authors' code, the Lipschitz constant L is
// the longest gradient of a row of that mode seen in training.
Completion complete_output_as_published(const PrivateRequest& request, Curator& curator) {
  const PublishedSettings settings = published_settings(request);
  const ModelLayout layout = layout_of(request);
  const int mode = layout.order() - 1;
  const Protected<PublishedSgd> sgd = request.data.observed().map([&](const SparseTensor& observed) {
    PublishedSgd descent(observed, layout, settings.standard, settings.loss, request.fit.seed);
    for (int pass = 0; pass < settings.passes; ++pass) descent.pass(settings.rate);
    return descent;
  });
  std::vector<double> numbers = released_without_noise(sgd).numbers();
  const double lipschitz = released_without_noise(sgd).longest_gradient(mode);
  const auto noise = AdditiveNoise::gamma_norm_by_row(
      Sensitivity::l21(2 * settings.passes * lipschitz * settings.rate, request.terms.unit, request.relation),
      request.terms.budget.epsilon, layout.shape()[mode], layout.columns(mode));
  const auto first = static_cast<std::ptrdiff_t>(layout.start(mode));
  const auto size = static_cast<std::ptrdiff_t>(layout.factor_size(mode));
  const Noisy factor =
      curator.release(sgd, noise, "the factor of the last mode", [&](const PublishedSgd& fitted) {
        const auto begin = fitted.numbers().begin() + first;
        return std::vector<double>(begin, begin + size);
      });
  std::ranges::copy(factor.values, numbers.begin() + first);
  return {.model = to_model(layout, numbers, settings.standard.level, settings.standard.scale),
          .solver = "sgd"};
}

}  // namespace

Method output_method() {
  const Settings one_sweep = Settings().set(setting::steps, 1);
  return {
      .name = "output",
      .title = "noise on the fitted factors, one after the other",
      .source = "wei2022, algorithm 3",
      .guarantee =
          "(epsilon, delta)-private, or epsilon-private without a delta, for one entry under "
          "replace; which cells are observed is public",
      .details =
          "Models cp and tucker. Sound: each factor, and the core, is the solution of a ridge "
          "regression on public positions and private values, whose right-hand side gets noise; "
          "the steps are sweeps over all of them. Published: gradient descent, then noise on the "
          "rows of the last factor.",
      .models = {ModelKind::cp, ModelKind::tucker},
      .protects = {{Unit::entry, Relation::replace}},
      .settings = {takes(setting::steps, fmt::format("{}", kOutputSweeps), {.least = 1}),
                   published_learning_rate()},
      .reads = {FitOption::rank},
      .published_reads = {{FitOption::rank, FitOption::ridge, FitOption::iterations}},
      .sound = complete_output,
      .published = complete_output_as_published,
      .why_unproven =
          "all factors but one, and the core, are released without noise; the bound on how far the last "
          "one moves is for convex losses, which this is not, and uses the longest gradient seen in the "
          "data; noise on each row by itself would need the sum over the rows of what they move by",
      .no_refit = "each factor is released for the other factors as they were then",
      .worst_cases = {
          {.data = lone_value(), .delta = kCraftedDelta, .trials = 20'000},
          {.data = value_among_others(), .model = ModelKind::tucker, .settings = one_sweep, .trials = 20'000},
          {.data = value_in_full_tensor(),
           .model = ModelKind::tucker,
           .settings = one_sweep,
           .trials = 20'000},
          {.data = lone_value(), .calibration = Calibration::published, .settings = one_sweep},
      }};
}

}  // namespace tulle
