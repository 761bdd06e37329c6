// One-shot for the tubal model: pilot statistics, then single entries or sums of blocks of them (Tulle).
//
// Unit, relation:  entry, replace. Public: shape, positions, range, options.
// Releases:        1. the mean and, for every mode, squared differences of neighbours
//                  (pilot_statistics.cpp). 2. sums over disjoint blocks of places in the range, from 0 to 1:
//                  one sum changes by 1 + 2 steps of the grid; or every entry, one coordinate of sensitivity
//                  width.
// After that free: the shape of the blocks follows from release 1; the fit from release 2.
// Cost:            O(entries) for the releases.
#include "one_shot_tubal.hpp"

#include "cell_blocks.hpp"
#include "completion/fit_checks.hpp"
#include "estimate/released_entries.hpp"
#include "fit_released_tubal.hpp"
#include "model_request.hpp"
#include "release/entry_noise.hpp"
#include "release/kept_entries.hpp"
#include "release/pilot_statistics.hpp"
#include "widen_tubal.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/sum_grid.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle {
namespace {

constexpr const char* kPilotMean = "pilot mean";  // ids of releases
constexpr const char* kBlocks = "block sums";

constexpr NoiseKind kForSums[] = {NoiseKind::staircase, NoiseKind::laplace, NoiseKind::gaussian};
constexpr NoiseKind kForCells[] = {NoiseKind::staircase, NoiseKind::piecewise, NoiseKind::duchi,
                                   NoiseKind::laplace};

SumGrid grid_of(const Cells& positions) {
  return {1, static_cast<double>(positions.size())};
}

// The noise of the main release, for sums of blocks in units of the width. Its cost does not depend on the
// blocks, so it can be planned before they are known. Under replace one sum changes, by the largest change
// and by two steps of the grid.
AdditiveNoise noise_of_sums(const PrivateRequest& request, const Allowance& allowance, std::size_t blocks) {
  const double change = request.data.largest_change() / request.data.range().width();
  const double most = change + 2 * grid_of(request.data.positions()).step();
  return entry_noise(request, allowance, {.bounds = {0, 1}, .most = most, .numbers = blocks}, kForSums);
}

// For single entries there are noises that know the bounds; at the same cost, since all of them are pure.
AdditiveNoise noise_of_cells(const PrivateRequest& request, const Allowance& allowance, bool gaussian) {
  const Range& range = request.data.range();
  const EntryChanges changes{.bounds = {range.low, range.high},
                             .most = request.data.largest_change(),
                             .numbers = request.data.positions().size()};
  if (!gaussian) return entry_noise(request, {allowance.epsilon}, changes, kForCells);
  constexpr NoiseKind kGaussian[] = {NoiseKind::gaussian};
  return entry_noise(request, allowance, changes, kGaussian);
}

// Along a mode whose neighbours differ half as much as any two entries, or more, no block has more than one
// position. Differences below the standard deviation of their noise count as that.
Unlikeness unlikeness_of(const PilotStatistics& pilot) {
  Unlikeness unlike{{}, pilot.apart};
  for (std::size_t mode = 0; mode < pilot.along.size(); ++mode) {
    const double per_step = std::max(pilot.along[mode], pilot.deviation[mode]);
    unlike.per_step.push_back(per_step < pilot.apart / 2 ? per_step
                                                         : std::numeric_limits<double>::infinity());
  }
  return unlike;
}

// Two estimates of the same number, each with its own noise.
double combined(double one, double its_variance, double other, double other_variance) {
  return (one * other_variance + other * its_variance) / (its_variance + other_variance);
}

// The released single entries, and the level from them and from the pilot's mean.
NoisyCells cells_of(const Measurement& measured) {
  SparseTensor cells = entries_worth_fitting(measured);
  const Release& pilot = measured.find(kPilotMean, 1);
  const double variance = std::pow(measured.find(kEntries, cells.size()).typical, 2);
  const std::size_t count_of_cells = cells.size();
  const auto count = static_cast<double>(count_of_cells);
  const double mean = std::accumulate(cells.values().begin(), cells.values().end(), 0.0) / count;
  const double level = combined(pilot.values[0], std::pow(pilot.deviation, 2), mean, variance / count);
  return {std::move(cells), std::vector<double>(count_of_cells, variance), level};
}

std::vector<double> sums_of_blocks(const SparseTensor& observed, const CellBlocks& blocks,
                                   const Range& range) {
  const SumGrid grid = grid_of(observed.cells());
  std::vector<double> sums(blocks.shape().cells());
  for (std::size_t entry = 0; entry < observed.size(); ++entry) {
    const double share = std::clamp((observed.values()[entry] - range.low) / range.width(), 0.0, 1.0);
    sums[blocks.block_of(observed.cells(), entry)] += grid.round(share);
  }
  return sums;
}

// The means of the blocks that have an entry, in the entries' unit.
NoisyCells cells_of(const Measurement& measured, const Release& sums, const CellBlocks& blocks) {
  const Range range{measured.low, measured.high};
  const Release& pilot = measured.find(kPilotMean, 1);
  const Cells& positions = *measured.positions;
  std::vector<double> counts(sums.values.size());
  for (std::size_t entry = 0; entry < positions.size(); ++entry) ++counts[blocks.block_of(positions, entry)];

  const Shape& shape = blocks.shape();
  NoisyCells released{{shape, Unlisted::missing}, {}, 0};
  double total = 0, noisy = 0;
  for (std::size_t block = 0; block < counts.size(); ++block) {
    if (counts[block] == 0) continue;
    std::array<Index, kMaxOrder> cell{};
    for (int mode = 0; mode < shape.order(); ++mode)
      cell[static_cast<std::size_t>(mode)] = static_cast<Index>(block / shape.stride(mode) % shape[mode]);
    released.cells.append(std::span(cell).first(static_cast<std::size_t>(shape.order())),
                          static_cast<float>(range.low + range.width() * sums.values[block] / counts[block]));
    released.variances.push_back(std::pow(range.width() * sums.deviation / counts[block], 2));
    total += sums.values[block], ++noisy;
  }
  const auto entries = static_cast<double>(positions.size());
  released.level =
      combined(pilot.values[0], std::pow(pilot.deviation, 2), range.low + range.width() * total / entries,
               noisy * std::pow(range.width() * sums.deviation / entries, 2));
  return released;
}

// The number of runs of each mode, checked, since a damaged file may state any.
std::vector<Index> runs_of(const Release& sums, const Shape& shape) {
  std::vector<Index> runs;
  double blocks = 1;
  for (std::size_t mode = 0; mode < sums.chosen.size() && static_cast<int>(mode) < shape.order(); ++mode) {
    runs.push_back(static_cast<Index>(
        std::clamp(sums.chosen[mode], 1.0, static_cast<double>(shape[static_cast<int>(mode)]))));
    blocks *= runs.back();
  }
  if (static_cast<int>(runs.size()) != shape.order() || blocks != static_cast<double>(sums.values.size()))
    fail("release '{}' is not of blocks of a {} tensor; it cannot be refitted", kBlocks, shape.text());
  return runs;
}

Release release_blocks(const PrivateRequest& request, Curator& curator, const AdditiveNoise& noise,
                       const CellBlocks& blocks) {
  const Range& range = request.data.range();
  Noisy sums =
      curator.release(request.data.observed(), noise, "the sums of blocks of entries",
                      [&](const SparseTensor& observed) { return sums_of_blocks(observed, blocks, range); });
  Release release = Release::of(kBlocks, curator, std::move(sums));
  const auto runs = blocks.shape().dimensions();
  release.chosen.assign(runs.begin(), runs.end());
  return release;
}

}  // namespace

