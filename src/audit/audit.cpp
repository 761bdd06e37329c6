#include "attackers.hpp"
#include "choice.hpp"
#include "recovery.hpp"

#include <tulle/audit/audit.hpp>
#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace tulle {
namespace {

using namespace attacks;

// How the trials are divided. If the likelihood ratio is known, fewer are needed for training.
struct Parts {
  Part learning, choosing, testing;

  Parts(std::size_t trials, bool ratio_known) {
    const auto count = static_cast<double>(trials);
    const auto first = static_cast<std::size_t>((ratio_known ? 0.1 : 0.3) * count);
    const auto second = static_cast<std::size_t>((ratio_known ? 0.2 : 0.5) * count);
    learning = {0, first};
    choosing = {first, second};
    testing = {second, trials};
  }
};

struct Attacker {
  std::string name;
  std::function<double(std::size_t trial)> score;
};

std::vector<float> scores_of(const Attacker& attacker, Part part) {
  std::vector<float> scores(part.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < scores.size(); ++i)
    scores[i] = static_cast<float>(attacker.score(part.first + i));
  return scores;
}

std::span<const std::uint8_t> bits_of(const Trials& trials, Part part) {
  return std::span(trials.bits).subspan(part.first, part.size());
}

std::vector<std::pair<double, double>> curve_of(std::span<const float> scores,
                                                std::span<const std::uint8_t> bits) {
  std::vector<std::size_t> order(scores.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, std::greater{}, [&](std::size_t i) { return scores[i]; });
  double counts[2] = {}, totals[2] = {};
  for (std::uint8_t bit : bits) ++totals[bit];
  std::vector<std::pair<double, double>> curve{{0, 0}};
  const std::size_t stride = std::max<std::size_t>(1, order.size() / 100);
  for (std::size_t i = 0; i < order.size(); ++i) {
    ++counts[bits[order[i]]];
    const bool tie = i + 1 < order.size() && scores[order[i + 1]] == scores[order[i]];
    const auto point = std::pair(counts[0] / std::max(1.0, totals[0]), counts[1] / std::max(1.0, totals[1]));
    if (i + 1 == order.size() ||
        (!tie && (point.first + point.second - curve.back().first - curve.back().second) *
                         static_cast<double>(order.size()) >=
                     static_cast<double>(2 * stride)))
      curve.push_back(point);
  }
  return curve;
}

// The attacker, rule and bound with the largest expected bound, chosen on separate trials; then one test.
Attack best_attack(const std::vector<Attacker>& attackers, const Trials& trials, const Parts& parts,
                   const Claim& claim, double alpha) {
  const auto offer_of = [&](const Attacker& attacker) {
    return choose_rule(scores_of(attacker, parts.choosing), bits_of(trials, parts.choosing), claim, alpha,
                       parts.testing.size());
  };
  const Attacker* best = &attackers.front();
  Choice choice = offer_of(*best);
  for (const Attacker& attacker : std::span(attackers).subspan(1)) {
    const Choice offer = offer_of(attacker);
    if (offer.expected <= choice.expected) continue;
    best = &attacker;
    choice = offer;
  }
  const std::vector<float> scores = scores_of(*best, parts.testing);
  const auto bits = bits_of(trials, parts.testing);
  const Guesses guesses = choice.rule.guess(scores, bits);
  return {.attacker = best->name,
          .bound = std::string(name(choice.rule.bound)),
          .epsilon = guesses.made > 0 ? choice.rule.epsilon(scores, bits, claim, alpha) : 0,
          .trials = guesses.trials,
          .guesses = guesses.made,
          .right = guesses.right,
          .curve = curve_of(scores, bits)};
}

std::vector<Attacker> attackers_on(const View& view, const Trials& trials, const Parts& parts) {
  std::vector<Attacker> attackers;
  const auto add = [&](const char* name, const Score& score) {
    attackers.push_back({name, [&view, score](std::size_t trial) { return score(view.row(trial)); }});
  };
  add("linear", learn_linear(view, trials.bits, parts.learning));
  add("learned", learn_shape(view, trials.bits, parts.learning));
  add("low-order bits", learn_low_bits(view, trials.bits, parts.learning));
  return attackers;
}

bool uses_all_units(const Sampling& sampling) {
  const auto* poisson = std::get_if<PoissonSampling>(&sampling);
  return std::holds_alternative<Unsampled>(sampling) || (poisson && poisson->rate() == 1);
}

bool all_gaussian(const Guarantee& guarantee) {
  return guarantee.status == Guarantee::Status::proven && !guarantee.releases.empty() &&
         std::ranges::all_of(guarantee.releases, [](const Record& record) {
           return std::holds_alternative<GaussianRelease>(record.event.mechanism()) &&
                  uses_all_units(record.event.sampling());
         });
}

void check(const AuditOptions& options) {
  constexpr std::uint64_t kFewest = 100;
  if (options.trials < kFewest)
    fail_usage("{} trials are too few for a bound; give {} or more", options.trials, kFewest);
  if (!(options.confidence > 0 && options.confidence < 1))
    fail_usage("a confidence of {}: give a number between 0 and 1, such as 0.999", options.confidence);
}

}  // namespace

