// Counts of all cells from noisy tables, from sets of few modes to that of all: each table is expected to be
// as even as those of fewer modes allow, deconvolved, and reconciled with the released ones of fewer modes.
#pragma once

#include "deconvolution.hpp"

#include <tulle/data/measurement.hpp>
#include <tulle/model/counts.hpp>

namespace tulle {

Counts estimate_counts(const Measurement& measured);

// The tables of up to `most` modes by sets of modes; empty: of one that neither was released nor is part of
// one that was.
std::vector<PosteriorCounts> estimate_tables(const Measurement& measured, int most);

}  // namespace tulle
