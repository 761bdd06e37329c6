// Fast differentially private matrix factorization (Liu, Wang and Smola, RecSys 2015), with which ermis2020
// compares (figures 7.5 (b) and 7.12, table 7.6). What is here follows that paper's outline, not its code:
// - at most tau ratings of a user count; squared errors are assumed to be at most kappa^2, so that one
//   user adds at most B = tau kappa^2 to the log-likelihood;
// - a sample of the posterior exp(-epsilon / (4 B) sum of squared errors - ridge / 2 sum of squares) is then
//   epsilon-private for a user (one posterior sample, ermis2020, theorem 2.9), without further noise;
// - it is sampled by stochastic gradient Langevin dynamics: minibatches of ratings, steps of size eta with
//   noise of variance eta; the last items' rows are the sample, and each user keeps her own row.
// Here kappa is 5/4 of the width of the range: predictions may be beyond it by one on a scale of 1 to 5. The
// paper counts no steps: the record has the noise of each with the change that a user's tau ratings make to
// it where errors are at most kappa and her row has length 1.
#include "liu2015.hpp"

#include "crafted.hpp"
#include "methods.hpp"
#include "model_request.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/tensor/group_entries.hpp>
#include <tulle/tensor/kernels/cell_gradient.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

namespace tulle {
namespace {

constexpr int kLiuSteps = 200, kLiuRatings = 200;
constexpr double kLiuShare = 0.1, kLiuStep = 0.02, kLiuRidge = 10;
constexpr double kLargestError = 2.5;  // 5/4 of the width, which is 2 when standardised

// The state of the sampler. Only the items' rows leave it, with the noise of a step.
class PosteriorChain {
 public:
  PosteriorChain(const SparseTensor& observed, const ModelLayout& shared, int users, int most,
                 const Standard& standard, double deviation, std::span<const double> start,
                 std::uint64_t seed)
      : layout_(shared.with(users, observed.shape()[users])),
        users_(users),
        standard_(standard),
        random_(seed, 3),
        parameters_(layout_.size()) {
    cells_ = std::make_shared<SparseTensor>(observed.select(trimmed(observed, most)));
    for (double& number : parameters_) number = deviation * random_.normal();
    take(start);
  }

  std::uint64_t cells() const { return cells_->size(); }
  const ModelLayout& layout() const { return layout_; }
  const std::vector<double>& parameters() const { return parameters_; }

  void take(std::span<const double> items) {
    std::ranges::copy(items, parameters_.begin() + static_cast<std::ptrdiff_t>(layout_.start(1 - users_)));
  }
  void draw(std::span<const std::uint64_t> batch) {
    batch_.assign(batch.begin(), batch.end());
    std::erase_if(batch_, [&](std::uint64_t entry) { return entry >= cells_->size(); });
  }
  // The items after a step, before its noise.
  std::vector<double> moved_items(const TemperedPosterior& posterior, double rate, double eta) const {
    return moved(posterior, 1 - users_, rate, eta);
  }
  void move_users(const TemperedPosterior& posterior, double rate, double eta) {
    const std::vector<double> rows = moved(posterior, users_, rate, eta);
    for (std::size_t i = 0; i < rows.size(); ++i)
      parameters_[layout_.start(users_) + i] = rows[i] + std::sqrt(eta) * random_.normal();
  }

 private:
  std::vector<double> moved(const TemperedPosterior& posterior, int mode, double rate, double eta) const {
    std::vector<double> slope = posterior.slope(*cells_, standard_, layout_, parameters_, mode, batch_, rate);
    for (std::size_t i = 0; i < slope.size(); ++i)
      slope[i] = parameters_[layout_.start(mode) + i] + eta / 2 * slope[i];
    return slope;
  }

