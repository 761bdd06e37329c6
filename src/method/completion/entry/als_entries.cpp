// Method als for single entries: offsets and features from one vector of weighted sums, then sweeps
// (Tulle).
//
// Unit, relation:  entry, replace. Public: shape, positions, range, options; hence all weights.
// Releases:        1. weighted sums of values less the middle: they change by the change of an entry, at
//                  most the width, times its weights, whose largest length, in L1 (Laplace) or L2
//                  (Gaussian), times that change is the sensitivity, and 2 steps of the grid per sum that
//                  it is in. 2. (sweeps) right-hand sides of one mode after the other, als_sweeps.cpp.
// After that free: variances, posterior means, rows of the factors. Noise and shares are chosen on made-up
//                  data at the same positions.
// Cost:            O(entries x features^2) for the release, O(entries x features) per step of conjugate
//                  gradients.
#include "als_sweeps.hpp"
#include "completion/als_forms.hpp"
#include "estimate/effects_posterior.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/unit_blocks.hpp>

#include <algorithm>

namespace tulle {
namespace {

constexpr int kFeatures = 8;
constexpr int kLearningSteps = 8;
constexpr double kFirstShare = 0.4;  // of the budget, for the first release, when sweeps follow
constexpr int kSweptRank = 3, kSweeps = 6;
constexpr double kTolerance = 3e-3;

// Shares of the budget; the rest goes to the sums of every position.
struct Shares {
  double rows;   // sums of values x features, of each mode that has them
  bool busiest;  // only of the mode with the most cells a position
  double core;   // sums of values x products of features
  double offsets() const { return 1 - rows - core; }
};

constexpr Shares kBiasesOnly{0, false, 0};

// The prior for any data, relative to the width of their range: about what a part of MovieLens ua.base
// without noise gives.
EffectPrior first_guess(const CellEffects& effects, double width) {
  EffectPrior prior{.noise = 0.053 * width * width, .variances = {}};
  for (const CellEffects::Block& block : effects.blocks()) {
    const double relative = block.kind == CellEffects::Kind::global   ? 0.25
                            : block.kind == CellEffects::Kind::offset ? 0.0107
                            : block.kind == CellEffects::Kind::row    ? 0.003
                            : block.kind == CellEffects::Kind::core   ? 0.0023
                                                                      : 0.01;
    prior.variances.push_back(relative * width * width);
  }
  return prior;
}

// The number of components that was asked for, if any.
using Components = std::optional<int>;

int features_of(const Components& wanted) {
  return wanted.value_or(kFeatures);
}
int swept_rank_of(const Components& wanted) {
  return wanted.value_or(kSweptRank);
}

// The public part of the first release: its sums and their weights. `pure`: the noise is for their L1 norm.
class WeightedSums {
 public:
  WeightedSums(const Cells& cells, const Range& range, int features, bool in_l1)
      : pure(in_l1), cells_(cells), range_(range), effects_(cells, position_features(cells, features)) {}

  bool pure;

  const CellEffects& effects() const { return effects_; }
  double width() const { return range_.width(); }

  // A share of a pure budget is a share of the L1 norm, of a Gaussian one of the squared L2 norm.
  double weight(double share) const { return pure ? share : std::sqrt(share); }

  // The length of the vector that a cell adds to the sums, in the norm of the noise.
  double length(const std::vector<double>& numbers) const {
    double sum = 0;
    for (double number : numbers) sum += pure ? std::abs(number) : number * number;
    return pure ? sum : std::sqrt(sum);
  }
  double length(const Matrix& features, Index position) const {
    return pure ? features.row(position).lpNorm<1>() : features.row(position).norm();
  }

  // A cell divides its share between the sums of its positions. A position with many cells needs less:
  // weights fall with the number of cells to the power 0.6 (found on held-out parts of MovieLens ua.base,
  // where the error is flat around it).
  std::vector<std::vector<double>> offset_weights(double share) const {
    std::vector<std::vector<double>> weights(cells_.order(), std::vector<double>(cells_.size()));
    std::vector<double> parts(cells_.order());
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      for (int mode = 0; mode < cells_.order(); ++mode)
        parts[mode] = std::pow(static_cast<double>(effects_.group(mode).count(cells_(cell, mode))), -0.6);
      const double scale = weight(share) / length(parts);
      for (int mode = 0; mode < cells_.order(); ++mode) weights[mode][cell] = scale * parts[mode];
    }
    return weights;
  }

