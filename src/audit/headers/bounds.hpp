// Lower bounds on epsilon from right and wrong guesses. Each bound holds with probability 1 - alpha, for any
// attacker that was fixed before the trials that count.
#pragma once

#include <cstdint>

namespace tulle {

// Clopper and Pearson 1934: a lower (upper) bound on the probability of success, with confidence 1 - alpha.
double proportion_lower(std::uint64_t successes, std::uint64_t trials, double alpha);
double proportion_upper(std::uint64_t successes, std::uint64_t trials, double alpha);

// An attacker guesses which of two neighbours a fair coin chose, or abstains.
struct Guesses {
  std::uint64_t trials = 0;
  std::uint64_t made = 0;   // not abstained
  std::uint64_t right = 0;  // of those
};

// Under pure privacy a guess is right with probability at most e^epsilon / (1 + e^epsilon), whatever the
// attacker. An (epsilon, delta)-private mechanism can be simulated by one that reveals the data with
// probability delta and is pure otherwise (Kairouz, Oh and Viswanath 2015): Binomial(trials, delta) of the
// right guesses are subtracted, at a tenth of alpha, and the rest are bounded as under pure privacy.
double epsilon_from_guesses(const Guesses& guesses, double delta, double alpha);

// Clopper-Pearson on both rates: TPR <= e^epsilon FPR + delta, and the same for 1 - FPR and 1 - TPR.
struct Rates {
  std::uint64_t negatives = 0, false_positives = 0;
  std::uint64_t positives = 0, true_positives = 0;
};
double epsilon_from_rates(const Rates& rates, double delta, double alpha);

// For Gaussian mechanisms: if they are mu-GDP, an attacker who never abstains is right with probability at
// most Phi(mu / 2). Returns epsilon at delta > 0 of a lower bound on mu.
double epsilon_from_gaussian_fit(const Guesses& guesses, double delta, double alpha);

// Many canaries in one run (Steinke, Nasr and Jagielski 2023, theorem 5.2), each in or out by its own coin:
// `trials` counts the canaries; the (epsilon, delta)-private run is one.
double epsilon_from_one_run(const Guesses& guesses, double delta, double alpha);

}  // namespace tulle
