// Tables of counts: the events added up over all modes but some, and released with noise.
#pragma once

#include <tulle/method/counts.hpp>
#include <tulle/privacy/curator.hpp>
#include <tulle/privacy/releases.hpp>

#include <bit>
#include <cstdint>
#include <vector>

namespace tulle {

// Bit m says whether a set has mode m.
using ModeSet = std::uint32_t;

inline bool has(ModeSet modes, int mode) {
  return (modes >> mode & 1) != 0;
}
inline ModeSet all_modes(const Shape& shape) {
  return (ModeSet{1} << shape.order()) - 1;
}

// The cells of a table, in C order of its modes.
double table_cells(const Shape& shape, ModeSet modes);

// The noise of a table, whichever loss it has; `planned`: an epsilon or a noise multiplier.
AdditiveNoise table_noise(const CountRequest& request, ModeSet modes, Loss loss, double planned);

// Curator::plan and Curator::allowance, of what is planned for tables if rows or keys were chosen before.
std::vector<double> plan_tables(const CountRequest& request, Curator& curator,
                                const std::vector<Stage>& stages);
Allowance allowance_of_tables(const CountRequest& request, const Curator& curator);

inline constexpr const char* kTable = "table";  // id of its release
Release release_table(const CountRequest& request, Curator& curator, ModeSet modes,
                      const AdditiveNoise& noise);

// The table of all cells where it is huge: the cells that reach a threshold after noise was added to all.
AdditiveNoise noise_above(const CountRequest& request, double epsilon, std::int64_t threshold);
inline constexpr const char* kCellsAbove = "cells above";  // id of its release
Release release_cells_above(const CountRequest& request, Curator& curator, const AdditiveNoise& noise,
                            std::int64_t threshold);

// A table as it was released.
struct NoisyTable {
  ModeSet modes;
  std::span<const double> values;
  double variance;  // of each value
  double deviation;
  const std::string& noise;
};

// The tables of a measurement, of all cells or of those above. An Error where a release is none of its shape.
std::vector<NoisyTable> released_tables(const Measurement& measured);

}  // namespace tulle
