// Entries at public positions that were released one by one: all at once, or in disjoint batches with
// different noise.
#pragma once

#include <tulle/data/measurement.hpp>

#include <span>

namespace tulle {

inline constexpr const char* kEntries = "entries";  // the id of such a release

// The batches that improve a fit: the last, which has the least noise, and earlier ones as long as the
// variance of a mean over all of them falls. Values that are biased by their window are omitted. `known`, one
// per cell, is subtracted from values.
SparseTensor entries_worth_fitting(const Cells& positions, std::span<const Release* const> portions,
                                   std::span<const double> known = {});
SparseTensor entries_worth_fitting(const Measurement& measured);

}  // namespace tulle
