#pragma once

#include <tulle/method/registry.hpp>
#include <tulle/tensor/matrix.hpp>

namespace tulle {

// Private subspaces of the modes, then a noisy core inside them (Tucker).
Method subspace_method();

// The queries of the method and how far they move when the value of one cell does, for its tests. `centre`
// was released before.
namespace subspace {

// The Gram matrix of an unfolding of the centred values, above its diagonal, row by row; missing cells are
// zero.
std::vector<double> gram_above_diagonal(const SparseTensor& observed, int mode, double centre);

// Moving cell (i, c) of the unfolding by d moves the products of row i with every other row j by d times the
// cell (j, c), and no other product above the diagonal; that cell is at most M = max |x - centre| and there
// are as many as column c has observed cells besides its own. In L2: at most width x M x sqrt(cells - 1).
double gram_sensitivity(const Cells& cells, int mode, const Range& range, double centre);

// The centred values, projected on the products of the rows of the bases: sum of z x (u_1[i] x u_2[j] x ..).
std::vector<double> core_sums(const SparseTensor& observed, const std::vector<Matrix>& bases, double centre);

// One cell is in the sums with one product of rows: width x the longest product.
double core_sensitivity(const Cells& cells, const std::vector<Matrix>& bases, const Range& range);

}  // namespace subspace
}  // namespace tulle
