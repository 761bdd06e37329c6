// Robust tensor power method with deflation (Anandkumar et al. 2014, algorithm 1).
#pragma once

#include <tulle/base/random.hpp>
#include <tulle/tensor/matrix.hpp>

#include <cstdint>

namespace tulle {

// A tensor of size x size x size, unfolded: row i holds its slice i.
using Cube = Matrix;

Vector random_direction(Eigen::Index size, Random& random);  // of length 1
// T(I, u, u).
Vector contract(const Cube& tensor, const Vector& u);
// T - value u x u x u.
void deflate(Cube& tensor, double value, const Vector& u);
// The mean over all orders of the three indices.
Cube symmetrised(const Cube& tensor);

struct PowerOptions {
  int starts = 30;
  int iterations = 40;  // from every start, and as many again from the best one
  std::uint64_t seed = 0;
};

// T is approximately the sum of values[k] vectors[k]^3.
struct RankOneTerms {
  Vector values;
  Matrix vectors;  // as columns, of length 1
};

// Decomposes a tensor whose `count` leading terms are nearly orthogonal. It is not symmetrised here.
RankOneTerms decompose(Cube tensor, int count, const PowerOptions& options);

}  // namespace tulle
