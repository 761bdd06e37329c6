// Features of positions, from the cells in which they were observed alone. If positions are public this costs
// no privacy, and it is informative: which films people watched shows their tastes nearly as well as their
// ratings do. It replaces the random start, which private alternating least squares cannot afford.
#pragma once

#include <tulle/tensor/matrix.hpp>
#include <tulle/tensor/sparse.hpp>

#include <vector>

namespace tulle {

// The positions of two modes that occur in the same cells get features that point the same way.
struct PairFeatures {
  int first, second;           // the modes, first < second
  Matrix of_first, of_second;  // one row per position, of unit length (zeros where it has no cell)

  int count() const { return static_cast<int>(of_first.cols()); }
};

// For every pair of modes at most `count` features: the leading singular vectors of the counts n[i,j] of
// cells that have i and j, divided by sqrt(n[i,.] n[.,j]). Singular values that random positions would have
// too are omitted, so cells observed at random get no features; a pair without any is omitted.
std::vector<PairFeatures> position_features(const Cells& cells, int count);

}  // namespace tulle
