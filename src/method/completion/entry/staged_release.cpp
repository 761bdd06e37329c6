#include "staged_release.hpp"

#include "estimate/released_entries.hpp"
#include "release/mean_release.hpp"
#include "release/residual_window.hpp"

#include <tulle/base/random.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle {
namespace {

// Shares of the entries in disjoint batches of growing size: a first fit needs few, and the last batches gain
// most.
const std::vector kPortions = {0.125, 0.125, 0.25, 0.5};
constexpr std::uint64_t kFewestEntries = 16;  // so that no batch is empty
// release_portions: the histogram of a window gets the epsilon kCountOfWindow / entries, within these shares
// of the budget. If epsilon times entries is then below kFewestCounts, there are no windows.
constexpr double kCountOfWindow = 150, kLeastShare = 0.01, kMostTail = 0.05, kFewestCounts = 60;
// release_in_stages: each window and the mean get at least kGoodShare of epsilon, or kGoodEpsilon if that is
// less, since heavy tails show only in accurate counts. If they need more than kMostShare, there are no
// stages.
constexpr double kGoodShare = 0.015, kGoodEpsilon = 0.04, kMostShare = 0.02;

// A value outside of its window is clamped, which biases a fit towards the window. So an entry is omitted if
// its latest prediction is nearer to an end of its window than this, in half widths of the window, unless the
// range ends there too.
constexpr double kTooNear = 0.5;

// Dealt by public coins: positions, not values, decide.
std::vector<std::vector<std::uint64_t>> deal(std::uint64_t count, std::uint64_t seed,
                                             std::span<const double> shares) {
  std::vector<std::uint64_t> order(count);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  Random(seed).shuffle(std::span(order));
  std::vector<std::vector<std::uint64_t>> portions;
  double until = 0;
  auto from = order.begin();
  for (double share : shares) {
    until += share;
    const auto to = order.begin() + std::llround(until * static_cast<double>(count));
    portions.emplace_back(from, to);
    std::ranges::sort(portions.back());
    from = to;
  }
  return portions;
}

// Half the width of the window for entries that are not yet released.
using ChooseWindow = std::function<double(std::span<const std::uint64_t> entries,
                                          const Prediction& prediction, double noise_deviation)>;

class Stages {
 public:
  Stages(const PrivateRequest& request, Curator& curator, const NoiseOnEntries& noise_on,
         const Allowance& allowance, std::span<const double> portions, ChooseWindow window)
      : request_(request),
        curator_(curator),
        noise_on_(noise_on),
        portions_(portions),
        window_(std::move(window)),
        allowance_(allowance),
        unit_noise_(noise_on(allowance_, {-0.5, 0.5}, 1)) {}

  Loss loss() const { return loss_of(unit_noise_); }

  Releases run(std::vector<double> predictions, const PredictEntries& predict) {
    const std::uint64_t count = request_.data.positions().size();
    const auto dealt = deal(count, request_.fit.seed, portions_);
    Portions portions = curator_.in_portions(unit_noise_, count, "every entry, in portions");
    for (std::size_t stage = 0; stage < dealt.size(); ++stage) {
      release(dealt, stage, predictions, portions);
      mark_clipped(predictions);
      if (stage + 1 < dealt.size()) {
        predictions = predict(released_so_far());
        mark_clipped(predictions);
      }
    }
    return std::move(released_);
  }

 private:
  void release(const std::vector<std::vector<std::uint64_t>>& dealt, std::size_t stage,
               const std::vector<double>& predictions, Portions& portions) {
    std::vector<std::uint64_t> unreleased;
    for (std::size_t later = stage; later < dealt.size(); ++later)
      unreleased.insert(unreleased.end(), dealt[later].begin(), dealt[later].end());
    const Range& range = request_.data.range();
    const double half = window_(
        unreleased, [&](std::uint64_t entry) { return predictions[entry]; }, unit_noise_.typical_deviation());
    const std::vector<std::uint64_t>& entries = dealt[stage];
    const auto centre = [&](std::uint64_t entry) {
      return std::clamp(predictions[entry], range.low + half, std::max(range.low + half, range.high - half));
    };
    const AdditiveNoise noise = noise_on_(allowance_, {-half, half}, entries.size());
    Release portion = Release::of(
        kEntries, curator_, portions,
        curator_.release(request_.data.observed(), portions, entries, noise,
                         [&](const SparseTensor& observed, std::uint64_t entry) {
                           return std::clamp(observed.values()[entry] - centre(entry), -half, half);
                         }));
    std::vector<double>& centres = centres_.emplace_back();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      centres.push_back(centre(entries[i]));
      portion.values[i] += centres[i];
    }
    portion.typical = noise.typical_deviation();
    portion.units = entries;
    portion.window = 2 * half;
    released_.push_back(std::move(portion));
  }

