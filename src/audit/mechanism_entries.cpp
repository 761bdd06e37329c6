#include "mechanism_entries.hpp"

#include "transcript.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/account/calibrate.hpp>
#include <tulle/privacy/margin.hpp>

namespace tulle::attacks {
namespace {

constexpr Unit kUnit = Unit::entry;
constexpr Relation kRelation = Relation::replace;
constexpr std::uint64_t kTrials = 100'000, kManyTrials = 1'000'000, kQuickTrials = 8'000;

// Not a whole number of grid cells, so that rounding is tested too.
constexpr double kAt = 1.0 / 3;

using MakeNoise = AdditiveNoise (*)(const Budget& budget);

Sensitivity one() {
  return Sensitivity::one_coordinate(1, kUnit, kRelation);
}

Curator open(const Budget& budget, Relation relation, RandomBits bits) {
  return Curator::with_budget(budget, kUnit, relation, std::move(bits));
}

// A run that publishes only its releases: there is no black box.
template <class Run>
Subject of_releases(const Budget& budget, Relation relation, const std::string& canary, bool graded,
                    const Run& run, const Watched& watched_first = {}, const Watched& watched_second = {}) {
  return {
      .canary = canary,
      .graded = graded,
      .claimed_epsilon = budget.epsilon,
      .account =
          [=] {
            Curator curator = open(budget, relation, RandomBits::seeded(0));
            run(1.0, curator);
            return curator.guarantee();
          },
      .run =
          [=](double secret, RandomBits& bits) {
            Observation seen;
            observe(
                [&](double at, Curator& curator) {
                  run(at, curator);
                  return 0;
                },
                [&](RandomBits stream) { return open(budget, relation, std::move(stream)); }, secret, bits,
                watched_first, watched_second, seen);
            return seen;
          },
      // The sampled unit is in the second data set only: that one is compared with and without it.
      .pair =
          NeighbouringPair{.text = "a mechanism",
                           .open = [=](RandomBits bits) { return open(budget, relation, std::move(bits)); },
                           .run =
                               [=](bool second, Curator& curator) {
                                 run(second || watched_second ? 1.0 : 0.0, curator);
                                 return Published{};
                               },
                           .watched = watched_second}};
}

AuditEntry one_number(std::string name, double delta, MakeNoise noise) {
  return {.name = std::move(name),
          .delta = delta,
          .trials = kTrials,
          .quick_trials = kQuickTrials,
          .subject = [noise](const Budget& budget) -> std::variant<Subject, ManyCanaries> {
            return of_releases(budget, kRelation, "one number, moved by its sensitivity", true,
                               [=](double secret, Curator& curator) {
                                 const AdditiveNoise its = noise(with_margin(budget));
                                 curator.plan({its.event()});
                                 curator.release(Protected<double>(kAt + secret), its, "a number",
                                                 [](double value) { return std::vector{value}; });
                               });
          }};
}

// Whole numbers, so that nothing is rounded.
AuditEntry one_count(std::string name, MakeNoise noise) {
  AuditEntry entry = one_number(std::move(name), 0, noise);
  entry.subject = [noise](const Budget& budget) -> std::variant<Subject, ManyCanaries> {
    return of_releases(budget, kRelation, "a count, moved by 1", false, [=](double secret, Curator& curator) {
      curator.release(Protected<double>(3 + secret), noise(with_margin(budget)), "a count",
                      [](double value) { return std::vector{value}; });
    });
  };
  return entry;
}

// A vector that moves along a diagonal, by an L2 norm of 1.
AuditEntry vector_by_norm() {
  return {.name = "gamma-norm",
          .trials = kTrials,
          .quick_trials = kQuickTrials,
          .subject = [](const Budget& budget) -> std::variant<Subject, ManyCanaries> {
            return of_releases(
                budget, kRelation, "3 numbers, moved by a length of 1", true,
                [=](double secret, Curator& curator) {
                  const double move = secret / std::sqrt(3.0) * (1 - 0x1p-50);  // at most 1 after rounding
                  curator.release(Protected<double>(kAt + move),
                                  AdditiveNoise::gamma_norm(Sensitivity::l2(1, kUnit, kRelation),
                                                            with_margin(budget).epsilon, 3),
                                  "3 numbers", [](double value) { return std::vector(3, value); });
                });
          }};
}

// Sums over Poisson samples of two units, with or without a third one.
AuditEntry sampled_gaussian() {
  constexpr double kRate = 0.5;
  constexpr int kSteps = 3;
  constexpr Relation kAddRemove = Relation::add_remove;
  return {.name = "sampled-gaussian",
          .neighbours = {kUnit, kAddRemove},
          .delta = 1e-5,
          .trials = kTrials / 2,
          .quick_trials = kQuickTrials / 2,
          .subject = [](const Budget& budget) -> std::variant<Subject, ManyCanaries> {
            return of_releases(
                budget, kAddRemove, "a third unit beside two, in 3 sums over samples at rate 0.5", false,
                [=](double secret, Curator& curator) {
                  const PoissonSampler sampler(kRate);
                  const double noise = curator
                                           .plan({{.share = 1.0 / kSteps,
                                                   .count = kSteps,
                                                   .sampling = PoissonSampling::what_if(kRate)}})
                                           .front();
                  const auto contribution = Sensitivity::l2(1, kUnit, kAddRemove);
                  const Protected<std::vector<double>> units(secret >= 0.5 ? std::vector{-1.0, 1.0, 1.0}
                                                                           : std::vector{-1.0, 1.0});
                  for (int step = 0; step < kSteps; ++step)
                    curator.release(
                        units, curator.sample(sampler, units.map([](const auto& all) -> std::uint64_t {
                          return all.size();
                        })),
                        AdditiveNoise::gaussian(contribution, noise, 1), "a sum",
                        [](const std::vector<double>& all, const std::vector<std::uint64_t>& sample) {
                          double sum = 0;
                          for (std::uint64_t unit : sample) sum += all[unit];
                          return std::vector{sum};
                        });
                },
                {}, 2);
          }};
}

// Releases chosen during the run, each for half of the budget, until the curator refuses.
AuditEntry adaptive() {
  return {.name = "adaptive",
          .trials = kTrials / 4,
          .quick_trials = kQuickTrials / 4,
          .subject = [](const Budget& budget) -> std::variant<Subject, ManyCanaries> {
            return of_releases(budget, kRelation, "one number released for half the budget, until refused",
                               true, [=](double secret, Curator& curator) {
                                 const Protected<double> number(kAt + secret);
                                 const auto half =
                                     AdditiveNoise::laplace(one(), with_margin(budget).epsilon / 2, 1);
                                 for (int time = 0; time < 4; ++time) {
                                   try {
                                     curator.release(number, half, "a number",
                                                     [](double value) { return std::vector{value}; });
                                   } catch (const Error&) {
                                     return;  // the budget is spent
                                   }
                                 }
                               });
          }};
}

// Stages of a plan that share a budget, all for the same value.
AuditEntry planned_gaussian() {
  return {.name = "planned-gaussian",
          .delta = 1e-5,
          .trials = kTrials / 2,
          .quick_trials = kQuickTrials,
          .subject = [](const Budget& budget) -> std::variant<Subject, ManyCanaries> {
            return of_releases(
                budget, kRelation, "one number in 3 releases of a plan", true,
                [=](double secret, Curator& curator) {
                  const Protected<double> number(kAt + secret);
                  const auto noise = curator.plan({{.share = 0.2}, {.share = 0.4, .count = 2}});
                  for (int stage : {0, 1, 1})
                    curator.release(number, AdditiveNoise::gaussian(one(), noise[stage], 1), "a number",
                                    [](double value) { return std::vector{value}; });
                });
          }};
}

// Whole numbers with noise that no AdditiveNoise has: releases of reals are rounded Gaussians.
AuditEntry discrete_gaussian() {
  return {.name = "discrete-gaussian",
          .delta = 1e-5,
          .trials = kTrials,
          .quick_trials = kQuickTrials,
          .subject = [](const Budget& budget) -> std::variant<Subject, ManyCanaries> {
            const double sigma = noise_for({budget.epsilon, budget.delta}, kRelation,
                                           [](double scale) { return Event::discrete_gaussian(scale, 1); });
            const auto noise = DiscreteGaussian::with_sigma_at_least(sigma);
            return Subject{.canary = "a count, moved by 1",
                           .claimed_epsilon = budget.epsilon,
                           .account =
                               [=] {
                                 Guarantee guarantee;
                                 guarantee.status = Guarantee::Status::proven;
                                 guarantee.used = budget;
                                 guarantee.unit = kUnit;
                                 guarantee.relation = kRelation;
                                 return guarantee;
                               },
                           .run =
                               [=](double secret, RandomBits& bits) {
                                 const auto count = static_cast<std::int64_t>(secret);
                                 const auto value = static_cast<double>(release(count, noise, bits));
                                 const double log_ratio = (value - 0.5) / (noise.sigma() * noise.sigma());
                                 return Observation{.releases = {value}, .log_ratio = log_ratio};
                               }};
          }};
}

}  // namespace

std::vector<AuditEntry> mechanism_entries() {
  std::vector<AuditEntry> entries = {
      one_number("laplace", 0,
                 [](const Budget& budget) { return AdditiveNoise::laplace(one(), budget.epsilon, 1); }),
      one_number("staircase", 0,
                 [](const Budget& budget) { return AdditiveNoise::staircase(one(), budget.epsilon, 1); }),
      one_number(
          "gaussian", 1e-5,
          [](const Budget& budget) {
            return AdditiveNoise::gaussian(one(), gaussian_noise_for({budget.epsilon, budget.delta}), 1);
          }),
      one_number("duchi", 0,
                 [](const Budget& budget) {
                   return AdditiveNoise::duchi({kAt, kAt + 1}, kUnit, kRelation, budget.epsilon, 1);
                 }),
      one_number("piecewise", 0,
                 [](const Budget& budget) {
                   return AdditiveNoise::piecewise({kAt, kAt + 1}, kUnit, kRelation, budget.epsilon, 1);
                 }),
      one_count(
          "discrete-laplace",
          [](const Budget& budget) { return AdditiveNoise::discrete_laplace(one(), budget.epsilon, 1); }),
      vector_by_norm(),
      planned_gaussian(),
      sampled_gaussian(),
      adaptive(),
      discrete_gaussian(),
  };
  for (AuditEntry& entry : entries)
    if (entry.name == "laplace" || entry.name == "gaussian") entry.trials = kManyTrials;
  return entries;
}

}  // namespace tulle::attacks
