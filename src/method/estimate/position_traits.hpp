// What public positions show of effects before any release: how often a position occurs, and which others
// occur with it.
#pragma once

#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/sparse.hpp>

#include <span>
#include <vector>

namespace tulle {

// For each mode, one row per position; columns have mean 0 and mean square 1 over cells. Positions drawn at
// random have no traits.
std::vector<Matrix> position_traits(const Cells& cells);

// The part of effects, seen with Gaussian noise of these variances, that is linear in their traits: its
// posterior mean, where coefficients have a common prior N(0, s^2) and what is not linear N(0, t^2), s and t
// even on deviations() up to `most`.
std::vector<double> explained_by(const Matrix& traits, std::span<const double> seen,
                                 std::span<const double> variances, double most);

}  // namespace tulle
