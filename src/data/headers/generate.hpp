// Synthetic tensors with a known answer.
#pragma once

#include <tulle/model/cp.hpp>
#include <tulle/model/tucker.hpp>
#include <tulle/tensor/dense.hpp>
#include <tulle/tensor/sparse.hpp>

#include <cstdint>
#include <limits>
#include <span>

namespace tulle {

struct Synthetic {
  DenseTensor truth;
  DenseTensor noisy;  // truth plus independent Gaussian noise
};

// The signal-to-noise ratio is a ratio of variances: snr = Var(truth) / Var(noise), where Var(truth) is the
// mean squared deviation of the cells from their mean. (Papers state the value without a definition; this is
// the usual one.)
inline constexpr double kNoiseless = std::numeric_limits<double>::infinity();

// Factors as in Wei et al. 2022, section 5.1: standard normal entries, with columns scaled to unit length;
// for Tucker the columns are orthonormal and the core is standard normal. ranks holds the size of the core in
// each mode.
Cp draw_cp(const Shape& shape, int rank, std::uint64_t seed);
Tucker draw_tucker(const Shape& shape, std::span<const Index> ranks, std::uint64_t seed);

// Wei et al. 2022, section 5.1: the drawn model, min-max scaled to [0, 1], with noise added after scaling.
// Scaling adds a constant, so the truth has one CP component more than was drawn.
Synthetic generate_cp(const Shape& shape, int rank, std::uint64_t seed, double snr = 1);
Synthetic generate_tucker(const Shape& shape, std::span<const Index> ranks, std::uint64_t seed,
                          double snr = 1);

// Tubal rank r, as in Dai 2026, section 5: the t-product of an n1 x r x n3 x .. and an r x n2 x n3 x ..
// tensor, both standard normal, that is, circular convolution along modes 3..N. Not scaled. 3 modes or more.
Synthetic generate_tubal(const Shape& shape, int rank, std::uint64_t seed, double snr = kNoiseless);

// Counts: `noisy` is Poisson with the rates `truth`, a CP model whose parameters are exponentially
// distributed (Gamma of shape 1), scaled to a mean rate of kMeanCount (ermis2020, 4.1.2).
inline constexpr double kMeanCount = 4;
Synthetic generate_counts(const Shape& shape, int rank, std::uint64_t seed);

// Exactly round(fraction * cells) distinct cells, every such choice equally likely, in C order; the others
// are missing.
SparseTensor observe(const DenseTensor& tensor, double fraction, std::uint64_t seed);

// Large sparse data for experiments. Position number i of a mode, in a random order of its positions, is
// drawn with probability close to proportional to i^-exponent (0: uniform; 1: like words or movies), so a few
// positions are in many cells and most are in few. All nnz cells are distinct and every position of every
// mode occurs; once the likely cells are used up, the rest are drawn uniformly from the free ones. Values are
// a non-negative CP model of mean 1 plus N(0, noise^2). Memory: O(nnz + rank * sum of sizes); the full tensor
// is never stored. An Error if nnz is below the largest mode (some position would not occur) or above the
// number of cells.
SparseTensor sparse_low_rank(const Shape& shape, std::size_t nnz, int rank, double noise, double exponent,
                             std::uint64_t seed);

}  // namespace tulle
