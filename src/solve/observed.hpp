// Checks and statistics of observed cells that the completion solvers of all models share.
#pragma once

#include <tulle/tensor/sparse.hpp>

#include <string_view>

namespace tulle {

// Throws an Error unless there are observed cells, all of them finite, unlisted cells are missing (`instead`
// names the solver for zeros), and the validation data, if any, have cells and a shape that the data's shape
// covers.
void check_observed(const SparseTensor& observed, const SparseTensor* validation, std::string_view instead);

// Throws a UsageError for a ridge that is negative or NaN; `name` is the name of the option.
void check_ridge(std::string_view name, double ridge);

// Fits run on (value - level) / scale, so that ridges and steps do not depend on the unit of the data.
struct StandardUnits {
  double level = 0;  // mean of the values, or 0 without a level
  double scale = 1;  // root mean square about the level; 1 if that is 0
  bool constant = false;
};
StandardUnits standard_of(const SparseTensor& observed, bool with_level);

// The number of starts that an exploring solver should try. Small problems have poor local minima more often,
// and can afford several starts.
int starts_to_try(const SparseTensor& observed, int rank);

// Generalised cross-validation (Craven and Wahba 1979): the expected squared error on new cells, from the sum
// of squares on the training cells and the effective number of parameters fitted to them.
double expected_square(double squares, double freedom, double cells);

}  // namespace tulle
