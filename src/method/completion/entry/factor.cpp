#include "crafted.hpp"
#include "methods.hpp"
#include "private_ridge.hpp"
#include "published/published_sgd.hpp"

#include <tulle/base/error.hpp>
#include <tulle/method/private_completion.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr NoiseKind kFactorNoises[] = {NoiseKind::laplace, NoiseKind::gaussian};
constexpr int kPublishedPasses = 200;

constexpr int kUserMode = 0;  // A, the factor that "contains a large amount of user information"

// The factor of the first mode by private ridge regression, with all others random and public: the part of
// algorithm 1 that noise on one factor alone can protect.
Completion complete_factor(const PrivateRequest& request, Curator& curator) {
  const ModelLayout layout = layout_of(request);
  const RidgeNoise noise = RidgeNoise::planned(request, 1, curator);
  PrivateRidge ridge(request, layout, noise, curator);
  ridge.fit(kUserMode, true);
  return {.model = ridge.model(),
          .solver = "private ridge",
          .remarks = {"The factor of mode 1 is fitted; those of the other modes are random and public."}};
}

// max_i |sum_{(i,j,k) observed} sum_r b_jr^2 c_kr^2|: what wang2021 calls the Lipschitz constant (theorem 3).
double published_lipschitz(const PublishedSgd& sgd, const ModelLayout& layout) {
  std::vector<double> sums(layout.shape()[kUserMode]);
  CellGradient cell(layout);
  for (std::size_t entry = 0; entry < sgd.observed().size(); ++entry) {
    const auto positions = sgd.observed().cells().cell(entry);
    cell.at(sgd.numbers().data(), positions);
    sums[positions[kUserMode]] += cell.squared_length(kUserMode);
  }
  return *std::ranges::max_element(sums);
}

// Module 2: "noise that corresponds to the Laplace distribution" on every number of A, of the density prop.
// to exp(-epsilon |n| / (2 Delta)) that the proof of theorem 1 uses, Delta the width of the range. (Line 13
// of the algorithm adds the value of a density, which is not random; the text and the proof draw from that
// distribution.)
AdditiveNoise published_laplace(const PrivateRequest& request, const Standard& standard,
                                std::size_t numbers) {
  const double delta = request.data.largest_change() / standard.scale;
  return AdditiveNoise::laplace(Sensitivity::one_coordinate(2 * delta, request.terms.unit, request.relation),
                                request.terms.budget.epsilon, numbers);
}

// Module 3: N(0, Delta_2^2 / (2 rho)) with Delta_2 = 2 T L lambda and rho = epsilon^2 / (4 T ln(1/delta)).
// Where the ridge drives all factors to zero, L is zero and so, as published, is the noise: as good as none
// is drawn.
AdditiveNoise published_gaussian(const PrivateRequest& request, double passes, double lipschitz, double ridge,
                                 std::size_t numbers) {
  const Budget& budget = request.terms.budget;
  const double rho = budget.epsilon * budget.epsilon / (4 * passes * std::log(1 / budget.delta));
  const double moves = std::max(2 * passes * lipschitz * ridge, 1e-30);
  return AdditiveNoise::gaussian(Sensitivity::l2(moves, request.terms.unit, request.relation),
                                 1 / std::sqrt(2 * rho), numbers);
}

// As published (wang2021, algorithm 1): gradient descent on the data, then noise on A; the other factors are
// released as they are. Section IV: rank 10, ridge 0.1, 200 iterations; the learning rate is not given.
Completion complete_factor_as_published(const PrivateRequest& request, Curator& curator) {
  const auto kind = request.settings.get(setting::noise);
  const bool gaussian = kind ? *kind == NoiseKind::gaussian : request.terms.budget.delta > 0;
  if (gaussian && request.terms.budget.delta == 0) fail_usage("gaussian noise needs a delta above 0");
  PublishedSettings settings = published_settings(request);
  settings.loss = {.weight = 0.5, .ridge = request.fit.ridge.value_or(0.1)};
  settings.passes = request.settings.get(setting::steps).value_or(kPublishedPasses);
  const ModelLayout layout = layout_of(request);
  const Protected<PublishedSgd> sgd = request.data.observed().map([&](const SparseTensor& observed) {
    PublishedSgd descent(observed, layout, settings.standard, settings.loss, request.fit.seed);
    for (int pass = 0; pass < settings.passes; ++pass) descent.pass(settings.rate);
    return descent;
  });
  const std::size_t size = layout.factor_size(kUserMode);
  const AdditiveNoise noise =
      gaussian ? published_gaussian(request, settings.passes,
                                    published_lipschitz(released_without_noise(sgd), layout),
                                    settings.loss.ridge, size)
               : published_laplace(request, settings.standard, size);
  const Noisy factor =
      curator.release(sgd, noise, "the factor of the first mode", [&](const PublishedSgd& fit) {
        return std::vector<double>(fit.numbers().begin(),
                                   fit.numbers().begin() + static_cast<std::ptrdiff_t>(size));
      });
  std::vector<double> numbers = released_without_noise(sgd).numbers();
  std::ranges::copy(factor.values, numbers.begin());
  return {.model = to_model(layout, numbers, settings.standard.level, settings.standard.scale),
          .solver = "sgd"};
}

}  // namespace

Method factor_method() {
  const Settings one_pass = Settings().set(setting::steps, 1);
  return {
      .name = "factor",
      .title = "noise on the factor of the first mode",
      .source = "wang2021, algorithm 1",
      .guarantee =
          "(epsilon, delta)-private, or epsilon-private without a delta, for one entry under "
          "replace; which cells are observed is public",
      .details =
          "Model cp. Sound: the first factor by private ridge regression on random, public other "
          "factors, as method output does for one mode. Published: gradient descent, then Laplace "
          "noise or Gaussian noise (zCDP) on the first factor.",
      .models = {ModelKind::cp},
      .protects = {{Unit::entry, Relation::replace}},
      .settings = {as_published(takes_noise(kFactorNoises, "gaussian with a delta, else laplace")),
                   as_published(takes(setting::steps, fmt::format("{}", kPublishedPasses), {.least = 1})),
                   published_learning_rate()},
      .reads = {FitOption::rank},
      .published_reads = {{FitOption::rank, FitOption::ridge}},
      .sound = complete_factor,
      .published = complete_factor_as_published,
      .why_unproven =
          "all factors but the first are computed from the data and released without noise; the first one "
          "does not move by the range of a value (laplace), nor by a bound for convex losses with the "
          "ridge for a learning rate and a constant measured on the data (gaussian)",
      .no_refit = "one factor is released, for others that were drawn",
      .worst_cases = {
          {.data = lone_value(), .delta = kCraftedDelta},
          {.data = value_among_others()},
          {.data = lone_value(), .calibration = Calibration::published, .settings = one_pass},
          {.data = lone_value(),
           .calibration = Calibration::published,
           .delta = kCraftedDelta,
           .settings = one_pass},
      }};
}

}  // namespace tulle