  int busiest_mode() const {
    int best = 0;
    for (int mode = 1; mode < cells_.order(); ++mode)
      if (effects_.group(mode).occupied() < effects_.group(best).occupied()) best = mode;
    return best;
  }

  EffectWeights weights_for(const Shares& shares) const {
    EffectWeights weights{.global = 0, .offsets = offset_weights(shares.offsets()), .rows = {}, .core = 0};
    weights.rows.assign(cells_.order(), 0);
    if (effects_.features().empty()) return weights;
    double longest = 0;  // of the features; at most sqrt(their number) in L1, 1 in L2
    for (const PairFeatures& pair : effects_.features())
      for (const Matrix* features : {&pair.of_first, &pair.of_second})
        for (Eigen::Index i = 0; i < features->rows(); ++i)
          longest = std::max(longest, length(*features, static_cast<Index>(i)));
    const double pairs = static_cast<double>(effects_.features().size());
    const double sides = shares.busiest ? 1 : 2;
    for (int mode = 0; mode < cells_.order(); ++mode)
      if (!shares.busiest || mode == busiest_mode())
        weights.rows[mode] = weight(shares.rows / (pairs * sides)) / longest;
    weights.core = weight(shares.core / pairs) / (longest * longest);
    return weights;
  }

  // The largest length of the weights of a cell.
  double longest_weights(const EffectWeights& weights) const {
    double largest = 0;
    std::vector<double> numbers;
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      numbers.clear();
      for (int mode = 0; mode < cells_.order(); ++mode) numbers.push_back(weights.offsets[mode][cell]);
      for (const PairFeatures& pair : effects_.features()) {
        const double first = length(pair.of_first, cells_(cell, pair.first));
        const double second = length(pair.of_second, cells_(cell, pair.second));
        numbers.push_back(weights.rows[pair.first] * second);
        numbers.push_back(weights.rows[pair.second] * first);
        numbers.push_back(weights.core * first * second);
      }
      largest = std::max(largest, length(numbers));
    }
    return largest * (1 + 1e-9);
  }

  // No weight of a cell is larger than the length of all of them.
  SumGrid grid_for(double longest) const {
    return {width() / 2 * longest, static_cast<double>(cells_.size())};
  }

  static bool is_measured(const CellEffects::Block& block, const EffectWeights& weights) {
    switch (block.kind) {
      case CellEffects::Kind::global:
        return weights.global > 0;
      case CellEffects::Kind::offset:
        return true;
      case CellEffects::Kind::row:
        return weights.rows[block.mode] > 0;
      case CellEffects::Kind::core:
        return weights.core > 0;
      case CellEffects::Kind::trend:
        return false;
    }
    return false;
  }

  std::uint64_t measured_count(const EffectWeights& weights) const {
    std::uint64_t count = 0;
    for (const CellEffects::Block& block : effects_.blocks())
      if (is_measured(block, weights)) count += block.size;
    return count;
  }

  // Rows and cores without a released sum are not part of the model; the global level and trends show in the
  // sums of all positions.
  EffectPrior in_model(EffectPrior prior, const EffectWeights& weights) const {
    for (std::size_t b = 0; b < prior.variances.size(); ++b) {
      const CellEffects::Block& block = effects_.blocks()[b];
      const bool interaction = block.kind == CellEffects::Kind::row || block.kind == CellEffects::Kind::core;
      if (interaction && !is_measured(block, weights)) prior.variances[b] = 0;
    }
    return prior;
  }

  // The exact answer of the release: the measured blocks of effects in order, added up over blocks of cells.
  std::vector<double> exact(const SparseTensor& observed, const EffectWeights& weights,
                            std::size_t block_size) const {
    Vector centred(static_cast<Eigen::Index>(observed.size()));
    for (std::size_t cell = 0; cell < observed.size(); ++cell)
      centred[cell] = range_.centred(observed.values()[cell]);
    const SumGrid grid = grid_for(longest_weights(weights));
    const Vector sums = add_up_blocks(observed.size(), block_size, [&](std::size_t begin, std::size_t end) {
      return effects_.gather_exactly(centred, weights, grid, begin, end);
    });
    std::vector<double> numbers;
    for (const CellEffects::Block& block : effects_.blocks())
      if (is_measured(block, weights))
        numbers.insert(numbers.end(), sums.data() + block.begin, sums.data() + block.begin + block.size);
    return numbers;
  }

