// What a position is like, judged by the cells it was observed in and by nothing else. Where positions are
// public this costs no privacy, and it says a lot: who watched which films tells their tastes nearly as well
// as how they liked them. It replaces the random start that private alternating least squares cannot afford.
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
// too are left out, so cells observed at random get no features; a pair without any is left out.
std::vector<PairFeatures> position_features(const Cells& cells, int count);

}  // namespace tulle
