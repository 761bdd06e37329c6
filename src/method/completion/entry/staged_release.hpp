// Every entry is released once, in disjoint batches (portions) under parallel composition: each batch inside
// a window around what the earlier ones predict, so with noise for the width of that window rather than for
// that of the range.
#pragma once

#include <tulle/method/private_completion.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tulle {

struct StagedRelease {
  SparseTensor cells;  // those worth fitting: early portions, which have more noise, may be left out
  std::string remark;
};

// A fit of cells that were released.
using FitCells = std::function<Model(const SparseTensor& cells)>;
// The noise on `numbers` entries inside bounds.
using NoiseOnEntries =
    std::function<AdditiveNoise(const Allowance& allowance, const Bounds& bounds, std::uint64_t numbers)>;

// Whether epsilon is enough to measure windows for so many entries.
bool enough_for_stages(std::uint64_t entries, double epsilon);

// For single entries at public positions, under replace. The first window is around `known`, what was
// released before about each entry, and the releases are parts of a pure one of which `epsilon` is left;
// where `known` is null the window is around the mean of the entries, `epsilon` is the budget's, and
// everything is planned here. Empty where epsilon is not enough: then it is better to release all entries at
// once.
std::optional<StagedRelease> release_in_stages(const PrivateRequest& request, double epsilon,
                                               Curator& curator, const NoiseOnEntries& noise_on,
                                               const FitCells& fit,
                                               const std::vector<double>* known = nullptr);

}  // namespace tulle