  // At most `most` cells of every user, drawn at random.
  std::vector<std::size_t> trimmed(const SparseTensor& observed, int most) {
    std::vector<std::size_t> order(observed.size()), kept;
    const std::vector<std::size_t> starts = group_entries(
        observed.size(), observed.shape()[users_],
        [&](std::size_t entry) { return observed.column(users_)[entry]; },
        [&](std::size_t entry, std::size_t place) { order[place] = entry; });
    for (std::size_t user = 0; user + 1 < starts.size(); ++user) {
      const auto own = std::span(order).subspan(starts[user], starts[user + 1] - starts[user]);
      random_.shuffle(own);
      const auto counted = own.first(std::min(own.size(), static_cast<std::size_t>(most)));
      kept.insert(kept.end(), counted.begin(), counted.end());
    }
    return kept;
  }

  ModelLayout layout_;
  int users_;
  Standard standard_;
  Random random_;
  std::vector<double> parameters_;
  std::shared_ptr<const SparseTensor> cells_;
  std::vector<std::uint64_t> batch_;
};

struct LiuRun {
  int steps, ratings;
  double rate, eta, temper;

  explicit LiuRun(const PrivateRequest& request)
      : steps(request.settings.get(setting::steps).value_or(kLiuSteps)),
        ratings(request.settings.get(setting::entries_per_user).value_or(kLiuRatings)),
        rate(request.settings.get(setting::sampling_rate).value_or(kLiuShare)),
        eta(request.settings.get(setting::learning_rate).value_or(kLiuStep)),
        temper(request.terms.budget.epsilon / (4 * ratings * kLargestError * kLargestError)) {}

  // The change of the items by a user whose row has length 1: tau gradients of length 2 temper kappa, each at
  // a different item, times eta / 2.
  double change() const { return eta * temper * kLargestError * std::sqrt(ratings) / rate; }
};

Completion complete_liu(const PrivateRequest& request, Curator& curator) {
  if (request.data.shape().order() != 2)
    fail_usage("method liu2015 is for matrices; use dp-sgld for tensors");
  curator.set_joint();
  const ModelLayout layout = layout_of(request);
  const int users = request.terms.user_mode, items = 1 - users;
  const Standard standard = standard_of(request.data.range());
  const LiuRun run(request);
  const TemperedPosterior posterior{run.temper, request.fit.ridge.value_or(kLiuRidge)};
  if (!(posterior.ridge > 0)) fail_usage("ridge 0: the prior of method liu2015 needs a ridge above 0");
  const double deviation = 1 / std::sqrt(posterior.ridge);  // of the prior, where the chain starts
  std::vector<double> rows = random_numbers(layout, deviation, request.fit.seed);
  rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(layout.start(items)));
  rows.resize(layout.factor_size(items));
  auto chain =
      curator.map_with_seed(request.data.observed(), [&](const SparseTensor& observed, std::uint64_t seed) {
        return PosteriorChain(observed, layout, users, run.ratings, standard, deviation, rows, seed);
      });
  const auto count = chain.map([](const PosteriorChain& own) { return own.cells(); });
  const auto noise =
      AdditiveNoise::gaussian(Sensitivity::l2(run.change(), request.terms.unit, request.relation),
                              std::sqrt(run.eta) / run.change(), layout.factor_size(items));
  for (int step = 0; step < run.steps; ++step) {
    chain = curator.map(chain, curator.sample(PoissonSampler(run.rate), count),
                        [](PosteriorChain own, const std::vector<std::uint64_t>& batch) {
                          own.draw(batch);
                          return own;
                        });
    const Noisy moved = curator.release(
        chain, noise, "a Langevin step of the items",
        [&](const PosteriorChain& own) { return own.moved_items(posterior, run.rate, run.eta); });
    chain = chain.map([&](PosteriorChain own) {
      own.move_users(posterior, run.rate, run.eta);
      own.take(moved.values);
      return own;
    });
    rows = moved.values;
  }
  std::vector<double> shared(layout.size());
  std::ranges::copy(rows, shared.begin() + static_cast<std::ptrdiff_t>(layout.start(items)));
  return {.model = to_model(layout, shared, standard.level, standard.scale),
          .solver = "sgld",
          .with_user_rows = chain.map([&](const PosteriorChain& own) {
            return to_model(own.layout(), own.parameters(), standard.level, standard.scale);
          }),
          .remarks = {fmt::format("{} Langevin steps; squared errors count {:.4g} times, those of at most {} "
                                  "ratings per user.",
                                  run.steps, run.temper, run.ratings)}};
}

}  // namespace

