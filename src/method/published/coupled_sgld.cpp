// DP-CMF (algorithm 1: matrices, Poisson likelihood, Gamma priors) and DP-CTF (algorithm 2: tensors, Normal
// likelihood and priors) of ermis2020 as published: sites share all factors but the users'.
//
// In a step a site takes a minibatch of its cells; the gradient of each shared factor over the whole batch is
// clipped to G (4.8, 4.19) and leaves with noise, all of it the site's own (4.9, 4.20). The rows of users
// stay at the site for the next step. At site level (protection shared) they move by SGLD without further
// noise (4.10, 4.21); at user level (all) as the shared factors do, clipped and with the same noise (4.12 to
// 4.14, 4.23 to 4.25), which the site draws itself, by a secret seed of its own: they are no release. Noise
// and step sizes: sgld_noise.hpp.
//
// Choices where the text is silent or contradicts itself: a batch has each cell with probability q = B / S,
// as theorem 4.8 wants it (algorithms: fixed size B); S counts the observed cells (theorem 4.3, appendix B:
// all of the matrix, 7500 of 150 x 50); a batch makes one step (algorithms: one per cell of the batch); the
// prior is outside the sum over the batch, as in (4.12) and (4.18) (4.7: inside); steps of users' rows are at
// site level those of the shared factors divided by the cells of a mean user; precisions are 1, Gamma priors
// have shape and rate 1. Poisson rates and parameters are kept above 0 by reflection and a floor, without
// which gradients have no bound. Values of tensors are standardised by the public range.
#include "published/coupled_sgld.hpp"

#include "model_request.hpp"
#include "published/published_sgd.hpp"
#include "published/sgld_noise.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/tensor/kernels/cell_gradient.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

namespace tulle {
namespace {

constexpr int kPublishedSteps = 100;
constexpr double kPublishedShare = 0.02;  // B / S of figure 7.7
constexpr double kPublishedNorm = 2;      // G of 7.1
constexpr double kPublishedStep = 0.05;
constexpr double kLeastRate = 1e-3;  // of a Poisson variable, and of its parameters

struct Likelihood {
  bool poisson;

  // d log p(x | f) / d f
  double slope(double value, double model) const {
    return poisson ? value / std::max(model, kLeastRate) - 1 : value - model;
  }
  double prior_slope(double parameter) const { return poisson ? -1 : -parameter; }
  double kept(double parameter) const {
    return poisson ? std::max(std::abs(parameter), kLeastRate) : parameter;
  }
};

std::vector<double> clipped(std::vector<double> gradient, double norm, double times) {
  double squares = 0;
  for (double value : gradient) squares += value * value;
  const double factor = times / std::max(1.0, std::sqrt(squares) / norm);
  for (double& value : gradient) value *= factor;
  return gradient;
}

// The state of a site: its cells, the shared factors and the rows of its own users.
class SgldSite {
 public:
  SgldSite(const SparseTensor& observed, const ModelLayout& shared, int mode, const Standard& standard,
           Likelihood likelihood, std::span<const double> start, std::uint64_t seed)
      : cells_(std::make_shared<SparseTensor>(observed)),
        layout_(shared.with(mode, observed.shape()[mode])),
        mode_(mode),
        standard_(standard),
        likelihood_(likelihood),
        random_(seed, 2) {
    parameters_.resize(layout_.size());
    take(shared, start);
    const double first = start[shared.start(mode == 0 ? 1 : 0)];
    for (std::size_t i = 0; i < layout_.factor_size(mode); ++i)
      parameters_[layout_.start(mode) + i] =
          likelihood.poisson ? std::abs(first) * (0.5 + random_.uniform()) : first * random_.normal();
  }

  std::uint64_t cells() const { return cells_->size(); }
  const ModelLayout& layout() const { return layout_; }
  const std::vector<double>& parameters() const { return parameters_; }

  void take(const ModelLayout& shared, std::span<const double> factors) {
    for (int mode = 0; mode < layout_.order(); ++mode)
      if (mode != mode_)
        std::ranges::copy(factors.subspan(shared.start(mode), shared.factor_size(mode)),
                          parameters_.begin() + static_cast<std::ptrdiff_t>(layout_.start(mode)));
  }
  // Numbers of cells that the site has; an auditor may name others.
  void draw(std::span<const std::uint64_t> batch) {
    batch_.assign(batch.begin(), batch.end());
    std::erase_if(batch_, [&](std::uint64_t entry) { return entry >= cells_->size(); });
  }

