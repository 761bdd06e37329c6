// Quality of predictions. Truth comes first, prediction second, one of each per cell. A metric that is
// undefined for these values, or without cells, is NaN and never an Error because of the data, since held-out
// values of a private run must not decide how it ends. (Different numbers of cells are an Error of the
// program.) Sums are in float64 and do not depend on the number of threads.
#pragma once

#include <tulle/tensor/shape.hpp>

#include <cstddef>
#include <optional>
#include <span>

namespace tulle {

using Floats = std::span<const float>;    // values of a SparseTensor
using Doubles = std::span<const double>;  // values of a DenseTensor, predictions

// The sums behind the errors below, for data that arrive in pieces.
struct ErrorSums {
  std::size_t count = 0;
  double absolute = 0;       // sum |prediction - truth|
  double squared = 0;        // sum (prediction - truth)^2
  double truth_squared = 0;  // sum truth^2

  void add(Floats truth, Doubles prediction);
  void add(Doubles truth, Doubles prediction);

  double rmse() const;  // sqrt(squared / count)
  double mae() const;   // absolute / count
  double rse() const;   // sqrt(squared / truth_squared); NaN if the truth is all zeros
};

double rmse(Floats truth, Doubles prediction);
double rmse(Doubles truth, Doubles prediction);

double mae(Floats truth, Doubles prediction);
double mae(Doubles truth, Doubles prediction);

// ||prediction - truth||_F / ||truth||_F (Dai 2026, eq. 27).
double rse(Floats truth, Doubles prediction);
double rse(Doubles truth, Doubles prediction);

// Area under the ROC curve: the probability that a positive (truth above 0) is predicted higher than a
// negative; ties count one half. NaN if there are only positives or only negatives, or a prediction is NaN.
double auc(Floats truth, Doubles prediction);
double auc(Doubles truth, Doubles prediction);

// The mean of the areas within groups (say the user of each cell), over those that have positives and
// negatives; nothing if none has.
std::optional<double> auc_within(std::span<const Index> groups, Floats truth, Doubles prediction);

// For each group (say the user of each cell), the share of relevant cells (truth at least relevant_from)
// among the k predicted highest; the mean over groups. A group of fewer than k cells is divided by its own
// number of cells. Equal predictions at the border have equal weight, so the order of the cells does not
// matter. A UsageError if k < 1, NaN if a prediction is.
double precision_at_k(std::span<const Index> groups, Floats truth, Doubles prediction, int k,
                      double relevant_from);
double precision_at_k(std::span<const Index> groups, Doubles truth, Doubles prediction, int k,
                      double relevant_from);

// Sum over cells of log Poisson(truth; rate = prediction). A rate of 0 has likelihood 1 for the count 0 and 0
// (log: -infinity) for others. NaN if a count is not a whole number >= 0 or a rate is negative or not finite.
double poisson_log_likelihood(Floats truth, Doubles prediction);
double poisson_log_likelihood(Doubles truth, Doubles prediction);

}  // namespace tulle
