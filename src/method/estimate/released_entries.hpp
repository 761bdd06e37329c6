// Entries at public positions that were released one by one: all at once, or in portions with noise of
// different size.
#pragma once

#include <tulle/data/measurement.hpp>

#include <span>

namespace tulle {

inline constexpr const char* kEntries = "entries";  // the id of such a release

// Of all portions those that a fit is better with: the last, which has the least noise, and earlier ones for
// as long as the variance of a mean over all of them falls. Values that are biased by their window are left
// out. `known`, of every cell, is taken away from values.
SparseTensor entries_worth_fitting(const Cells& positions, std::span<const Release* const> portions,
                                   std::span<const double> known = {});
SparseTensor entries_worth_fitting(const Measurement& measured);

}  // namespace tulle