void check_tubal(const FitOptions& fit, const Shape& shape) {
  static_cast<void>(tubal_rank_of(fit, shape));
  check_solver(fit, true);
}

Releases measure_tubal(const PrivateRequest& request, Curator& curator) {
  const PilotRelease pilot_release(request);
  const Allowance rest = curator.allowance({pilot_release.stage()}, kMostDrawnEpsilon);
  const AdditiveNoise planned = noise_of_sums(request, rest, 1);
  curator.plan({pilot_release.stage(), {.loss = loss_of(planned), .most_epsilon = kMostDrawnEpsilon}});

  const PilotStatistics pilot = pilot_release(curator);
  Releases releases{Release::of(kPilotMean, curator, {{pilot.mean}, pilot.mean_deviation})};
  const Shape& shape = request.data.shape();
  const double observed =
      static_cast<double>(request.data.positions().size()) / static_cast<double>(shape.cells());
  const CellBlocks blocks =
      best_blocks(shape, std::min(observed, 1.0), std::pow(planned.deviation(), 2), unlikeness_of(pilot));
  if (blocks.are_single_cells()) {
    const AdditiveNoise noise = noise_of_cells(request, rest, planned.name() == "Gaussian");
    releases.push_back(release_kept(request, curator, noise, keep_all(request.data.positions())));
  } else {
    const AdditiveNoise noise = noise_of_sums(request, rest, blocks.shape().cells());
    releases.push_back(release_blocks(request, curator, noise, blocks));
  }
  return releases;
}

bool is_measured_for_tubal(const Measurement& measured) {
  return measured.has(kPilotMean);
}

Completion estimate_tubal(const Measurement& measured, const FitOptions& fit) {
  if (!measured.positions) fail("releases of one-shot without public positions; they cannot be refitted");
  Completion completion;
  std::string remark;
  if (const std::vector<const Release*> sums = measured.all(kBlocks); !sums.empty()) {
    const CellBlocks blocks(measured.shape, runs_of(*sums.front(), measured.shape));
    completion = fit_released_tubal(cells_of(measured, *sums.front(), blocks), fit);
    completion.model =
        widen(std::get<Tubal>(completion.model), blocks, fit.ranks.empty() ? 0 : fit.ranks.front());
    remark = fmt::format(
        "Neighbours are alike: released the sums of {} blocks, with {} noise of deviation {:.4g}.",
        blocks.shape().text(), sums.front()->noise,
        Range{measured.low, measured.high}.width() * sums.front()->deviation);
  } else {
    completion = fit_released_tubal(cells_of(measured), fit);
    const Release& entries = *measured.all(kEntries).front();
    remark =
        fmt::format("Neighbours are not alike: released every entry once with {} noise of deviation {:.4g}.",
                    entries.noise, entries.deviation);
  }
  completion.remarks.insert(completion.remarks.begin(), std::move(remark));
  return completion;
}

}  // namespace tulle
