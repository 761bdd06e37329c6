// Steps of expectation maximisation (Dempster, Laird and Rubin 1977) on sums with noise, from a mixture that
// is near. Moments find a mixture from nowhere, but need noise for the length of whole rows in all their
// products; a step needs it for the width of a component, in K (D + 1) numbers.
#pragma once

#include <tulle/method/topics.hpp>
#include <tulle/model/topics.hpp>

#include <span>
#include <vector>

namespace tulle {

// How much a row may count for: its way from a mean, in length, and its membership of a component. They
// follow from the mixture so far, which is public.
struct StepBounds {
  double reach = 1, membership = 1;
};
StepBounds step_bounds(const Topics& mixture);

// For every component k, the sum over the rows of p_k (x - u_k), where p_k is the probability that x belongs
// to it and x - u_k is shortened to the reach; then, for every k, the sum of p_k times the bound of
// membership.
std::vector<double> step_sums(const Matrix& rows, const Topics& mixture, const StepBounds& bounds);

// How far those move in L2 when a row is replaced. Of one row, the first kind has the square
// sum_k p_k^2 |..|^2 <= reach^2, and two rows' probabilities are at most sqrt(2) apart.
double replaced_step(const TopicRequest& request, const StepBounds& bounds);

// The mixture after a step, from sums with this noise over so many rows.
Topics after_step(Topics mixture, const StepBounds& bounds, const Noisy& sums, double rows);

}  // namespace tulle
