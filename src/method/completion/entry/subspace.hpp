#pragma once

#include <tulle/method/private_completion.hpp>
#include <tulle/tensor/matrix.hpp>

namespace tulle {

// The queries of the method and their sensitivities to the value of one cell, for its tests. `centre`
// was released before.
namespace subspace {

// The sum of all values less the middle of the range, one number. One value changes it by its largest change,
// and by two steps of the grid it is added up on.
std::vector<double> sum_of_values(const SparseTensor& observed, const Range& range);
double sum_sensitivity(const PrivateTensor& data);

// The Gram matrix of an unfolding of the centred values, rounded to a unit u, above its diagonal, row by row;
// missing cells are zero.
std::vector<double> gram_above_diagonal(const SparseTensor& observed, int mode, const Range& range,
                                        double centre);

// Changing cell (i, c) of the unfolding by d changes the products of row i with every other row j by d times
// the cell (j, c), and no other product above the diagonal; that cell is at most M = max |x - centre| and
// there are as many as column c has observed cells besides its own. In L2: at most d x M x sqrt(cells - 1),
// and with values that were rounded (d + u) x (M + u / 2) x sqrt(cells - 1). Products and their sums are
// exact.
double gram_sensitivity(const PrivateTensor& data, int mode, double centre);

// The centred values, projected on the products of the rows of the bases: sum of z x (u_1[i] x u_2[j] x ..).
std::vector<double> core_sums(const SparseTensor& observed, const std::vector<Matrix>& bases,
                              const Range& range, double centre);

// One cell is in the sums with one product of rows: its largest change x the longest product, and two steps
// of the grid in each number. 0 where all products are.
double core_sensitivity(const PrivateTensor& data, const std::vector<Matrix>& bases, double centre);

}  // namespace subspace
}  // namespace tulle