  // Blocks that were not released are zero.
  Vector in_blocks(const std::vector<double>& released, const EffectWeights& weights) const {
    Vector y = Vector::Zero(effects_.size());
    const double* next = released.data();
    for (const CellEffects::Block& block : effects_.blocks())
      if (is_measured(block, weights)) {
        std::copy_n(next, block.size, y.data() + block.begin);
        next += block.size;
      }
    return y;
  }

 private:
  const Cells& cells_;
  Range range_;
  CellEffects effects_;
};

constexpr const char* kSums = "weighted sums";  // the id of the first release

// Choices about the releases, made from public facts.
struct Choices {
  Shares shares;
  bool pure;
  Components components;
  int sweeps;

  std::vector<double> numbers() const {
    return {shares.rows,      shares.busiest ? 1.0 : 0.0,      shares.core,
            pure ? 1.0 : 0.0, double(components.value_or(-1)), double(sweeps)};
  }

  // Checks the numbers, which a damaged file may have changed.
  static Choices of(const Release& sums) {
    const std::vector<double>& n = sums.chosen;
    if (n.size() != 6 || !(n[0] >= 0 && n[2] >= 0 && n[0] + n[2] < 1) || !(n[4] >= -1 && n[4] < 1e6) ||
        !(n[5] >= 0 && n[5] < 1e6))
      fail("release '{}' does not say how it was made; it cannot be refitted", sums.id);
    return {{n[0], n[1] != 0, n[2]},
            n[3] != 0,
            n[4] < 0 ? Components() : static_cast<int>(n[4]),
            static_cast<int>(n[5])};
  }
};

// The estimate from the first release, before any sweep.
struct FirstEstimate {
  Vector effects;
  double spread;  // variance of the entries around them

  // Sums for offsets come first; `alone` omits those of features.
  FirstEstimate(const WeightedSums& sums, const Release& release, const Shares& shares, const Range& range,
                bool alone = false) {
    const EffectWeights weights = sums.weights_for(shares);
    const std::size_t count = sums.measured_count(weights);
    if (alone ? count > release.values.size() : count != release.values.size())
      fail("release '{}' is not of these positions; it cannot be refitted", release.id);
    const Vector y = sums.in_blocks(release.values, weights);
    EffectsPosterior posterior(sums.effects(), weights, std::max(release.deviation, 1e-9 * sums.width()));
    const EffectPrior prior =
        posterior.learn(y, sums.in_model(first_guess(sums.effects(), sums.width()), weights), kLearningSteps);
    Vector start = Vector::Zero(y.size());
    effects = posterior.mean(y, prior, kTolerance, start);
    effects[0] += range.middle();
    spread = prior.noise;
  }
};

class EntryMeasurement {
 public:
  EntryMeasurement(const PrivateRequest& request, Curator& curator)
      : request_(request),
        curator_(curator),
        cells_(request.data.positions()),
        wanted_(wanted_components(request.fit)),
        sums_(cells_, request.data.range(), features_of(wanted_), request.terms.budget.delta == 0),
        swept_rank_(swept_rank_of(wanted_)),
        sweeps_(wanted_sweeps()) {}

  Releases run() {
    const Shares shares = choose();
    const EffectWeights weights = sums_.weights_for(shares);
    const AdditiveNoise noise = noise_for(weights);
    curator_.plan(stages());
    Noisy released = curator_.release(request_.data.observed(), noise, "weighted sums of every position",
                                      [&](const SparseTensor& observed) {
                                        return sums_.exact(observed, weights, request_.fit.block_size);
                                      });
    Releases releases{Release::of(kSums, curator_, std::move(released))};
    releases.front().chosen = Choices{shares, sums_.pure, wanted_, sweeps_}.numbers();
    if (sweeps_ > 0) sweep(shares, releases);
    return releases;
  }

 private:
  // ---- The budget ----

