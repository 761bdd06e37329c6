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
// The noise on `numbers` entries inside bounds, for a budget.
using NoiseOnEntries =
    std::function<AdditiveNoise(const Budget& budget, const Bounds& bounds, std::uint64_t numbers)>;

// Whether epsilon is enough to measure windows for so many entries.
bool enough_for_stages(std::uint64_t entries, double epsilon);

// For single entries at public positions, under replace. The first window is around `known`, what was
// released before about each entry; where that is null it is around their mean, and everything is planned
// here. Empty where the budget is not enough for that: then it is better to release all entries at once.
std::optional<StagedRelease> release_in_stages(const PrivateRequest& request, const Budget& budget,
                                               Curator& curator, const NoiseOnEntries& noise_on,
                                               const FitCells& fit,
                                               const std::vector<double>* known = nullptr);

}  // namespace tulle