  // The gradient of the log-posterior in the factor of a mode, estimated from the batch, which has the share
  // `rate` of all cells.
  std::vector<double> gradient(int mode, double rate) const {
    std::vector<double> sum(layout_.factor_size(mode));
    CellGradient cell(layout_);
    for (std::uint64_t entry : batch_) {
      const auto positions = cells_->cells().cell(entry);
      const double value = (cells_->values()[entry] - standard_.level) / standard_.scale;
      const double push = likelihood_.slope(value, cell.at(parameters_.data(), positions)) / rate;
      const std::size_t row = positions[mode] * layout_.columns(mode);
      for (std::size_t k = 0; k < layout_.columns(mode); ++k) sum[row + k] += push * cell.row(mode)[k];
    }
    for (std::size_t i = 0; i < sum.size(); ++i)
      sum[i] += likelihood_.prior_slope(parameters_[layout_.start(mode) + i]);
    return sum;
  }

  // (4.10), (4.21)
  void move_users(double rate, double size) {
    const double users = static_cast<double>(layout_.shape()[mode_]);
    const double step = size * users / std::max(1.0, static_cast<double>(cells_->size()));
    std::vector<double> slope = gradient(mode_, rate);
    for (double& number : slope) number *= step;
    add_to_users(slope, std::sqrt(2 * step));
  }
  // (4.12) to (4.14), (4.23) to (4.25)
  void move_users_as_shared(double rate, double clip, const SgldStep& step) {
    add_to_users(clipped(gradient(mode_, rate), clip, step.size), step.deviation);
  }

 private:
  void add_to_users(const std::vector<double>& moves, double deviation) {
    for (std::size_t i = 0; i < moves.size(); ++i) {
      double& parameter = parameters_[layout_.start(mode_) + i];
      parameter = likelihood_.kept(parameter + moves[i] + deviation * random_.normal());
    }
  }

