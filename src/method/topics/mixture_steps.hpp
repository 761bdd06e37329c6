// Steps of expectation maximisation (Dempster, Laird and Rubin 1977) on sums with noise, from a mixture that
// is near. Moments need no start, but their noise must cover whole rows in all of their products; the noise
// of a step covers the width of a component, in K (D + 1) coordinates.
#pragma once

#include <tulle/method/topics.hpp>
#include <tulle/model/topics.hpp>

#include <span>
#include <vector>

namespace tulle {

// Bounds of what a row adds: the length of its difference from a mean, and the weight of its membership of a
// component. They follow from the mixture so far, which is public.
struct StepBounds {
  double reach = 1, membership = 1;
};
StepBounds step_bounds(const Topics& mixture);

// For every component k, the sum over the rows of p_k (x - u_k), where p_k is the probability that x belongs
// to it and x - u_k is shortened to the reach; then, for every k, the sum of p_k times the bound of
// membership.
std::vector<double> step_sums(const Matrix& rows, const Topics& mixture, const StepBounds& bounds);

// The L2 sensitivity of these sums to replacing a row. The first part of a row's vector has the squared
// length sum_k p_k^2 |..|^2 <= reach^2, and the probabilities of two rows are at most sqrt(2) apart.
double replaced_step(const TopicRequest& request, const StepBounds& bounds);

// The mixture after a step, from the noisy sums over `rows` rows.
Topics after_step(Topics mixture, const StepBounds& bounds, const Noisy& sums, double rows);

}  // namespace tulle