  double first_share() const { return sweeps_ == 0 ? 1 : kFirstShare; }
  double sweep_share() const { return (1 - kFirstShare) / (sweeps_ * cells_.order()); }

  // The loss of a release of this many values. For one value, Laplace noise costs less than a general pure
  // release.
  Loss loss(std::uint64_t numbers) const {
    return !sums_.pure ? Loss::gaussian : numbers == 1 ? Loss::laplace : Loss::pure;
  }

  std::vector<Stage> stages() const {
    std::uint64_t positions = 0;
    for (int mode = 0; mode < cells_.order(); ++mode) positions += cells_.shape()[mode];
    std::vector<Stage> stages{{.loss = loss(positions), .share = first_share()}};
    if (sweeps_ == 0) return stages;
    for (int mode = 0; mode < cells_.order(); ++mode)
      stages.push_back({.loss = loss(std::uint64_t{cells_.shape()[mode]} * swept_rank_),
                        .share = sweep_share(),
                        .count = static_cast<std::uint64_t>(sweeps_)});
    return stages;
  }

  // Asks the curator for the noise of the first release and of each update of a sweep.
  void ask_for_noise(bool pure) {
    sums_.pure = pure;
    const std::vector<double> noise = curator_.offer(stages());
    of_sums_ = noise.front(), of_update_ = noise.back();
  }

  // Noise for a release of sensitivity `length` times the change of a value, in L1 for pure budgets and in L2
  // for others.
  AdditiveNoise noise(double offered, double length, std::uint64_t numbers) const {
    const double moves = request_.data.largest_change() * length;
    if (sums_.pure)
      return AdditiveNoise::laplace(Sensitivity::l1(moves, Unit::entry, request_.relation), offered, numbers);
    return AdditiveNoise::gaussian(Sensitivity::l2(moves, Unit::entry, request_.relation), offered, numbers);
  }

  // Sweeps pay where the noise on a number of a row, about 3 rank x multiplier x width / cells, is small
  // against what components may explain, about 0.003 x width. All of this is public.
  int wanted_sweeps() const {
    if (swept_rank_ == 0) return 0;
    if (const auto steps = request_.settings.get(setting::steps)) return *steps;
    const double share = (1 - kFirstShare) / (kSweeps * cells_.order());
    const double offered = curator_.offer({{.loss = loss(2), .share = share}}).front();
    const double multiplier = sums_.pure ? std::sqrt(2.0 * swept_rank_) / offered : offered;
    std::size_t most = 0;  // positions of a mode
    for (int mode = 0; mode < cells_.order(); ++mode)
      most = std::max(most, sums_.effects().group(mode).occupied());
    const double cells = static_cast<double>(cells_.size()) / static_cast<double>(most);
    return 3 * swept_rank_ * multiplier / cells < 0.003 ? kSweeps : 0;
  }

  void sweep(const Shares& shares, Releases& releases) {
    const FirstEstimate first(sums_, releases.front(), shares, request_.data.range());
    EntrySweeps sweeps(cells_, request_.data.range(), sums_.effects().expect(first.effects), swept_rank_,
                       first.spread, request_.fit.seed, request_.fit.block_size);
    for (int sweep = 0; sweep < sweeps_; ++sweep)
      for (int mode = 0; mode < cells_.order(); ++mode)
        if (auto release = sweeps.update(
                request_.data, mode, sums_.pure,
                [&](double length, std::uint64_t numbers) { return noise(of_update_, length, numbers); },
                curator_))
          releases.push_back(std::move(*release));
  }

  // Neighbours differ in the value of one cell, by the largest change; its positions and those of all others,
  // hence all weights, are the same. So the sums change by at most this change x the largest length of the
  // weights of a cell, and by two steps of the grid in each sum that the cell is in.
  AdditiveNoise noise_for(const EffectWeights& weights) const {
    const double longest = sums_.longest_weights(weights), terms = sums_.effects().terms_of_a_cell();
    const double rounding = 2 * sums_.grid_for(longest).step() * (sums_.pure ? terms : std::sqrt(terms));
    return noise(of_sums_, longest + rounding / request_.data.largest_change(),
                 sums_.measured_count(weights));
  }