std::vector<double> TemperedPosterior::slope(const SparseTensor& observed, const Standard& standard,
                                             const ModelLayout& layout, std::span<const double> parameters,
                                             int mode, std::span<const std::uint64_t> cells,
                                             double rate) const {
  std::vector<double> sum(layout.factor_size(mode));
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = -ridge * parameters[layout.start(mode) + i];
  CellGradient cell(layout);
  for (std::uint64_t entry : cells) {
    const auto positions = observed.cells().cell(entry);
    const double value = (observed.values()[entry] - standard.level) / standard.scale;
    const double error = value - cell.at(parameters.data(), positions);
    double* const row = sum.data() + positions[mode] * layout.columns(mode);
    for (std::size_t k = 0; k < layout.columns(mode); ++k)
      row[k] += 2 * temper * error / rate * cell.row(mode)[k];
  }
  return sum;
}

namespace {

CraftedTensor second_user_or_none() {
  return {.canary = "a user with one value, there or not, of a matrix",
          .neighbours = {Unit::user, Relation::add_remove},
          .data = cells_of({2, 3},
                           [](auto cell, double secret) {
                             if (cell[0] == 0) return cell[1] < 2 ? 0 : kNoCell;
                             return cell[1] == 2 && secret >= 0.5 ? 1 : kNoCell;
                           }),
          .watched_first = 1,  // cells are sampled, one per user; hers is the last
          .watched_second = 1};
}

}  // namespace

Method liu2015_method() {
  return {
      .name = "liu2015",
      .title = "one sample of the posterior of a factorization, by Langevin steps",
      .source = "Liu, Wang and Smola 2015, as described by ermis2020",
      .guarantee = "none is proven",
      .details =
          "Model cp, of matrices. Published form only: the likelihood is tempered so that an exact sample of "
          "the posterior would be epsilon-private for a user, and Langevin dynamics samples from it. Users' "
          "rows stay with the users.",
      .models = {ModelKind::cp},
      .protects = {{Unit::user, Relation::add_remove}},
      .settings = {takes(setting::steps, fmt::format("{}", kLiuSteps), {.least = 1}),
                   takes(setting::sampling_rate, fmt::format("{}", kLiuShare), {.above = 0, .most = 1}),
                   takes(setting::learning_rate, fmt::format("{}", kLiuStep), {.above = 0, .most = 1e6}),
                   takes(setting::entries_per_user, fmt::format("{}", kLiuRatings), {.least = 1})},
      .reads = {FitOption::rank, FitOption::ridge},
      .published = complete_liu,
      .why_unproven =
          "the theorem is for a sample of the posterior itself, and a chain of finitely many Langevin steps "
          "has another distribution, of unknown distance; and squared errors have no bound, since "
          "predictions have none",
      .instead = "method dp-sgld, whose steps are accounted for, or ops, which draws from an exact posterior",
      // The method assumes errors of at most kappa but does not clamp them: a wide prior makes them larger.
      .worst_cases = {{.data = second_user_or_none(),
                       .calibration = Calibration::published,
                       .settings = Settings()
                                       .set(setting::steps, 2)
                                       .set(setting::sampling_rate, 1)
                                       .set(setting::learning_rate, 0.01)
                                       .set(setting::entries_per_user, 1),
                       .ridge = 0.001,
                       .most_epsilon = 1}}};
}

}  // namespace tulle
