// The release of sums over the margins of a tensor: each table of sums with a weight of its own.
#pragma once

#include "estimate/margin_tables.hpp"
#include "estimate/mixed_effects.hpp"

#include <tulle/method/private_completion.hpp>

#include <span>
#include <vector>

namespace tulle {

inline constexpr const char* kMargins = "margins";  // ids of releases
inline constexpr const char* kSquares = "squares";

// What is public of a release of sums, from earlier ones. Lengths are in widths of the range.
struct MarginPlan {
  std::vector<double> weights;  // of each table: its part of epsilon. They add up to 1 at most
  double window = 1;            // width of the window that values are clamped to
  std::span<const double> about =
      {};  // what the window of each cell is around; empty: the middle of the range
  double rest = 0, most_deviation = 0;  // for the estimate: MixedEffects
};

// The margins to release sums of, and blocks of cells where modes have a stated order (none: empty).
std::vector<MarginTable> margin_tables(const Cells& cells, const Blocks& blocks);
// Those that a release is of; an Error where it is of other margins than those of these positions.
std::vector<MarginTable> margin_tables(const Cells& cells, const std::vector<ModeOrder>& orders,
                                       const Release& released);

// For single entries at public positions, under replace.
Release release_margins(const PrivateRequest& request, const std::vector<MarginTable>& tables,
                        const MarginPlan& plan, double epsilon, Curator& curator);

// What the released sums say of effects. An Error where they are not of these tables.
void take_margins(const Release& released, const std::vector<MarginTable>& tables, MixedEffects& effects);

// Of each table, the sum over its groups of their squared sum divided by their number of cells, of entries
// around the level, at most half of the window away; of the table without modes, which is the first, the sum
// of squares.
Release release_squares(const PrivateRequest& request, const std::vector<MarginTable>& tables, double level,
                        double window, double epsilon, Curator& curator);

}  // namespace tulle
