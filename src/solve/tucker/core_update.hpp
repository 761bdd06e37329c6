// The core of a Tucker model, given everything else: a ridge regression with one unknown for each entry of
// the core.
#pragma once

#include <tulle/model/tucker.hpp>
#include <tulle/tensor/sorted.hpp>

namespace tulle {

// Replaces the core, and the global level when there are biases, by the minimiser of
//   sum of (value / scale - prediction)^2 + sum of ridge_j G_j^2, the ridges in C order of the core.
void update_core(const SortedEntries& entries, double scale, const Vector& ridge, Tucker& model);

// sum of (value / scale - prediction)^2.
double squared_error(const SortedEntries& entries, double scale, const Tucker& model);

}  // namespace tulle