std::string_view name(Verdict verdict) {
  constexpr std::array<std::string_view, 3> kNames = {"consistent", "VIOLATED", "no claim"};
  return kNames[static_cast<std::size_t>(verdict)];
}

double Finding::epsilon() const {
  return std::max(black_box ? black_box->epsilon : 0, white_box ? white_box->epsilon : 0);
}

Verdict Finding::verdict() const {
  if (guarantee.status == Guarantee::Status::none) return Verdict::no_claim;
  if (guarantee.status == Guarantee::Status::proven && exact && !exact->holds()) return Verdict::violated;
  return epsilon() > std::min(guarantee.used.epsilon, claimed_epsilon) ? Verdict::violated
                                                                       : Verdict::consistent;
}

Finding audit(const Subject& subject, const AuditOptions& options) {
  check(options);
  Finding finding{.canary = subject.canary,
                  .guarantee = subject.account(),
                  .claimed_epsilon = subject.claimed_epsilon,
                  .confidence = options.confidence,
                  .trials = options.trials};
  const Claim claim{finding.guarantee.used.delta, all_gaussian(finding.guarantee)};
  const Trials trials = run_trials(subject, options.trials, options.seed);
  const bool ratio_known = !trials.log_ratios.empty();
  const Parts parts(trials.size(), ratio_known);
  const bool black = trials.output.columns() > 0, white = trials.releases.columns() > 0 || ratio_known;
  const double alpha = (1 - options.confidence) / (black && white ? 2 : 1);
  if (black)
    finding.black_box = best_attack(attackers_on(trials.output, trials, parts), trials, parts, claim, alpha);
  if (white) {
    std::vector<Attacker> attackers = attackers_on(trials.releases, trials, parts);
    if (ratio_known)
      attackers.push_back({"likelihood ratio", [&](std::size_t trial) { return trials.log_ratios[trial]; }});
    finding.white_box = best_attack(attackers, trials, parts, claim, alpha);
  }
  finding.recovery = recover_values(subject, options.seed);
  if (subject.pair) finding.exact = audit_exactly(*subject.pair, options.seed);
  return finding;
}

Finding audit(const ManyCanaries& subject, const AuditOptions& options) {
  check(options);
  Finding finding{.canary = subject.canary,
                  .guarantee = subject.account(),
                  .claimed_epsilon = subject.claimed_epsilon,
                  .confidence = options.confidence};
  Random random(options.seed);
  struct Run {
    std::vector<std::uint8_t> bits;
    std::vector<float> scores;
  };
  const auto run = [&] {
    std::vector<bool> bits(subject.canaries);
    for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = random.chance(0.5);
    const std::vector<double> scores = subject.run(bits, random.bits());
    return Run{{bits.begin(), bits.end()}, {scores.begin(), scores.end()}};
  };
  // One run to choose the thresholds on, another to count on.
  const Run choosing = run(), testing = run();
  const Claim claim{finding.guarantee.used.delta, false};
  const double alpha = 1 - options.confidence;
  Rule rule = choose_rule(choosing.scores, choosing.bits, claim, alpha, testing.bits.size()).rule;
  rule.bound = Rule::Bound::guesses;
  const Guesses guesses = rule.guess(testing.scores, testing.bits);
  finding.trials = subject.canaries;
  (subject.white_box ? finding.white_box : finding.black_box) =
      Attack{.attacker = "canaries",
             .bound = "one run",
             .epsilon = epsilon_from_one_run(guesses, claim.delta, alpha),
             .trials = guesses.trials,
             .guesses = guesses.made,
             .right = guesses.right,
             .curve = curve_of(testing.scores, testing.bits)};
  return finding;
}

}  // namespace tulle
