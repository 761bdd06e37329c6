// Counts in a sparse form from tables of one and two modes and from the cells that reached a threshold.
#pragma once

#include <tulle/data/measurement.hpp>
#include <tulle/model/counts.hpp>

namespace tulle {

// The forest has the pairs of modes whose tables depart the most from products of single modes (Chow and Liu
// 1968).
Counts estimate_sparse(const Measurement& measured);

}  // namespace tulle
