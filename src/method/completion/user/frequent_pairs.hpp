// Which positions of a mode occur together for the same users, whatever their values: a release over pairs of
// the positions that earlier releases show to be frequent.
#pragma once

#include "user_cells.hpp"

#include <tulle/data/measurement.hpp>
#include <tulle/model/interest.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace tulle {

// The number of frequent positions whose pairs stand out of noise of this standard deviation for this many
// users; 0: none do. From public facts and releases.
std::size_t frequent_positions(double users, double deviation, std::size_t positions);
// The most popular `count` positions.
std::vector<Index> most_popular(const Vector& popularity, std::size_t count);

// Sums over users of one vector each, scaled to length 1 (user_vectors.hpp): for each pair of frequent
// positions i <= j of a shared mode, whether she has cells at both, pairs of two positions times kPairTwice.
std::vector<double> frequent_pair_sums(const UserCells& data, double most_users, std::size_t block_size,
                                       std::size_t shared_mode, std::span<const Index> often);

// The estimate from these sums, each with noise of this standard deviation.
Interest interest_of(int mode, Vector popularity, std::vector<Index> often, std::span<const double> sums,
                     double deviation);

}  // namespace tulle
