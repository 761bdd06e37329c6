// What the completion solvers of all models ask of their observed cells.
#pragma once

#include <tulle/tensor/sparse.hpp>

#include <string_view>

namespace tulle {

// An Error unless there are finite observed cells, none of the unlisted ones is a zero (`instead` names the
// solver for that), and the validation data, if any, hold cells that the data's shape covers.
void check_observed(const SparseTensor& observed, const SparseTensor* validation, std::string_view instead);

// An Error for a ridge below 0, or none; `name` is how the option is called.
void check_ridge(std::string_view name, double ridge);

// Fits run on (value - level) / scale, so that ridges and steps mean the same whatever the unit of the data.
struct StandardUnits {
  double level = 0;  // mean of the values, or 0 where no level is wanted
  double scale = 1;  // root mean square about the level; 1 where that is 0
  bool constant = false;
};
StandardUnits standard_of(const SparseTensor& observed, bool with_level);

// How many starts a solver that explores should try. Small problems have poor local minima more often, and
// can afford to look around.
int starts_to_try(const SparseTensor& observed, int rank);

// Generalised cross-validation (Craven and Wahba 1979): the error to be expected on new cells from the sum of
// squares on the old ones and the effective number of parameters that were spent on them.
double expected_square(double squares, double freedom, double cells);

}  // namespace tulle
