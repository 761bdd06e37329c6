// How good predictions are. Truth comes first, prediction second, one of each a cell. What has no meaning for
// these values, or without cells, is NaN: no metric is an Error because of the data, since held-out values of
// a private run must not decide how it ends. (Numbers of cells that differ are an Error of the program.) Sums
// are kept in float64 and do not depend on the number of threads.
#pragma once

#include <tulle/tensor/shape.hpp>

#include <cstddef>
#include <optional>
#include <span>

namespace tulle {

using Floats = std::span<const float>;    // values of a SparseTensor
using Doubles = std::span<const double>;  // values of a DenseTensor, predictions

// The sums behind the errors below, for data that come in pieces.
struct ErrorSums {
  std::size_t count = 0;
  double absolute = 0;       // sum |prediction - truth|
  double squared = 0;        // sum (prediction - truth)^2
  double truth_squared = 0;  // sum truth^2

  void add(Floats truth, Doubles prediction);
  void add(Doubles truth, Doubles prediction);

  double rmse() const;  // sqrt(squared / count)
  double mae() const;   // absolute / count
  double rse() const;   // sqrt(squared / truth_squared); NaN when the truth is all zeros
};

double rmse(Floats truth, Doubles prediction);
double rmse(Doubles truth, Doubles prediction);

double mae(Floats truth, Doubles prediction);
double mae(Doubles truth, Doubles prediction);

// ||prediction - truth||_F / ||truth||_F (Dai 2026, eq. 27).
double rse(Floats truth, Doubles prediction);
double rse(Doubles truth, Doubles prediction);

// 1 - fit, with fit = 1 - ||prediction - truth||_F / ||truth||_F as CP-ALS programs report it; Wang et al.
// 2021, definition 14. So this is rse under the name that this literature uses.
double fitness_error(Floats truth, Doubles prediction);
double fitness_error(Doubles truth, Doubles prediction);

// Area under the ROC curve: the chance that a positive (truth above 0) is predicted higher than a negative, a
// tie counting one half. NaN when there are only positives or only negatives, or a prediction is NaN.
double auc(Floats truth, Doubles prediction);
double auc(Doubles truth, Doubles prediction);

// The mean of the areas of single groups (say the user of each cell), over those that have positives and
// negatives; nothing where none has.
std::optional<double> auc_within(std::span<const Index> groups, Floats truth, Doubles prediction);

// For each group (say the user of each cell), the share of relevant cells (truth at least relevant_from)
// among the k predicted highest; the mean over groups. A group of fewer than k cells is divided by its own
// number of cells. Of equal predictions at the border each counts with equal weight, so the order of the
// cells plays no role. A UsageError when k < 1, NaN when a prediction is.
double precision_at_k(std::span<const Index> groups, Floats truth, Doubles prediction, int k,
                      double relevant_from);
double precision_at_k(std::span<const Index> groups, Doubles truth, Doubles prediction, int k,
                      double relevant_from);

// Sum over cells of log N(truth; prediction, deviation^2). A UsageError unless deviation > 0.
double gaussian_log_likelihood(Floats truth, Doubles prediction, double deviation);
double gaussian_log_likelihood(Doubles truth, Doubles prediction, double deviation);

// Sum over cells of log Poisson(truth; rate = prediction). A rate of 0 has likelihood 1 for the count 0 and 0
// (log: -infinity) for others. NaN when a count is not a whole number >= 0 or a rate is negative or not
// finite.
double poisson_log_likelihood(Floats truth, Doubles prediction);
double poisson_log_likelihood(Doubles truth, Doubles prediction);

}  // namespace tulle
