// Counts of all cells from noisy tables, from sets of few modes to that of all: each table is expected to be
// as even as those of fewer modes allow, deconvolved, and reconciled with the released ones of fewer modes.
#pragma once

#include <tulle/data/measurement.hpp>
#include <tulle/model/counts.hpp>

namespace tulle {

Counts estimate_counts(const Measurement& measured);

}  // namespace tulle