  std::shared_ptr<const SparseTensor> cells_;
  ModelLayout layout_;
  int mode_;
  Standard standard_;
  Likelihood likelihood_;
  Random random_;
  std::vector<double> parameters_;
  std::vector<std::uint64_t> batch_;
};

Standard standard_for(const PrivateRequest& request, bool poisson) {
  if (!poisson) return standard_of(request.data.range());
  if (request.data.range().low < 0)
    fail_usage("as published, dp-sgld takes a matrix of counts or ratings; give a range from 0 or above");
  return {0, 1};
}

std::vector<double> published_start(const PrivateRequest& request, const ModelLayout& layout, bool poisson) {
  const double terms = static_cast<double>(layout.columns(0));
  if (!poisson) return random_numbers(layout, std::pow(0.1 / terms, 0.5 / layout.order()), request.fit.seed);
  return std::vector<double>(layout.size(), std::sqrt(std::max(request.data.range().middle(), 1.0) / terms));
}

// The number of cells of a site, which the paper assumes to be known; with several sites, the average, since
// noise must be the same at all of them. Noise of 0.01 disappears in rounding.
double cells_of_a_site(const Protected<SgldSite>& site, const PrivateRequest& request, Curator& curator) {
  const auto noise =
      AdditiveNoise::gaussian(Sensitivity::l2(1, request.terms.unit, request.relation), 0.01, 2);
  const Noisy counts =
      curator.release(site, noise, "cells of a site, as good as exact", [](const SgldSite& own) {
        return std::vector<double>{static_cast<double>(own.cells()), 1};
      });
  return std::max(1.0, std::round(counts.values[0]) / std::max(1.0, std::round(counts.values[1])));
}

SgldRun sgld_run(const PrivateRequest& request, double cells) {
  const Settings& given = request.settings;
  return {.budget = request.terms.budget,
          .steps = static_cast<double>(given.get(setting::steps).value_or(kPublishedSteps)),
          .rate = given.get(setting::sampling_rate).value_or(kPublishedShare),
          .cells = cells,
          .clip = given.get(setting::clip).value_or(kPublishedNorm),
          .first = given.get(setting::learning_rate).value_or(kPublishedStep)};
}

// Noise of a release that changes by 2 G eta at most. Rule li-decreasing divides it by the number of cells.
// The grid of the noise holds changes of up to 2^52 cells, and has 2^22 sqrt(coordinates) of them at most in
// a standard deviation.
double noise_multiplier(const SgldStep& step, const SgldRun& run, SgldRule rule, std::size_t coordinates) {
  const double multiplier = step.deviation / (2 * run.clip * step.size);
  if (!(multiplier >= 0x1p-30 * std::sqrt(static_cast<double>(coordinates))))
    fail_usage(
        "rule {}: on {:.0f} cells at epsilon {} the noise as printed is {:.2g} of what a batch may change, "
        "less than released numbers can hold; run it on fewer cells or at a smaller epsilon, or take another "
        "rule",
        name(rule), run.cells, run.budget.epsilon, multiplier);
  return multiplier;
}

std::string remark_of(const SgldRun& run, SgldRule rule, Protection level) {
  return fmt::format(
      "{} steps by rule {}, batches of a part {:g} of the cells; {}.", run.steps, name(rule), run.rate,
      level == Protection::all ? "user level: steps of users' rows have the noise of a shared factor"
                               : "site level: users' rows follow the data without such noise");
}

}  // namespace

Completion coupled_sgld_as_published(const PrivateRequest& request, Curator& curator) {
  if (request.terms.budget.delta == 0) fail_usage("method dp-sgld needs a delta above 0");
  curator.set_joint();
  const ModelLayout layout = layout_of(request);
  const int users = request.terms.user_mode;
  const Likelihood likelihood{layout.order() == 2};
  const SgldRule rule = request.settings.get(setting::sgld_rule)
                            .value_or(likelihood.poisson ? SgldRule::li_decreasing : SgldRule::advanced);
  const Protection level = request.settings.get(setting::protection).value_or(Protection::shared);
  const Standard standard = standard_for(request, likelihood.poisson);
  std::vector<double> shared = published_start(request, layout, likelihood.poisson);
  Protected<SgldSite> site =
      curator.map_with_seed(request.data.observed(), [&](const SparseTensor& observed, std::uint64_t seed) {
        return SgldSite(observed, layout, users, standard, likelihood, shared, seed);
      });
  const SgldRun run = sgld_run(request, cells_of_a_site(site, request, curator));
  const PoissonSampler sampler(run.rate);
  const auto count = site.map([](const SgldSite& own) { return own.cells(); });
  for (int t = 1; t <= static_cast<int>(run.steps); ++t) {
    const SgldStep step = sgld_step(rule, run, t);
    site = curator.map(site, curator.sample(sampler, count),
                       [](SgldSite own, const std::vector<std::uint64_t>& batch) {
                         own.draw(batch);
                         return own;
                       });
    for (int mode = 0; mode < layout.order(); ++mode) {
      if (mode == users) continue;
      const double most = 2 * run.clip * step.size;
      const Noisy move = curator.release(
          site,
          AdditiveNoise::gaussian(Sensitivity::l2(most, request.terms.unit, request.relation),
                                  noise_multiplier(step, run, rule, layout.factor_size(mode)),
                                  layout.factor_size(mode)),
          fmt::format("a step of factor {}", mode + 1),
          [&](const SgldSite& own) { return clipped(own.gradient(mode, run.rate), run.clip, step.size); });
      for (std::size_t i = 0; i < move.values.size(); ++i)
        shared[layout.start(mode) + i] = likelihood.kept(shared[layout.start(mode) + i] + move.values[i]);
    }
    site = site.map([&](SgldSite own) {
      if (level == Protection::all)
        own.move_users_as_shared(run.rate, run.clip, step);
      else
        own.move_users(run.rate, step.size);
      own.take(layout, shared);
      return own;
    });
  }
  std::fill_n(shared.begin() + static_cast<std::ptrdiff_t>(layout.start(users)), layout.factor_size(users),
              0.0);
  return {.model = to_model(layout, shared, standard.level, standard.scale),
          .solver = "sgld",
          .with_user_rows = site.map([&](const SgldSite& own) {
            return to_model(own.layout(), own.parameters(), standard.level, standard.scale);
          }),
          .remarks = {remark_of(run, rule, level)}};
}

}  // namespace tulle
