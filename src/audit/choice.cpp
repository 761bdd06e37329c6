#include "choice.hpp"

#include <tulle/privacy/account/gdp.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace tulle::attacks {
namespace {

// Close enough to Clopper and Pearson's bound for a choice (Wilson 1927), and defined for fractional counts.
double roughly_lower(double successes, double trials, double z) {
  if (trials <= 0) return 0;
  const double p = successes / trials, z2 = z * z;
  return (p + z2 / (2 * trials) - z * std::sqrt(p * (1 - p) / trials + z2 / (4 * trials * trials))) /
         (1 + z2 / trials);
}

double roughly_normal_quantile(double p) {  // Abramowitz and Stegun 26.2.23: to 5e-4
  const double t = std::sqrt(-2 * std::log(std::min(p, 1 - p)));
  const double x =
      t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  return p < 0.5 ? -x : x;
}

constexpr double kSelectionBias = 1.5;  // of the best of many rules, in standard errors

// Shares of the trials, at either end of the scores, to guess on.
constexpr std::array kShares = {0.0,   0.0005, 0.001, 0.002, 0.003, 0.005, 0.0075, 0.01,
                                0.015, 0.02,   0.03,  0.05,  0.075, 0.1,   0.15,   0.2,
                                0.25,  0.3,    0.35,  0.4,   0.45,  0.5,   0.6};

struct Ranked {
  float score;
  std::uint8_t bit;
};

// The expected outcome of guessing on all scores beyond a threshold.
struct End {
  double threshold = 0, made = 0, right = 0;
};

// Tied scores are all inside.
std::vector<End> ends(const std::vector<Ranked>& from_the_end, std::uint8_t says) {
  std::vector<End> result;
  std::vector<double> right(from_the_end.size() + 1);
  for (std::size_t i = 0; i < from_the_end.size(); ++i)
    right[i + 1] = right[i] + (from_the_end[i].bit == says ? 1 : 0);
  for (double share : kShares) {
    auto count = static_cast<std::size_t>(std::ceil(share * static_cast<double>(from_the_end.size())));
    while (count > 0 && count < from_the_end.size() &&
           from_the_end[count].score == from_the_end[count - 1].score)
      ++count;
    // Half way to the next score.
    const double nowhere = says == 1 ? INFINITY : -INFINITY;
    const double inside = count > 0 ? from_the_end[count - 1].score : nowhere;
    const double outside = count > 0 && count < from_the_end.size() ? from_the_end[count].score : inside;
    result.push_back({inside + (outside - inside) / 2, static_cast<double>(count), right[count]});
  }
  return result;
}

}  // namespace

std::string_view name(Rule::Bound bound) {
  constexpr std::array<std::string_view, 3> kNames = {"right guesses", "error rates", "Gaussian fit"};
  return kNames[static_cast<std::size_t>(bound)];
}

Guesses Rule::guess(std::span<const float> scores, std::span<const std::uint8_t> bits) const {
  Guesses guesses{.trials = scores.size()};
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const bool second = scores[i] >= high, first = !second && scores[i] <= low;
    if (!first && !second) continue;
    ++guesses.made;
    guesses.right += second == (bits[i] == 1) ? 1 : 0;
  }
  return guesses;
}

double Rule::epsilon(std::span<const float> scores, std::span<const std::uint8_t> bits, const Claim& claim,
                     double alpha) const {
  if (bound == Bound::guesses) return epsilon_from_guesses(guess(scores, bits), claim.delta, alpha);
  if (bound == Bound::gaussian_fit) return epsilon_from_gaussian_fit(guess(scores, bits), claim.delta, alpha);
  Rates rates;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const bool says_second = scores[i] >= high;
    ++(bits[i] ? rates.positives : rates.negatives);
    if (says_second) ++(bits[i] ? rates.true_positives : rates.false_positives);
  }
  return epsilon_from_rates(rates, claim.delta, alpha);
}

Choice choose_rule(std::span<const float> scores, std::span<const std::uint8_t> bits, const Claim& claim,
                   double alpha, std::size_t trials) {
  std::vector<Ranked> ranked(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) ranked[i] = {scores[i], bits[i]};
  std::ranges::sort(ranked, {}, &Ranked::score);
  const std::vector<End> bottom = ends(ranked, 0);
  std::ranges::reverse(ranked);
  const std::vector<End> top = ends(ranked, 1);

  const auto count = static_cast<double>(trials), grow = count / static_cast<double>(scores.size());
  // Standard errors that the test itself will subtract, plus those by which the best of many rules is
  // overrated.
  const auto caution = [&](double tail) {
    return -roughly_normal_quantile(tail) / std::sqrt(grow) + kSelectionBias;
  };
  const double z = caution(alpha), z_half = caution(alpha / 2);
  const double revealed = claim.delta > 0 ? count * claim.delta + 4 * std::sqrt(count * claim.delta) + 2 : 0;
  double positives = 0;
  for (std::uint8_t bit : bits) positives += bit;
  const double negatives = static_cast<double>(bits.size()) - positives;
  Choice best{{Rule::Bound::guesses, -INFINITY, INFINITY}, -INFINITY};  // abstains in all trials
  const auto offer = [&](double expected, const Rule& rule) {
    if (expected > best.expected) best = {rule, expected};
  };
  // A perfect score overrates a rule: count one more guess as wrong.
  const auto one_fewer = [](double right) { return std::max(0.0, right - 1); };
  const auto from_guesses = [&](const End& a, const End& b) {
    const double made = a.made + b.made, right = one_fewer(a.right + b.right);
    const double p = roughly_lower(std::max(0.0, right - revealed / grow), made, z);
    return made > 0 ? std::log(p / (1 - p)) : -INFINITY;
  };
  for (const End& a : top)
    for (const End& b : bottom)
      if (a.threshold > b.threshold)
        offer(from_guesses(a, b), {Rule::Bound::guesses, b.threshold, a.threshold});
  for (const End& a : top) {
    if (!std::isfinite(a.threshold)) continue;
    const double below = std::nextafter(static_cast<float>(a.threshold), -INFINITY);
    const double tpr = roughly_lower(one_fewer(a.right), positives, z_half);
    const double fpr = 1 - roughly_lower(negatives - std::max(1.0, a.made - a.right), negatives, z_half);
    if (tpr > claim.delta && fpr > 0)
      offer(std::log((tpr - claim.delta) / fpr), {Rule::Bound::rates, below, a.threshold});
    if (1 - fpr > claim.delta && tpr < 1)
      offer(std::log((1 - fpr - claim.delta) / (1 - tpr)), {Rule::Bound::rates, below, a.threshold});
    if (!claim.gaussian || claim.delta == 0) continue;
    const double right = a.right + negatives - (a.made - a.right);
    const double p = roughly_lower(right, static_cast<double>(scores.size()), z);
    const double mu = 2 * roughly_normal_quantile(p);
    offer(mu > 0 ? gaussian_epsilon_upper(mu, claim.delta) : mu,
          {Rule::Bound::gaussian_fit, below, a.threshold});
  }
  return best;
}

}  // namespace tulle::attacks