  // Noise that may be used. Laplace noise meets any budget, and beats Gaussian noise where few numbers move.
  std::vector<bool> pure_or_not() const {
    const auto noise = request_.settings.get(setting::noise);
    const bool gaussian_fits = request_.terms.budget.delta > 0;
    if (noise == NoiseKind::laplace || (!noise && !gaussian_fits)) return {true};
    if (!noise) return {true, false};
    if (!gaussian_fits) fail_usage("gaussian noise needs a delta above 0");
    return {false};
  }

  // Tries kinds of noise and shares on made-up data at the same positions, which are public, and takes the
  // best.
  Shares choose() {
    std::vector<Shares> candidates{kBiasesOnly};
    if (!sums_.effects().features().empty())
      candidates.insert(
          candidates.end(),
          {{0, false, 0.1}, {0, false, 0.25}, {0.25, true, 0.15}, {0.4, true, 0.1}, {0.4, false, 0.1}});
    const EffectPrior truth = first_guess(sums_.effects(), sums_.width());
    Shares best = kBiasesOnly;
    bool best_pure = sums_.pure;
    double least = std::numeric_limits<double>::infinity();
    for (const bool pure : pure_or_not()) {
      ask_for_noise(pure);
      for (const Shares& shares : candidates) {
        const EffectWeights weights = sums_.weights_for(shares);
        const EffectsPosterior posterior(sums_.effects(), weights, noise_for(weights).deviation());
        const double error = posterior.expected_error(truth, sums_.in_model(truth, weights), 1);
        if (error < least) least = error, best = shares, best_pure = pure;
      }
    }
    ask_for_noise(best_pure);
    return best;
  }

  const PrivateRequest& request_;
  Curator& curator_;
  const Cells& cells_;
  Components wanted_;
  WeightedSums sums_;
  int swept_rank_, sweeps_;
  double of_sums_ = 0, of_update_ = 0;  // noise multipliers, or epsilons where noise is pure
};

std::string remark_on(const WeightedSums& sums, const Choices& made) {
  const Shares& shares = made.shares;
  std::string text = shares.rows + shares.core == 0 || sums.effects().features().empty()
                         ? std::string("Released sums for offsets alone: features of positions do not pay.")
                         : fmt::format(
                               "Of the first release, {:.0f} % went to offsets, {:.0f} % to rows and "
                               "{:.0f} % to the core of {} features "
                               "that positions alone tell.",
                               100 * shares.offsets(), 100 * shares.rows, 100 * shares.core,
                               sums.effects().features().front().count());
  if (made.sweeps > 0)
    text += fmt::format(" Swept {} times over {} components.", made.sweeps, swept_rank_of(made.components));
  return text;
}

}  // namespace

Releases measure_als_entries(const PrivateRequest& request, Curator& curator) {
  return EntryMeasurement(request, curator).run();
}

Completion estimate_als_entries(const Measurement& measured, const FitOptions& fit) {
  const std::vector<const Release*> released = measured.all(kSums);
  if (!measured.positions || released.empty())
    fail("the releases lack '{}' at public positions; they cannot be refitted", kSums);
  const Choices made = Choices::of(*released.front());
  const bool offsets = offsets_alone(made.components, fit);
  const Cells& cells = *measured.positions;
  const Range range{measured.low, measured.high};
  const WeightedSums sums(cells, range, offsets ? 0 : features_of(made.components), made.pure);
  const FirstEstimate first(sums, *released.front(), made.shares, range, offsets);
  Cp model = sums.effects().model(first.effects);
  Completion completion{.model = model, .solver = "als", .converged = true};
  completion.remarks.push_back(offsets ? kOffsetsOfMore : remark_on(sums, made));
  if (offsets || made.sweeps == 0) return completion;
  const int rank = swept_rank_of(made.components);
  std::vector<std::size_t> sizes;
  for (const Index size : measured.shape.dimensions())
    sizes.push_back(std::size_t{size} * static_cast<std::size_t>(rank));
  check_swept(measured, kRightSides, sizes);
  EntrySweeps sweeps(cells, range, sums.effects().expect(first.effects), rank, first.spread, measured.seed);
  for (const Release* right_sides : measured.all(kRightSides)) sweeps.take(*right_sides);
  completion.model = sum(model, {Vector::Ones(rank), sweeps.factors(), {}});
  return completion;
}

}  // namespace tulle
