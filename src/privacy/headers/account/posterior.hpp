// Bounds on what an attacker learns who knows all data but those of one unit and has two candidates for them:
// the guarantee as probabilities, for readers who do not think in epsilons.
//
// The pair of candidates matters, since neighbours are one step apart. "In the data, or not" is one step of
// add-remove, "counts, or not" one step of zero-out. Two contents of a unit are one step of replace but two
// steps of the others, by way of the data without the unit: between_contents() gives the releases for that.
//
// Let P and Q be the distributions of everything released under the two candidates, l = ln P/Q the privacy
// loss, and d(e) = E_P[(1 - exp(e - l))+] the hockey-stick divergence, which the accountant bounds for every
// e >= 0 at once. All bounds below follow from that curve; none is a rule of thumb for one (epsilon, delta).
#pragma once

#include <tulle/privacy/account/event.hpp>
#include <tulle/privacy/unit.hpp>

#include <span>
#include <utility>
#include <vector>

namespace tulle {

// Releases, and the relation between the two data sets that an attacker compares.
struct Comparison {
  std::vector<Event> events;
  Relation relation;
};

// The releases of a record, compared on two data sets that both contain one unit, with different contents.
// Under `replace` that is the record itself. Under the other relations, the answers x and y of a release are
// each one sensitivity from the answer without the unit, so x and y are two apart; and a release that is (e,
// d)-private against that answer is (2 e, (1 + exp(e)) d)-private between x and y. In a Poisson sample a unit
// has one coin, whatever its content, and its contribution changes to another one: that is what `replace`
// means for a sampled release.
Comparison between_contents(std::span<const Event> events, Relation relation);

// By Bayes' rule the odds of a candidate grow by the factor exp(l). Returns the least provable t with P(l >
// t) <= `exception` under the candidate: a bound for every outcome if that is 0, infinite if none is known.
// For c in (0, 1) let e = epsilon at delta c * exception. Then
//   c * exception >= d(e) >= E_P[(1 - exp(e - l)); l > t] >= (1 - exp(e - t)) P(l > t),
// so P(l > t) <= exception for t = e - ln(1 - c). Takes the least over several c.
double loss_upper(std::span<const Event> events, Relation relation, double exception);

// The posterior probability when the odds of `prior` grow by exp(loss).
double posterior_upper(double prior, double loss);

// How often an attacker who guesses between two equally probable candidates is right: at most 1/2 + d(0)/2,
// since d(0) is the total variation distance of P and Q.
double right_guess_upper(std::span<const Event> events, Relation relation);

// Points (false alarm rate, detection rate) on a bound that holds for every attack: at false alarm rate a, at
// most exp(e) a + d(e) are detected, for every e. From (0, ..) to (1, 1), at `points` false alarm rates.
std::vector<std::pair<double, double>> attack_bound(std::span<const Event> events, Relation relation,
                                                    int points);

}  // namespace tulle
