// Every entry is released once, in disjoint batches (portions) under parallel composition: each batch inside
// a window around what the earlier ones predict, so with noise for the width of that window rather than for
// that of the range.
#pragma once

#include <tulle/method/private_completion.hpp>

#include <functional>
#include <vector>

namespace tulle {

// A fit of cells that were released, by which the next ones are predicted: made of public facts, and the same
// whatever is estimated at the end.
using FitCells = std::function<Model(const SparseTensor& cells)>;
// The noise on `numbers` entries inside bounds.
using NoiseOnEntries =
    std::function<AdditiveNoise(const Allowance& allowance, const Bounds& bounds, std::uint64_t numbers)>;

// Whether epsilon is enough to measure windows for so many entries.
bool enough_for_stages(std::uint64_t entries, double epsilon);

// For single entries at public positions, under replace: their mean, and a release of entries per portion.
// The first window is around `known`, what was released before about each entry, and the releases are parts
// of a pure one of which `epsilon` is left; where `known` is null the window is around the mean of the
// entries, `epsilon` is the budget's, and everything is planned here. Empty where epsilon is not enough: then
// it is better to release all entries at once.
Releases release_in_stages(const PrivateRequest& request, double epsilon, Curator& curator,
                           const NoiseOnEntries& noise_on, const FitCells& fit,
                           const std::vector<double>* known = nullptr);

// What was released so, for people.
std::string remark_on_stages(const Measurement& measured);

}  // namespace tulle