  std::vector<const Release*> released_so_far() const {
    std::vector<const Release*> portions;
    for (const Release& portion : released_) portions.push_back(&portion);
    return portions;
  }

  void mark_clipped(const std::vector<double>& predictions) {
    for (std::size_t p = 0; p < released_.size(); ++p) {
      Release& portion = released_[p];
      portion.clipped.resize(portion.units.size());
      for (std::size_t i = 0; i < portion.units.size(); ++i)
        portion.clipped[i] = cut_off(portion.window / 2, centres_[p][i], predictions[portion.units[i]]);
    }
  }

  bool cut_off(double half, double centre, double prediction) const {
    const Range& range = request_.data.range();
    const double low = centre - half, high = centre + half;
    const double margin = kTooNear * half, rounding = 1e-6 * range.width();
    return (prediction < low + margin && low > range.low + rounding) ||
           (prediction > high - margin && high < range.high - rounding);
  }

  const PrivateRequest& request_;
  Curator& curator_;
  const NoiseOnEntries& noise_on_;
  std::span<const double> portions_;
  ChooseWindow window_;
  Allowance allowance_;       // of the entries
  AdditiveNoise unit_noise_;  // on a number in a window of width 1
  Releases released_;
  std::vector<std::vector<double>> centres_;  // of the windows of each portion
};

}  // namespace

bool enough_for_stages(std::uint64_t entries, double epsilon) {
  return entries >= kFewestEntries && ResidualWindow::epsilon_for(entries) <= kMostShare * epsilon;
}

Releases release_in_stages(const PrivateRequest& request, Curator& curator, const NoiseOnEntries& noise_on,
                           const PredictEntries& predict) {
  const std::uint64_t entries = request.data.positions().size();
  const double epsilon = request.terms.budget.epsilon;
  if (!enough_for_stages(entries, epsilon)) return {};
  const double each =
      std::max(ResidualWindow::epsilon_for(entries), std::min(kGoodShare * epsilon, kGoodEpsilon));
  const ResidualWindow window(request, each);
  const MeanRelease mean_release(request, each);
  const std::vector beside{mean_release.stage(), window.stage(kPortions.size())};
  Stages stages(request, curator, noise_on, curator.allowance(beside), kPortions,
                [&](std::span<const std::uint64_t> left, const Prediction& prediction, double deviation) {
                  return window.choose(request, curator, left, prediction, deviation);
                });
  curator.plan({{.loss = stages.loss()}, beside[0], beside[1]});
  Release mean = Release::of("mean", curator, mean_release.release(request, curator));
  Releases releases = stages.run(std::vector(entries, mean.values[0]), predict);
  releases.insert(releases.begin(), std::move(mean));
  return releases;
}

Portioning portioning(std::uint64_t entries, double epsilon) {
  const double counts = epsilon * static_cast<double>(entries);
  const double share = std::clamp(kCountOfWindow / counts, kLeastShare, kMostTail);
  Portioning how{.window_epsilon = share * epsilon};
  if (share * counts < kFewestCounts)
    how = {.portions = {1}};
  else if (share > kLeastShare)
    how.portions = {0.25, 0.75};
  else
    how.portions = kPortions;
  return how;
}

Releases release_portions(const PrivateRequest& request, Curator& curator, const Portioning& how,
                          double window, const NoiseOnEntries& noise_on, const PredictEntries& predict) {
  const double most = window / 2 * request.data.range().width();
  std::optional<ResidualWindow> distances;
  if (how.window_epsilon > 0) distances.emplace(request, how.window_epsilon);
  Stages stages(request, curator, noise_on, {how.epsilon}, how.portions,
                [&](std::span<const std::uint64_t> left, const Prediction& prediction, double) {
                  if (!distances) return most;
                  const Noisy counts = distances->distances(request, curator, left, prediction);
                  return std::min(most, request.data.range().width() *
                                            tail_window(counts, static_cast<double>(left.size())).half);
                });
  return stages.run(predict({}), predict);
}

std::string remark_on_stages(const Measurement& measured) {
  const std::vector<const Release*> portions = measured.all(kEntries);
  std::vector<double> windows;  // as parts of the range
  for (const Release* portion : portions)
    windows.push_back(portion->window / Range{measured.low, measured.high}.width());
  return fmt::format(
      "Released every entry once, in {} portions, each inside a window around what the earlier ones predict, "
      "with {} noise for windows of {:.2g} of the range.",
      portions.size(), portions.front()->noise, fmt::join(windows, ", "));
}

}  // namespace tulle
