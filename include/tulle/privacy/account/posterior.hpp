// What releases tell an attacker who knows all data but those of one unit, and has two candidates for these:
// in words of probability, for people who do not think in epsilons.
//
// Which two decides how much: neighbours are one step apart, so "in the data, or not" is one step of
// add-remove, and "counts, or not" one of zero-out. Two contents of a unit are one step of replace, and two
// steps of the others, by way of the data without the unit: between_contents() gives the releases for that.
//
// Let P and Q be the distributions of everything released under the two candidates, l = ln P/Q the privacy
// loss, and d(e) = E_P[(1 - exp(e - l))+] the hockey-stick divergence, which the accountant bounds for every
// e >= 0 at once. These bounds follow from that curve; none is a rule of thumb for one (epsilon, delta).
#pragma once

#include <tulle/privacy/account/event.hpp>
#include <tulle/privacy/unit.hpp>

#include <span>
#include <utility>
#include <vector>

namespace tulle {

// Releases, with the relation of the two data sets that they are to tell apart.
struct Comparison {
  std::vector<Event> events;
  Relation relation;
};

// The releases of a record on two data sets in which one unit has two contents, both of which are in the
// data. Under `replace` that is the record itself. Else the answers x, y of a release on the two are each one
// sensitivity from that without the unit, so they are two apart; and where each is (e, d)-private against
// that answer, they are (2 e, (1 + exp(e)) d)-private against each other. In a Poisson sample a unit has one
// coin, whatever its content, and what it adds changes from one contribution to another: that is what
// `replace` means for a sampled release.
Comparison between_contents(std::span<const Event> events, Relation relation);

// By Bayes' rule the odds of a candidate grow by the factor exp(l). This is the least bound t of l that can
// be shown, except with probability `exception` under the candidate; t holds for every outcome where that is
// 0, and is infinite where there is none. For c in (0, 1) let e = epsilon at delta c * exception. Then
//   c * exception >= d(e) >= E_P[(1 - exp(e - l)); l > t] >= (1 - exp(e - t)) P(l > t),
// so P(l > t) <= exception for t = e - ln(1 - c). The least over several c.
double loss_upper(std::span<const Event> events, Relation relation, double exception);

// What becomes of a probability when its odds grow by exp(loss).
double posterior_upper(double prior, double loss);

// How often an attacker is right who guesses between two candidates that are equally probable: 1/2 + d(0)/2,
// since d(0) is the total variation distance of P and Q.
double right_guess_upper(std::span<const Event> events, Relation relation);

// Points (false alarms, detections) on a bound of every attack: at a false alarm rate a, detections are at
// most exp(e) a + d(e), for every e. From (0, ..) to (1, 1), on `points` false alarm rates.
std::vector<std::pair<double, double>> attack_bound(std::span<const Event> events, Relation relation,
                                                    int points);

}  // namespace tulle
